//! The published POGDDL games, and the positions of the published experiment with them.

use std::collections::BTreeMap;

use percept_game::{Game, JointMove, PogddlOptions, PogddlTerminal, RoleId};

use crate::games::parts;
use crate::matches::{joint, mover};
use crate::{files, folder};

/// A published problem in POGDDL with its domain, both by the names of their files in `PERCEPT_CORPUS`.
///
/// # Panics
/// The variable is not set, or the files are not a game.
pub fn pogddl(domain: &str, problem: &str, terminal: PogddlTerminal) -> Game {
    let folder = folder("PERCEPT_CORPUS").join("pogddl");
    let texts = [files::lossy(folder.join(domain)), files::lossy(folder.join("problems").join(problem))];
    let (domain, problem) = parts(&[&texts[0], &texts[1]]);
    Game::from_pogddl(&domain, &problem, &PogddlOptions { terminal })
        .unwrap_or_else(|errors| panic!("{problem:?}: {errors:?}"))
}

/// One position of the published experiment.
pub struct Position {
    /// The configuration, such as `b-3-6`.
    pub cell: String,
    /// The number of the position among those of this configuration.
    pub number: u64,
    /// The game of the position.
    pub game: Game,
    /// The role of the information set.
    pub role: RoleId,
    /// The names of the actions up to here, one per round.
    pub actions: Vec<String>,
    /// The number of rounds up to here.
    pub round: u64,
    /// The size of the information set, if it is known.
    pub size: Option<u64>,
}

impl Position {
    /// The match up to here.
    ///
    /// # Panics
    /// An action is not one of the role in turn.
    pub fn moves(&self) -> Vec<JointMove> {
        let mut state = self.game.rules.initial();
        let mut moves = Vec::new();
        for action in &self.actions {
            let role = mover(&self.game, &state).expect("a mover");
            let joint = joint(&self.game, role, self.game.rules.find_move(role, action).expect("a move"));
            state = self.game.rules.next(&state, &joint);
            moves.push(joint);
        }
        moves
    }
}

/// The positions whose cell and number `wanted` accepts, of `table1.jsonl` in `PERCEPT_ORACLE`.
///
/// # Panics
/// `PERCEPT_ORACLE` or `PERCEPT_CORPUS` is not set.
pub fn positions(mut wanted: impl FnMut(&str, u64) -> bool) -> Vec<Position> {
    let text = files::read(folder("PERCEPT_ORACLE").join("table1.jsonl"));
    let mut games: BTreeMap<String, Game> = BTreeMap::new();
    let mut positions = Vec::new();
    for line in text.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("json");
        let word = |name: &str| entry[name].as_str().expect("text").to_owned();
        let number = entry["position"].as_u64().expect("a number");
        if !wanted(&word("cell"), number) {
            continue;
        }
        let terminal = match word("terminal").as_str() {
            "payoff" => PogddlTerminal::Payoff,
            _ => PogddlTerminal::NoMoves,
        };
        let load = || pogddl(&word("domain"), &word("problem"), terminal);
        let game = games.entry(word("problem")).or_insert_with(load).clone();
        let actions = entry["trace"].as_array().expect("a trace").iter();
        positions.push(Position {
            cell: word("cell"),
            number,
            role: game.role(&word("role")).expect("a role"),
            actions: actions.map(|action| action.as_str().expect("text").to_owned()).collect(),
            round: entry["round"].as_u64().expect("a round"),
            size: entry["size"].as_u64(),
            game,
        });
    }
    positions
}

/// A row of the table of known truths: the numbers of histories and of states for a view.
pub struct Truth {
    /// The game and the role.
    pub game: String,
    /// The moves and percepts of the role.
    pub view: String,
    /// The number of histories with this view.
    pub histories: u64,
    /// The number of states in which they end.
    pub states: u64,
}

/// The rows of `truths.csv` in `PERCEPT_ORACLE` whose game `wanted` accepts.
///
/// # Panics
/// The variable is not set.
pub fn truths(wanted: impl Fn(&str) -> bool) -> Vec<Truth> {
    let text = files::read(folder("PERCEPT_ORACLE").join("truths.csv"));
    let rows = text.lines().skip(1).map(fields).filter(|row| wanted(&row[0]));
    let number = |field: &str| field.parse().unwrap_or_else(|_| panic!("{field} is not a number"));
    let truth = |row: Vec<String>| Truth {
        histories: number(&row[2]),
        states: number(&row[3]),
        game: row[0].clone(),
        view: row[1].clone(),
    };
    rows.map(truth).collect()
}

/// The fields of a line of comma-separated values with quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("there is a field").push(c),
        }
    }
    fields
}
