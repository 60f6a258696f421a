//! The author's report about matches of people: who thought how long at which decision, what was tried and not
//! understood, how surprised each role was, and whose result was certain before the end.
//!
//! In: the lines of a table's file, and the games that they name. Out: a [`Match`] for each match. Nothing here is
//! computed while a match is played.

mod fate;
mod surprise;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use percept_game::{Game, JointMove, RoleId, State};
use percept_infoset::Budget;
use percept_report::speech::Phrases;
use serde::Serialize;

pub use fate::{Before, Certain};
pub use surprise::Surprise;

use crate::lines::{By, GameLine, Line, Remark, TableLine, Thought};
use crate::playable::Playable;
use crate::playing::joint_moves;

/// The time for each match if the caller's budget has no end.
const EACH: Duration = Duration::from_secs(30);

/// A match of people, and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Match {
    /// The number of the table.
    pub table: u64,
    /// The number of the match at this table, from 0.
    pub number: u64,
    /// The name of the game.
    pub game: String,
    /// The number that changes with the game's text.
    pub rules: String,
    /// `over`, `stuck` or `too-long`; absent if the match was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// The number of rounds played.
    pub rounds: usize,
    /// The roles in the order of the rules, without chance.
    pub roles: Vec<Role>,
    /// The words of moves to which the rules' comments give some.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    pub says: Phrases,
}

/// A role of a match, and its player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Role {
    /// The name of the role.
    pub role: String,
    /// The name of the player in the results.
    pub player: String,
    /// True if the player is a person.
    pub person: bool,
    /// The rounds played when the person gave up, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<usize>,
    /// The goal at the end, if the rules give one.
    pub goal: Option<i64>,
    /// The decisions of the person.
    pub decisions: Vec<Decision>,
    /// The moves that the person tried and that were not legal.
    pub tried: Vec<Saying>,
    /// The notes about things that the person did not understand.
    pub notes: Vec<Saying>,
    /// The surprise at each round; `null` if it was not found in time.
    pub surprise: Vec<Option<Surprise>>,
    /// The time from which the role's goal was certain, if that was proved for any time before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<Certain>,
}

/// A decision of a person.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decision {
    /// The round, from 1.
    pub round: usize,
    /// The move that was made.
    #[serde(rename = "move")]
    pub mv: String,
    /// The number of moves to choose from.
    pub moves: usize,
    /// The seconds from the question to the move.
    pub seconds: f64,
    /// True if the time was over, so that the move is a random one.
    pub late: bool,
}

/// A remark of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saying {
    /// The number of rounds played.
    pub round: usize,
    /// The move, or the note.
    pub text: String,
}

/// The reason why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum DebriefError {
    /// A game of the file cannot be read.
    #[error("the game {name} of the table's file cannot be read: {why}")]
    Game {
        /// The name of the game.
        name: String,
        /// The reason.
        why: String,
    },
    /// A match is not one of its game.
    #[error("match {number} of table {table} is not one of its game")]
    NoMatch {
        /// The number of the table.
        table: u64,
        /// The number of the match.
        number: u64,
    },
}

/// A match as the lines of a file tell it.
struct Raw {
    table: TableLine,
    number: u64,
    rounds: Vec<(Vec<String>, Vec<Thought>)>,
    ended: Option<String>,
    tried: Vec<Remark>,
    notes: Vec<Remark>,
    /// The rounds played when a player gave up.
    left: BTreeMap<usize, usize>,
}

/// The report about all matches of a file. `game` makes the games that the file names.
///
/// # Errors
/// If a game cannot be read, or a match is not one of its game.
pub fn debrief(
    lines: &[Line],
    game: impl Fn(&GameLine) -> Result<Playable, String>,
    budget: &Budget,
) -> Result<Vec<Match>, DebriefError> {
    let raws = raws(lines);
    let mut games: HashMap<&str, Arc<Playable>> = HashMap::new();
    for line in lines {
        if let Line::Game(it) = line
            && raws.iter().any(|raw| raw.table.rules == it.rules)
        {
            let error = |why| DebriefError::Game { name: it.name.clone(), why };
            games.insert(&it.rules, Arc::new(game(it).map_err(error)?));
        }
    }
    let mut matches = Vec::new();
    for (at, raw) in raws.iter().enumerate() {
        let no_game = || DebriefError::NoMatch { table: raw.table.id, number: raw.number };
        let game = games.get(raw.table.rules.as_str()).ok_or_else(no_game)?;
        budget.report("matches read", at, Some(raws.len()));
        let share = match budget.deadline {
            Some(_) => budget.share(raws.len() - at),
            None => budget.until(Instant::now() + EACH),
        };
        matches.push(of_match(raw, game, &share).ok_or_else(no_game)?);
    }
    Ok(matches)
}

