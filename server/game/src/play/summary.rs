//! The results of many matches.

use std::collections::BTreeMap;

use super::MatchRecord;
use crate::Game;

/// Sums over matches.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Summary {
    /// The number of matches.
    pub matches: u64,
    /// Joint moves made, over all matches.
    pub rounds: u64,
    /// The length of the shortest match in rounds.
    pub shortest: u32,
    /// The length of the longest match in rounds.
    pub longest: u32,
    /// Sum of the squares of the lengths.
    #[cfg_attr(feature = "json", serde(skip))]
    squares: u64,
    /// Matches stopped at the length limit.
    pub unfinished: u64,
    /// Matches stopped because a role had no legal move in a state that is not terminal.
    pub stuck: u64,
    /// The least number of a match that got stuck, and of one that was unfinished.
    pub first_stuck: Option<u64>,
    /// The first unfinished match; see `first_stuck`.
    pub first_unfinished: Option<u64>,
    /// The results of the roles, in the order of the roles.
    pub roles: Vec<RoleSummary>,
}

/// The results of matches for one role.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct RoleSummary {
    /// The name of the role.
    pub role: String,
    /// The number of finished matches with each goal value.
    pub results: BTreeMap<i64, u64>,
    /// Finished matches with no goal value, or with more than one.
    pub without_result: u64,
    /// The number of matches with several goal values.
    pub several_results: u64,
    /// The least number of a match that finished without exactly one goal value.
    pub first_wrong: Option<u64>,
    /// The greatest result, and the least number of a match with it.
    pub best: Option<(i64, u64)>,
    /// Legal moves, summed over all rounds, and the greatest number.
    pub legal_moves: u64,
    /// The most legal moves in one round.
    pub most_legal_moves: u32,
}

/// A mean with the half width of its 95 % confidence interval (normal approximation).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Interval {
    /// The centre of the interval.
    pub mean: f64,
    /// Half of the interval's width.
    pub half_width: f64,
}

/// The lengths of matches in rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Lengths {
    /// The shortest length of all matches.
    pub shortest: u32,
    /// The longest length of all matches.
    pub longest: u32,
    /// The mean length with its interval.
    pub mean: Interval,
}

fn interval(count: u64, sum: f64, squares: f64) -> Option<Interval> {
    if count == 0 {
        return None;
    }
    let n = count as f64;
    let mean = sum / n;
    let variance = if count > 1 { ((squares - n * mean * mean) / (n - 1.0)).max(0.0) } else { 0.0 };
    Some(Interval { mean, half_width: 1.96 * (variance / n).sqrt() })
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

/// The greater value; if both are equal, that of the earlier match.
fn better(one: Option<(i64, u64)>, other: Option<(i64, u64)>) -> Option<(i64, u64)> {
    one.into_iter().chain(other).max_by_key(|&(value, number)| (value, std::cmp::Reverse(number)))
}

impl Summary {
    /// A summary of no matches.
    pub fn new(game: &Game) -> Summary {
        let roles = game.roles.iter().map(|role| RoleSummary { role: role.name.clone(), ..Default::default() });
        Summary { shortest: u32::MAX, roles: roles.collect(), ..Summary::default() }
    }

    /// Counts one match.
    pub fn add(&mut self, record: &MatchRecord) {
        self.matches += 1;
        self.rounds += u64::from(record.rounds);
        self.squares += u64::from(record.rounds).pow(2);
        self.shortest = self.shortest.min(record.rounds);
        self.longest = self.longest.max(record.rounds);
        if record.stuck {
            self.stuck += 1;
            self.first_stuck = least(self.first_stuck, Some(record.number));
        } else if !record.terminal {
            self.unfinished += 1;
            self.first_unfinished = least(self.first_unfinished, Some(record.number));
        }
        for ((role, goals), &(sum, most)) in self.roles.iter_mut().zip(&record.goals).zip(&record.branching) {
            role.legal_moves += sum;
            role.most_legal_moves = role.most_legal_moves.max(most);
            match goals[..] {
                _ if !record.terminal => {}
                [] => role.without_result += 1,
                [value] => {
                    *role.results.entry(value).or_default() += 1;
                    role.best = better(role.best, Some((value, record.number)));
                }
                _ => role.several_results += 1,
            }
            if record.terminal && goals.len() != 1 {
                role.first_wrong = least(role.first_wrong, Some(record.number));
            }
        }
    }

    /// The summary of both together.
    pub fn merge(mut self, other: Summary) -> Summary {
        self.matches += other.matches;
        self.rounds += other.rounds;
        self.squares += other.squares;
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        self.unfinished += other.unfinished;
        self.stuck += other.stuck;
        self.first_stuck = least(self.first_stuck, other.first_stuck);
        self.first_unfinished = least(self.first_unfinished, other.first_unfinished);
        for (role, other) in self.roles.iter_mut().zip(other.roles) {
            other.results.into_iter().for_each(|(value, count)| *role.results.entry(value).or_default() += count);
            role.without_result += other.without_result;
            role.several_results += other.several_results;
            role.first_wrong = least(role.first_wrong, other.first_wrong);
            role.best = better(role.best, other.best);
            role.legal_moves += other.legal_moves;
            role.most_legal_moves = role.most_legal_moves.max(other.most_legal_moves);
        }
        self
    }

    /// The lengths of the matches; `None` without matches.
    pub fn lengths(&self) -> Option<Lengths> {
        let mean = interval(self.matches, self.rounds as f64, self.squares as f64)?;
        Some(Lengths { shortest: self.shortest, longest: self.longest, mean })
    }

    /// The mean number of legal moves of a role, over all rounds it could move in.
    pub fn branching(&self, role: usize) -> f64 {
        self.roles[role].legal_moves as f64 / (self.rounds.max(1)) as f64
    }
}

impl RoleSummary {
    /// The mean result; `None` if no match gave one.
    pub fn mean(&self) -> Option<Interval> {
        let count = self.results.values().sum();
        let sum = self.results.iter().map(|(&value, &count)| value as f64 * count as f64).sum();
        let squares = self.results.iter().map(|(&value, &count)| (value as f64).powi(2) * count as f64).sum();
        interval(count, sum, squares)
    }
}
