//! Round-robin tournaments: the schedule, the results, and their evaluation.
//!
//! A tournament is a list of [`Pairing`]s with `n` matches each. Every match has a number and a seed of its own, so the
//! same matches are played in any order and after any interruption. The roles are exchanged from match to match, with
//! the same dice for both assignments.

mod rating;
mod record;

use std::collections::BTreeMap;

use serde::Serialize;

pub use rating::{Rating, ratings};
pub use record::{Played, Store, StoreError, Terms};

use crate::manager::{Arena, MatchOptions, Outcome};
use crate::strategies::Strategy;

/// Two strategies on one game; only one strategy if the game has one role.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pairing {
    /// The game, by its index in the list of games.
    pub game: usize,
    /// The player to which the score belongs, by its index in the list of players.
    pub first: usize,
    /// The index of the other player; `None` if the game has one role.
    pub second: Option<usize>,
}

/// Returns all pairings; on games for one role, each player alone.
pub fn pairings(arenas: &[Arena], players: usize) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for (game, arena) in arenas.iter().enumerate() {
        if seats(arena) < 2 {
            pairings.extend((0..players).map(|first| Pairing { game, first, second: None }));
            continue;
        }
        for first in 0..players {
            pairings.extend((first + 1..players).map(|second| Pairing { game, first, second: Some(second) }));
        }
    }
    pairings
}

/// The number of roles that are not chance.
fn seats(arena: &Arena) -> usize {
    arena.game().roles.iter().filter(|role| !role.is_chance).count()
}

/// The seats of match `number`, by role: true for the first of the pair, false for the second, `None` for chance. With
/// more than two roles, every second role is the first's, and the other ones are in the next match.
pub fn seating(arena: &Arena, pairing: &Pairing, number: u64) -> Vec<Option<bool>> {
    let mut seat = 0;
    let of_role = |role: &percept_game::Role| {
        (!role.is_chance).then(|| {
            seat += 1;
            pairing.second.is_none() || (seat - 1 + number).is_multiple_of(2)
        })
    };
    arena.game().roles.iter().map(of_role).collect()
}

/// The seed of a match: the same for both assignments of the roles.
pub fn seed(base: u64, pairing: &Pairing, number: u64) -> u64 {
    let numbers =
        [pairing.game as u64, pairing.first as u64, pairing.second.map_or(u64::MAX, |it| it as u64), number / 2];
    numbers.into_iter().fold(base, |seed, number| {
        let mixed = (seed ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 29)
    })
}

/// Plays one match of a pairing.
pub fn play(arena: &Arena, pairing: &Pairing, players: &[Strategy], number: u64, options: &MatchOptions) -> Outcome {
    let seating = seating(arena, pairing, number);
    let strategy = |first: &Option<bool>| match (first, pairing.second) {
        (Some(false), Some(second)) => players[second].clone(),
        (Some(_), _) => players[pairing.first].clone(),
        (None, _) => Strategy::Random,
    };
    arena.play(&seating.iter().map(strategy).collect::<Vec<_>>(), options)
}

/// The score of a match for the first of a pair: 1 if it has more than the other, 0.5 if it has as much, 0 if it has
/// less. A single player scores 1 only for the full 100. `None` if the match gives no goals.
pub fn score(seating: &[Option<bool>], outcome: &Outcome) -> Option<f64> {
    let mut sums = [(0.0, 0.0); 2];
    for (first, goal) in seating.iter().zip(&outcome.goals) {
        if let Some(first) = first {
            let (sum, count) = &mut sums[usize::from(!first)];
            *sum += (*goal)? as f64;
            *count += 1.0;
        }
    }
    let [(own, count), (other, others)] = sums;
    let own: f64 = own / count;
    if others == 0.0 {
        return Some(if own >= 100.0 { 1.0 } else { 0.0 });
    }
    let other = other / others;
    Some(if own > other {
        1.0
    } else if own < other {
        0.0
    } else {
        0.5
    })
}

/// The summary of a pairing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The name of the game.
    pub game: String,
    /// The strategy to which the score belongs.
    pub first: String,
    /// The other strategy; `None` if the game has one role.
    pub second: Option<String>,
    /// The number of matches played.
    pub matches: usize,
    /// The mean of the first one's scores.
    pub score: f64,
    /// The lower end of the score's Wilson interval at 95 %.
    pub low: f64,
    /// The upper end of the score's Wilson interval at 95 %.
    pub high: f64,
    /// The mean goals of the first and of the second.
    pub goals: (f64, Option<f64>),
    /// The numbers of answers that were late, illegal or missing: of the first and of the second.
    pub faults: (usize, usize),
}

/// Sums up records by game and pair, in the order of the first record of each.
pub fn cells(records: &[Played]) -> Vec<Cell> {
    let mut order: Vec<(String, String, Option<String>)> = Vec::new();
    let mut by_pair: BTreeMap<(String, String, Option<String>), Vec<&Played>> = BTreeMap::new();
    for record in records {
        let key = (record.game.clone(), record.first.clone(), record.second.clone());
        let records = by_pair.entry(key.clone()).or_default();
        if records.is_empty() {
            order.push(key);
        }
        records.push(record);
    }
    order.into_iter().map(|key| cell(&by_pair[&key])).collect()
}

fn cell(records: &[&Played]) -> Cell {
    let count = records.len() as f64;
    let score = records.iter().map(|record| record.score).sum::<f64>() / count;
    let (low, high) = wilson(score, count);
    let mean = |of: &dyn Fn(&Played) -> f64| records.iter().map(|record| of(record)).sum::<f64>() / count;
    let second = records[0].second.clone();
    Cell {
        game: records[0].game.clone(),
        first: records[0].first.clone(),
        goals: (mean(&|it| it.goal), second.is_some().then(|| mean(&|it| it.other_goal.unwrap_or(0.0)))),
        second,
        matches: records.len(),
        score,
        low,
        high,
        faults: records.iter().fold((0, 0), |sum, it| (sum.0 + it.faults, sum.1 + it.other_faults)),
    }
}

/// The interval of Wilson (1927) at 95 % for a share of `count` matches. Drawn matches count as half won and half lost.
pub fn wilson(share: f64, count: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if count == 0.0 {
        return (0.0, 1.0);
    }
    let square = Z * Z / count;
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (share * (1.0 - share) / count + square / (4.0 * count)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals_are_those_of_the_books() {
        // Newcombe 1998, Table I, method 3: 81/263 and 0/20.
        let (low, high) = wilson(81.0 / 263.0, 263.0);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(0.0, 20.0);
        assert!(low.abs() < 1e-12 && (high - 0.1611).abs() < 1e-4, "{low} {high}");
    }
}
