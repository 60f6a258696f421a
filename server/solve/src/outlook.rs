//! The outlook on a game that is not solved yet: the goals in its rules, and those of random matches.

use std::time::{Duration, Instant};

use percept_game::play::{self, Interval, Limits, Summary};
use percept_game::{Budget, Game, RoleId, Scope};

use crate::zero_sum::line;

/// The number of matches that are played at once; then the budget is checked again.
const MATCHES: u64 = 64;
/// The number of matches after which more of them say nothing new.
const ENOUGH: u64 = 4_096;
/// The rounds after which a random match is given up.
const ROUNDS: u32 = 2_000;

/// The goals of one role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// The role, which is not chance.
    pub role: RoleId,
    /// The least and the greatest goal in the rules: no match ends with another one, so the role's value is between
    /// them.
    pub goals: Option<(i64, i64)>,
}

/// The goals that the rules have for each role but chance. A role has none if its goals are computed, and no role has
/// any if the game cannot be ground within the budget.
pub fn prospects(game: &Game, budget: &Budget) -> Vec<Prospect> {
    let ground = game.rules.ground(&Scope { until: Some(budget), ..Scope::default() }).ok();
    let goals = |role: RoleId| {
        let (ground, at) = (ground.as_ref()?, role.0 as usize);
        let is_computed = ground.goal_numbers.get(at).is_some_and(|numbers| !numbers.is_empty());
        let values = || ground.goals.get(at).into_iter().flatten().map(|&(value, _)| value);
        if is_computed { None } else { values().min().zip(values().max()) }
    };
    players(game).map(|role| Prospect { role, goals: goals(role) }).collect()
}

fn players(game: &Game) -> impl Iterator<Item = RoleId> + '_ {
    game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance)
}

/// The goals of random matches.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The number of matches that ended with one goal for each role.
    pub matches: u64,
    /// For each role but chance, in the order of the roles, the mean of its goals.
    pub means: Vec<Interval>,
    /// For two players, true if a gain of one was a loss of the other in all of these matches.
    pub opposed: bool,
}

/// Plays random matches until the budget or `time` is spent, or until there are enough. `None` if none of them ended
/// with one goal for each role.
pub fn sampled(game: &Game, seed: u64, time: Duration, budget: &Budget) -> Option<Sampled> {
    let roles: Vec<usize> = players(game).map(|role| role.0 as usize).collect();
    let deadline = Instant::now().checked_add(time).into_iter().chain(budget.deadline).min();
    let limits = Limits { seed, max_rounds: ROUNDS, deadline };
    let mut summary = Summary::new(game);
    let mut pairs = Vec::new();
    for first in (0..ENOUGH).step_by(MATCHES as usize) {
        if limits.is_late() || budget.is_spent() {
            break;
        }
        play::run(game, first..first + MATCHES, &limits, &mut |record| {
            if record.terminal && roles.iter().all(|&role| record.goals[role].len() == 1) {
                summary.add(record);
                if let [first, second] = roles[..] {
                    pairs.push((record.goals[first][0], record.goals[second][0]));
                }
            }
        });
    }
    let means: Option<Vec<Interval>> = roles.iter().map(|&role| summary.roles[role].mean()).collect();
    // A single pair of goals does not show that the roles are opponents.
    let opposed = pairs.iter().any(|pair| *pair != pairs[0]) && line(pairs).is_some();
    Some(Sampled { matches: summary.matches, means: means?, opposed })
}
