//! Coarse correlated equilibria: what regret minimization finds in every game, with any number of players and any
//! goals.
//!
//! If all players learn at the same time, the average of their *joint* play gives no player a reason to leave it before
//! it knows its part (Hart and Mas-Colell 2000). The average is over iterations: someone draws an iteration, and all
//! play their plans of that iteration. It is not the same as independent average plans. A player that leaves gains at
//! most its average regret, which falls to zero.

use crate::cfr::{Learner, Variant};
use crate::general::gains_into;
use crate::plan;
use crate::tree::Tree;

/// The average of joint play.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlated {
    /// The expected goal of each player.
    pub values: Vec<f64>,
    /// For each player, the most that it gains if it leaves before it knows its part.
    pub gains: Vec<f64>,
    /// The number of iterations; later ones count for more.
    pub iterations: u64,
}

impl Correlated {
    /// The greatest gain of a player that leaves.
    pub fn gap(&self) -> f64 {
        self.gains.iter().copied().fold(0.0, f64::max)
    }
}

/// The players of a game, who learn at the same time.
pub struct Joint<'a> {
    tree: &'a Tree,
    learners: Vec<Learner>,
    /// For each player the weighted sum of the gains of its sequences.
    gains: Vec<Vec<f64>>,
    /// For each player the weighted sum of its goals.
    values: Vec<f64>,
    total: f64,
    /// The number of iterations.
    pub iterations: u64,
}

impl<'a> Joint<'a> {
    /// All players of a tree.
    pub fn new(tree: &'a Tree) -> Joint<'a> {
        let players = &tree.players;
        Joint {
            tree,
            learners: players.iter().map(|plex| Learner::new(plex, Variant::Plus)).collect(),
            gains: players.iter().map(|plex| vec![0.0; plex.sequences()]).collect(),
            values: vec![0.0; players.len()],
            total: 0.0,
            iterations: 0,
        }
    }

    /// The plans of the players, as they will play the next iteration.
    pub fn plans(&self) -> Vec<&[f64]> {
        self.learners.iter().map(|learner| learner.plan.as_slice()).collect()
    }

    /// The weight of the next iteration.
    pub fn weight(&self) -> f64 {
        (self.iterations + 1) as f64
    }

    /// Plays one iteration, and lets all players learn from it.
    pub fn iterate(&mut self) {
        let weight = self.weight();
        self.iterations += 1;
        let mut all = Vec::new();
        for player in 0..self.learners.len() {
            let mut gains = std::mem::take(self.learners[player].gains_mut());
            let plans = self.plans();
            gains_into(self.tree, player, &plans, &mut gains);
            let value: f64 = gains.iter().zip(plans[player]).map(|(gain, plan)| gain * plan).sum();
            self.values[player] += weight * value;
            self.gains[player].iter_mut().zip(&gains).for_each(|(sum, gain)| *sum += weight * gain);
            all.push(gains);
        }
        self.total += weight;
        for (learner, gains) in self.learners.iter_mut().zip(all) {
            *learner.gains_mut() = gains;
            learner.learn(self.iterations as usize);
        }
    }

    /// The average of the iterations so far; at least one is needed.
    pub fn average(&self) -> Correlated {
        let scale = 1.0 / self.total;
        let values: Vec<f64> = self.values.iter().map(|value| value * scale).collect();
        let gain = |(player, value): (usize, &f64)| {
            let mut gains: Vec<f64> = self.gains[player].iter().map(|gain| gain * scale).collect();
            (plan::best_response(&self.tree.players[player], &mut gains) - value).max(0.0)
        };
        let gains = values.iter().enumerate().map(gain).collect();
        Correlated { gains, values, iterations: self.iterations }
    }
}