/// The matches of a file, in the order in which they began.
fn raws(lines: &[Line]) -> Vec<Raw> {
    let mut tables: BTreeMap<u64, TableLine> = BTreeMap::new();
    let mut gone: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut all: Vec<Raw> = Vec::new();
    let last = |all: &mut Vec<Raw>, table: u64, change: &mut dyn FnMut(&mut Raw)| {
        if let Some(raw) = all.iter_mut().rev().find(|it| it.table.id == table) {
            change(raw);
        }
    };
    for line in lines {
        match line {
            Line::Game(_) | Line::Closed { .. } => {}
            Line::Table(it) => drop(tables.insert(it.id, it.clone())),
            Line::Match { table, number, .. } => {
                let Some(it) = tables.get(table) else { continue };
                let left = gone.get(table).into_iter().flatten().map(|&player| (player, 0)).collect();
                let (rounds, tried, notes) = (Vec::new(), Vec::new(), Vec::new());
                all.push(Raw { table: it.clone(), number: *number, rounds, ended: None, tried, notes, left });
            }
            Line::Round { table, moves, thought } => {
                last(&mut all, *table, &mut |it| it.rounds.push((moves.clone(), thought.clone())));
            }
            Line::Ended { table, ended } => last(&mut all, *table, &mut |it| it.ended = Some(ended.clone())),
            Line::Tried(it) => last(&mut all, it.table, &mut |raw| raw.tried.push(it.clone())),
            Line::Note(it) => last(&mut all, it.table, &mut |raw| raw.notes.push(it.clone())),
            Line::Left(it) => {
                gone.entry(it.table).or_default().push(it.player);
                last(&mut all, it.table, &mut |raw| {
                    raw.left.insert(it.player, raw.rounds.len());
                });
            }
            Line::Back(it) => gone.entry(it.table).or_default().retain(|&player| player != it.player),
        }
    }
    all
}

fn of_match(raw: &Raw, playable: &Playable, budget: &Budget) -> Option<Match> {
    let game = playable.arena.game();
    let names: Vec<Vec<String>> = raw.rounds.iter().map(|(moves, _)| moves.clone()).collect();
    let moves = joint_moves(game, &names)?;
    let end = moves.iter().fold(game.rules.initial(), |state, joint| game.rules.next(&state, joint));
    let count = playable.roles().count();
    let mut roles = Vec::new();
    for (at, role) in playable.roles().enumerate() {
        let player = playable.player_at(at, raw.number);
        roles.push(of_role(raw, game, (&moves, &end), role, player, &budget.share(count - at))?);
    }
    let mut says = Phrases::new();
    let made = names.iter().flatten().chain(raw.tried.iter().map(|it| &it.text));
    playable.layout.speech.say(&mut says, made.map(String::as_str));
    Some(Match {
        says,
        table: raw.table.id,
        number: raw.number,
        game: raw.table.game.clone(),
        rules: raw.table.rules.clone(),
        ended: raw.ended.clone(),
        rounds: moves.len(),
        roles,
    })
}

/// A role of a match with these moves and this last state.
fn of_role(
    raw: &Raw,
    game: &Game,
    (moves, end): (&[JointMove], &State),
    role: RoleId,
    player: usize,
    budget: &Budget,
) -> Option<Role> {
    let view = percept_game::trace::view_of(game, moves, role, moves.len());
    let goal = match game.rules.goals(end, role)[..] {
        [goal] if raw.ended.is_some() => Some(goal),
        _ => None,
    };
    let of_player = |all: &[Remark]| -> Vec<Saying> {
        let own = all.iter().filter(|it| it.player == player);
        own.map(|it| Saying { round: it.round, text: it.text.clone() }).collect()
    };
    let decisions = raw.rounds.iter().enumerate().flat_map(|(at, (names, thought))| {
        let own = thought.iter().filter(|it| it.player == player);
        own.map(move |it| Decision {
            round: at + 1,
            mv: names[usize::from(role.0)].clone(),
            moves: it.moves,
            seconds: it.seconds,
            late: it.late,
        })
    });
    let (surprise, layers) = surprise::surprises(game, &view, &budget.share(2));
    let certain = raw.ended.as_ref().and_then(|_| fate::certain(game, role, &layers, moves.len(), budget));
    Some(Role {
        role: game.roles[usize::from(role.0)].name.clone(),
        player: raw.table.names().get(player)?.clone(),
        person: matches!(raw.table.seats.get(player)?.by, Some(By::Person(_))),
        gave_up: raw.left.get(&player).copied(),
        goal,
        decisions: decisions.collect(),
        tried: of_player(&raw.tried),
        notes: of_player(&raw.notes),
        surprise,
        certain,
    })
}
