//! Reads the published POGDDL files and the oracle's positions, where the environment says where they are.
#![allow(dead_code)]

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use percept_game::{Game, JointMove, MoveId, PogddlOptions, PogddlTerminal, RoleId};
use percept_syntax::{Language, Source};

/// The variable's folder, or `None` with a note.
pub fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable);
    if folder.is_none() {
        eprintln!("skipped: {variable} is not set");
    }
    folder.map(Into::into)
}

fn source(path: &Path) -> Source {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Source::from_bytes(bytes, Language::Pogddl).expect("text")
}

pub fn game(corpus: &Path, domain_file: &str, problem_file: &str, terminal: PogddlTerminal) -> Game {
    let folder = corpus.join("pogddl");
    let domain = source(&folder.join(domain_file));
    let problem = source(&folder.join("problems").join(problem_file));
    let (domain, problem) = (domain.domain().expect("a domain"), problem.problem().expect("a problem"));
    Game::from_pogddl(domain, problem, &PogddlOptions { terminal })
        .unwrap_or_else(|errors| panic!("{problem_file}: {errors:?}"))
}

/// One position of the published experiment.
pub struct Position {
    pub cell: String,
    pub number: u64,
    pub game: Game,
    pub role: RoleId,
    pub moves: Vec<JointMove>,
    /// The size of the information set, where it is known.
    pub size: Option<u64>,
}

/// The match of a list of actions.
pub fn match_of(game: &Game, actions: &[&str]) -> Vec<JointMove> {
    let mut state = game.rules.initial();
    let mut moves = Vec::new();
    for action in actions {
        let mut joint = vec![MoveId::NOOP; game.roles.len()];
        let mover = game.role_ids().find(|&role| game.rules.legal(&state, role) != [MoveId::NOOP]).expect("a mover");
        joint[mover.0 as usize] = game.rules.find_move(mover, action).expect("a move");
        state = game.rules.next(&state, &joint);
        moves.push(joint);
    }
    moves
}

/// The positions whose cell and number `wanted` accepts.
pub fn positions(corpus: &Path, oracle: &Path, wanted: impl Fn(&str, u64) -> bool) -> Vec<Position> {
    let text = std::fs::read_to_string(oracle.join("table1.jsonl")).expect("table1.jsonl");
    let mut games: BTreeMap<String, Game> = BTreeMap::new();
    let mut positions = Vec::new();
    for line in text.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("json");
        let word = |name: &str| entry[name].as_str().expect("text").to_owned();
        let number = entry["position"].as_u64().expect("number");
        if !wanted(&word("cell"), number) {
            continue;
        }
        let terminal = match word("terminal").as_str() {
            "payoff" => PogddlTerminal::Payoff,
            _ => PogddlTerminal::NoMoves,
        };
        let load = || game(corpus, &word("domain"), &word("problem"), terminal);
        let game = games.entry(word("problem")).or_insert_with(load).clone();
        let trace = entry["trace"].as_array().expect("trace");
        let actions: Vec<&str> = trace.iter().map(|action| action.as_str().expect("text")).collect();
        positions.push(Position {
            cell: word("cell"),
            number,
            role: game.role(&word("role")).expect("role"),
            moves: match_of(&game, &actions),
            size: entry["size"].as_u64(),
            game,
        });
    }
    positions
}
