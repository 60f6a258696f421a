//! Random matches: their length, their choices, their results.
//!
//! [`play`] plays matches of any game. Every match has a random stream of its own, derived from the seed and the
//! match's number, so the same seed gives the same matches whatever the number of threads. Ground games are played in
//! the lanes of words ([`crate::compiled`]), the others through [`crate::Rules`]; the matches are the same.

pub(crate) mod block;
mod stream;
mod streams;
mod summary;

use std::ops::Range;
use std::time::Instant;

use rayon::prelude::*;

pub use stream::Stream;
pub(crate) use streams::Streams;
pub use summary::{Interval, Lengths, RoleSummary, Summary};

use crate::compiled::Playouts;
use crate::{Game, JointMove, MoveId, State};

/// The most matches at once: 64 per word, and this number of words per node.
const LANES: usize = 64 * 16;

/// The number of matches from which slow preparations pay.
pub const MANY: u64 = 8192;

/// The limits of random play.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The seed of all matches together; each has random numbers of its own.
    pub seed: u64,
    /// The number of rounds after which a match is stopped.
    pub max_rounds: u32,
    /// The time at which all work stops; matches in progress count as unfinished. Results then depend on the clock.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// True if the deadline has passed.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { seed: 0, max_rounds: 10_000, deadline: None }
    }
}

/// The record of one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRecord {
    /// The number of the match within its run, from 0.
    pub number: u64,
    /// The number of rounds played.
    pub rounds: u32,
    /// True if it ended in a terminal state, false if it was stopped.
    pub terminal: bool,
    /// Stopped because a role had no legal move.
    pub stuck: bool,
    /// For each role, the goal values that hold at the end. In a correct game there is exactly one in a terminal state.
    pub goals: Vec<Vec<i64>>,
    /// For each role, the numbers of legal moves, summed over the rounds, and the greatest.
    pub branching: Vec<(u64, u32)>,
}

impl MatchRecord {
    pub(crate) fn new(number: u64, roles: usize) -> MatchRecord {
        MatchRecord {
            number,
            rounds: 0,
            terminal: false,
            stuck: false,
            goals: vec![Vec::new(); roles],
            branching: vec![(0, 0); roles],
        }
    }

    pub(crate) fn restart(&mut self, number: u64) {
        self.number = number;
        (self.rounds, self.terminal, self.stuck) = (0, false, false);
        self.goals.iter_mut().for_each(Vec::clear);
        self.branching.fill((0, 0));
    }

    pub(crate) fn saw(&mut self, role: usize, legal: u32) {
        let (sum, greatest) = &mut self.branching[role];
        *sum += u64::from(legal);
        *greatest = (*greatest).max(legal);
    }
}

/// Plays the matches numbered `matches` on one thread, and passes them to `sink` in no particular order.
pub fn run(game: &Game, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
    match playouts(game, matches.end.saturating_sub(matches.start)) {
        Some(playouts) => playouts.run_in_width(matches, limits, &mut |record| {
            if playouts.is_wrong(record) {
                sink(&play_one(game, record.number, limits, None));
            } else {
                sink(record);
            }
        }),
        None => {
            matches.take_while(|_| !limits.is_late()).for_each(|number| sink(&play_one(game, number, limits, None)))
        }
    }
}

/// The game compiled for this number of matches, if that pays.
fn playouts(game: &Game, matches: u64) -> Option<&Playouts> {
    match matches {
        MANY.. => game.rules.playouts_of_many(),
        _ if matches >= game.rules.worth_playouts() => game.rules.playouts(),
        _ => None,
    }
}

/// Plays match `number`: its record, and its joint moves.
pub fn play_match(game: &Game, number: u64, limits: &Limits) -> (MatchRecord, Vec<JointMove>) {
    let mut moves = Vec::new();
    let record = play_one(game, number, limits, Some(&mut moves));
    (record, moves)
}

fn play_one(game: &Game, number: u64, limits: &Limits, mut moves: Option<&mut Vec<JointMove>>) -> MatchRecord {
    let mut record = MatchRecord::new(number, game.roles.len());
    let mut stream = Stream::new(limits.seed, number);
    let quick = game.rules.random_match(limits, &mut stream, &mut record, moves.as_deref_mut());
    let state = quick.unwrap_or_else(|| step_through(game, limits, &mut stream, &mut record, moves));
    for role in game.role_ids() {
        record.goals[role.0 as usize] = game.rules.goals(&state, role);
    }
    record
}

/// Plays a random match with the calls that all rules have.
fn step_through(
    game: &Game,
    limits: &Limits,
    stream: &mut Stream,
    record: &mut MatchRecord,
    mut moves: Option<&mut Vec<JointMove>>,
) -> State {
    let mut state = game.rules.initial();
    loop {
        record.terminal = game.rules.terminal(&state);
        if record.terminal || record.rounds >= limits.max_rounds || limits.is_late() {
            return state;
        }
        let mut joint: JointMove = Vec::with_capacity(game.roles.len());
        for role in game.role_ids() {
            let mut legal = game.rules.legal(&state, role);
            if legal == [MoveId::NOOP] {
                joint.push(MoveId::NOOP);
                continue;
            }
            if game.rules.playouts().is_some() {
                legal.sort_unstable();
            }
            record.saw(role.0 as usize, legal.len() as u32);
            if legal.is_empty() {
                record.stuck = true;
                return state;
            }
            joint.push(legal[stream.below(legal.len() as u32) as usize]);
        }
        state = game.rules.next(&state, &joint);
        record.rounds += 1;
        if let Some(moves) = &mut moves {
            moves.push(joint);
        }
    }
}

/// Plays `matches` matches on all threads of the current rayon pool and sums them up.
///
/// `progress` receives the number of matches that have ended since the last call, and returns whether to continue.
pub fn play(game: &Game, matches: u64, limits: &Limits, progress: &(dyn Fn(u64) -> bool + Sync)) -> Summary {
    let chunk = chunk_size(game, matches);
    let chunks = matches.div_ceil(chunk);
    (0..chunks)
        .into_par_iter()
        .map(|index| {
            let range = index * chunk..((index + 1) * chunk).min(matches);
            let mut summary = Summary::new(game);
            if progress(0) {
                let count = range.end - range.start;
                run(game, range, limits, &mut |record| summary.add(record));
                progress(count);
            }
            summary
        })
        .reduce(|| Summary::new(game), Summary::merge)
}

/// Matches per task: enough to fill the lanes several times, but something for every thread.
fn chunk_size(game: &Game, matches: u64) -> u64 {
    if matches < game.rules.worth_playouts() || game.rules.playouts().is_none() {
        return 1;
    }
    let share = matches.div_ceil(rayon::current_num_threads() as u64 * 4);
    share.clamp(64, LANES as u64 * 16)
}
