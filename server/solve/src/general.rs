//! Any number of players with any goals: regret minimization of all players against each other, and the gain of each
//! from leaving the strategies.

use crate::cfr::{Learner, Variant};
use crate::plan;
use crate::tree::Tree;

/// The gains of one player's sequences at the leaves against the other players' plans.
pub(crate) fn gains_into(tree: &Tree, player: usize, plans: &[&[f64]], gains: &mut [f64]) {
    gains.fill(0.0);
    for leaf in 0..tree.leaves.len() {
        let sequences = tree.sequences(leaf);
        let mut reach = tree.weight(leaf);
        for (other, plan) in plans.iter().enumerate() {
            if other != player {
                reach *= plan[sequences[other] as usize];
            }
        }
        if reach != 0.0 {
            let goal = tree.outcomes[tree.leaves[leaf].outcome as usize][player];
            gains[sequences[player] as usize] += reach * goal as f64;
        }
    }
}

/// A strategy for each player, and the values of all strategies together.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The plan of each player.
    pub plans: Vec<Vec<f64>>,
    /// The expected goal of each player when all follow the plans.
    pub values: Vec<f64>,
    /// For each player, the additional gain of its best response.
    pub deviations: Vec<f64>,
    /// For each player, the worth of each sequence against the others' plans, with best play from there on.
    pub worth: Vec<Vec<f64>>,
}

impl Profile {
    /// Evaluates plans.
    pub fn new(tree: &Tree, plans: Vec<Vec<f64>>) -> Profile {
        let refs: Vec<&[f64]> = plans.iter().map(Vec::as_slice).collect();
        let (mut values, mut deviations, mut worth) = (Vec::new(), Vec::new(), Vec::new());
        for (player, plex) in tree.players.iter().enumerate() {
            let mut gains = vec![0.0; plex.sequences()];
            gains_into(tree, player, &refs, &mut gains);
            let value: f64 = gains.iter().zip(refs[player]).map(|(gain, plan)| gain * plan).sum();
            let best = plan::best_response(plex, &mut gains);
            values.push(value);
            deviations.push((best - value).max(0.0));
            worth.push(gains);
        }
        Profile { plans, values, deviations, worth }
    }

    /// The greatest additional gain of any player.
    pub fn greatest(&self) -> f64 {
        self.deviations.iter().copied().fold(0.0, f64::max)
    }
}

/// The players of a game, who learn against each other.
pub struct Crowd<'a> {
    tree: &'a Tree,
    learners: Vec<Learner>,
    /// The number of iterations.
    pub iterations: usize,
}

impl<'a> Crowd<'a> {
    /// All players of a tree.
    pub fn new(tree: &'a Tree, variant: Variant) -> Crowd<'a> {
        let learners = tree.players.iter().map(|plex| Learner::new(plex, variant)).collect();
        Crowd { tree, learners, iterations: 0 }
    }

    /// Runs one iteration: each player learns once, in turn.
    pub fn iterate(&mut self) {
        self.iterations += 1;
        for player in 0..self.learners.len() {
            let mut gains = std::mem::take(self.learners[player].gains_mut());
            let plans: Vec<&[f64]> = self.learners.iter().map(|learner| learner.plan.as_slice()).collect();
            gains_into(self.tree, player, &plans, &mut gains);
            *self.learners[player].gains_mut() = gains;
            self.learners[player].learn(self.iterations);
        }
    }

    /// The average plans, evaluated.
    pub fn profile(&self) -> Profile {
        Profile::new(self.tree, self.learners.iter().map(Learner::average).collect())
    }
}
