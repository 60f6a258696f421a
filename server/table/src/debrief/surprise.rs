//! The surprise of a role at each round, in bits.
//!
//! The surprise at round `t` is -log2 of the probability that the role gave, before the round, to what it then saw: its
//! percepts, and that the match went on. Its belief is that of `percept infoset --beliefs`: all histories that fit its
//! view, weighted by chance and by other roles that move uniformly at random. Its own move is given. So 0 bits is
//! something that it knew before, and 1 bit is the fall of a coin.

use percept_game::view::{JointMoves, Round};
use percept_game::{Game, JointMove, State};
use percept_infoset::exact::{Filter, Layer};
use percept_infoset::{Budget, View};
use percept_report::belief::{Effort, Worlds};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

/// The most memory for the states that a role considers possible, in bytes.
const MEMORY: usize = 96 << 20;
/// The members that are drawn if there are too many states, and the joint moves tried for each of them.
const MEMBERS: usize = 300;
const TRIES: usize = 32;

/// The surprise at one round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Surprise {
    /// The bits.
    pub bits: f64,
    /// True if the probability was counted exactly; else it comes from draws.
    pub exact: bool,
    /// True if no draw saw the same: the surprise is at least this great.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}

/// The surprise at each round of a view, and the states that the role considered possible after each number of rounds,
/// as far as they were counted exactly.
pub(super) fn surprises(game: &Game, view: &View, budget: &Budget) -> (Vec<Option<Surprise>>, Vec<Layer>) {
    let mut filter = Filter::new(game, MEMORY);
    let mut all = Vec::new();
    let exact_part = budget.share(2);
    while filter.rounds() < view.len() && filter.advance(view, &exact_part, None).is_ok() {
        let layer = &filter.layers[filter.rounds() - 1];
        let total: f64 = layer.mass.iter().sum();
        let seen: f64 = layer.edges.iter().map(|it| layer.mass[it.from as usize] * it.probability).sum();
        all.push(bits(seen / total).map(|bits| Surprise { bits, exact: true, at_least: false }));
    }
    for round in all.len()..view.len() {
        all.push(estimate(game, view, round, &budget.share(view.len() - round)));
    }
    (all, filter.layers)
}

/// The bits of a probability; `None` if it is none.
fn bits(probability: f64) -> Option<f64> {
    // Rounding may lead a little beyond 1, and no surprise is less than none.
    (probability > 0.0).then(|| (-probability.log2()).max(0.0))
}

/// An estimate from members that are drawn, for the round after `rounds`.
fn estimate(game: &Game, view: &View, rounds: usize, budget: &Budget) -> Option<Surprise> {
    let before = View { role: view.role, rounds: view.rounds[..rounds].to_vec() };
    let effort = Effort { proofs: false, exact_share: 0.0, ..Effort::soon(MEMBERS) };
    let worlds = Worlds::of(game, &before, &effort, budget).ok()?;
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(rounds as u64);
    let (mut seen, mut count) = (0.0, 0usize);
    for (state, weight) in worlds.members() {
        if budget.is_spent() {
            return None;
        }
        let (share, tried) = share(game, state, view, rounds, &mut dice);
        seen += weight * share;
        count += tried;
    }
    match bits(seen) {
        Some(bits) => Some(Surprise { bits, exact: false, at_least: false }),
        None => Some(Surprise { bits: (count.max(1) as f64).log2(), exact: false, at_least: true }),
    }
}

/// The share of the joint moves in a state after which the role sees what it saw, and the number that was tried.
fn share(game: &Game, state: &State, view: &View, rounds: usize, dice: &mut impl Rng) -> (f64, usize) {
    let seen: &Round = &view.rounds[rounds];
    let mut at = game.at(state);
    if at.is_terminal() {
        return (0.0, 1);
    }
    let joints = JointMoves::at(game, &mut *at, view.role, seen.own);
    let size = joints.size();
    if size <= TRIES as f64 {
        let all: Vec<_> = joints.collect();
        let fits = all.iter().filter(|joint| at.percepts(joint, view.role) == seen.percepts).count();
        return (fits as f64 / all.len().max(1) as f64, all.len());
    }
    let legal: Vec<_> = game
        .role_ids()
        .map(|role| match seen.own.filter(|_| role == view.role) {
            Some(own) => vec![own],
            None => at.legal(role),
        })
        .collect();
    let mut draw = || legal.iter().map(|moves| moves[dice.random_range(0..moves.len())]).collect::<JointMove>();
    let fits = (0..TRIES).filter(|_| at.percepts(&draw(), view.role) == seen.percepts).count();
    (fits as f64 / TRIES as f64, TRIES)
}
