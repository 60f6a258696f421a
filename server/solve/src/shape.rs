//! The decisions of one player as numbers: what the methods on plans need of a game.
//!
//! A *variable* is the probability that the player makes the moves to some point. The variables of the moves at an
//! information set add up to the variable that leads there. In a tree, that is the variable of an earlier move. If
//! several information sets with the same future are taken as one, it is the sum of several variables; such a *sum* is
//! a variable, too.

use crate::tree::Treeplex;

/// A plan that reaches an information set with less probability does not reach it.
const UNREACHED: f64 = 1e-150;

/// A part of the decisions: information sets, and then sums over the variables so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stage {
    /// The end of its information sets.
    pub infosets: usize,
    /// The end of its sums.
    pub sums: usize,
}

/// The decisions of one player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// For each information set its first variable, and at the end the number of variables of moves. Variable 0 is
    /// the beginning.
    pub firsts: Vec<u32>,
    /// For each information set the variable that leads to it.
    pub parents: Vec<u32>,
    /// For each sum its first item, and the number of items at the end. The variables of sums come after all others.
    pub sums: Vec<u32>,
    /// The variables that are added up.
    pub items: Vec<u32>,
    /// The parts, in the order of play.
    pub stages: Vec<Stage>,
}

impl From<&Treeplex> for Shape {
    fn from(plex: &Treeplex) -> Shape {
        let mut firsts: Vec<u32> = plex.infosets.iter().map(|infoset| infoset.first).collect();
        firsts.push(plex.sequences() as u32);
        Shape {
            firsts,
            parents: plex.infosets.iter().map(|infoset| infoset.parent).collect(),
            sums: vec![0],
            items: Vec::new(),
            stages: vec![Stage { infosets: plex.infosets.len(), sums: 0 }],
        }
    }
}

impl Shape {
    /// The number of variables of moves.
    pub(crate) fn sequences(&self) -> usize {
        self.firsts[self.parents.len()] as usize
    }

    /// The number of all variables.
    pub(crate) fn variables(&self) -> usize {
        self.sequences() + self.sums.len() - 1
    }

    /// The number of information sets.
    pub(crate) fn infosets(&self) -> usize {
        self.parents.len()
    }

    /// The variables of the moves at an information set.
    pub(crate) fn moves(&self, infoset: usize) -> std::ops::Range<usize> {
        self.firsts[infoset] as usize..self.firsts[infoset + 1] as usize
    }

    /// The information sets and the sums of each part, in the order of play.
    pub(crate) fn stages(
        &self,
    ) -> impl DoubleEndedIterator<Item = (std::ops::Range<usize>, std::ops::Range<usize>)> + '_ {
        (0..self.stages.len()).map(|at| {
            let before = if at == 0 { Stage { infosets: 0, sums: 0 } } else { self.stages[at - 1] };
            let here = self.stages[at];
            (before.infosets..here.infosets, before.sums..here.sums)
        })
    }

    /// Fills in these sums of a plan.
    pub(crate) fn add_up(&self, sums: std::ops::Range<usize>, plan: &mut [f64]) {
        let sequences = self.sequences();
        for sum in sums {
            let items = &self.items[self.sums[sum] as usize..self.sums[sum + 1] as usize];
            plan[sequences + sum] = items.iter().map(|&item| plan[item as usize]).sum();
        }
    }

    /// Passes the gains of these sums on to their items.
    pub(crate) fn pass_on(&self, sums: std::ops::Range<usize>, gains: &mut [f64]) {
        let sequences = self.sequences();
        for sum in sums.rev() {
            let gain = gains[sequences + sum];
            if gain != 0.0 {
                for &item in &self.items[self.sums[sum] as usize..self.sums[sum + 1] as usize] {
                    gains[item as usize] += gain;
                }
            }
        }
    }

    /// The plan that plays each move with the same probability.
    pub(crate) fn uniform(&self) -> Vec<f64> {
        let mut plan = vec![1.0; self.variables()];
        for (infosets, sums) in self.stages() {
            for infoset in infosets {
                let moves = self.moves(infoset);
                let share = plan[self.parents[infoset] as usize] / moves.len() as f64;
                plan[moves].fill(share);
            }
            self.add_up(sums, &mut plan);
        }
        plan
    }

    /// The probabilities of the moves at each information set, by variable. Where the plan does not go, they are equal.
    pub(crate) fn behaviour(&self, plan: &[f64]) -> Vec<f64> {
        let mut behaviour = vec![1.0; self.sequences()];
        for infoset in 0..self.infosets() {
            let moves = self.moves(infoset);
            let reached: f64 = plan[moves.clone()].iter().sum();
            let share = 1.0 / moves.len() as f64;
            for variable in moves {
                behaviour[variable] = if reached > UNREACHED { plan[variable] / reached } else { share };
            }
        }
        behaviour
    }

    /// The value of the best plan. `gains` has the worth of the ends of matches for each variable, and is changed into
    /// the worth of each with what follows.
    pub(crate) fn best_response(&self, gains: &mut [f64]) -> f64 {
        for (infosets, sums) in self.stages().rev() {
            self.pass_on(sums, gains);
            for infoset in infosets.rev() {
                let best = gains[self.moves(infoset)].iter().copied().fold(f64::NEG_INFINITY, f64::max);
                gains[self.parents[infoset] as usize] += best;
            }
        }
        gains[0]
    }
}
