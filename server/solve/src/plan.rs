//! Plans over sequences, and the best responses to them.
//!
//! A *realization plan* gives each sequence the probability that the player makes all of its moves, provided that the
//! others' moves lead there (von Stengel 1996). The plan of a mixed strategy is linear in its components, so averages
//! of plans are plans.

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::tree::{Tree, Treeplex};
use crate::zero_sum::GoalOf;

/// The plan that plays each move with the same probability.
pub fn uniform(plex: &Treeplex) -> Vec<f64> {
    let mut plan = vec![1.0; plex.sequences()];
    for infoset in &plex.infosets {
        let share = plan[infoset.parent as usize] / f64::from(infoset.moves);
        plan[infoset.sequences()].fill(share);
    }
    plan
}

/// The best response to fixed gains: `gains[s]` is the worth of the leaves of sequence `s`, including the others' part.
/// Returns the value of the best plan and changes `gains` into the worth of each sequence with its continuation.
pub fn best_response(plex: &Treeplex, gains: &mut [f64]) -> f64 {
    for infoset in plex.infosets.iter().rev() {
        let best = gains[infoset.sequences()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        gains[infoset.parent as usize] += best;
    }
    gains[0]
}

/// Like [`best_response`], in exact numbers.
pub fn best_response_exact(plex: &Treeplex, gains: &mut [BigRational]) -> BigRational {
    for infoset in plex.infosets.iter().rev() {
        let best = gains[infoset.sequences()].iter().max().cloned().unwrap_or_else(BigRational::zero);
        gains[infoset.parent as usize] += best;
    }
    gains[0].clone()
}

/// The greatest goal of a player if no other role has a choice; [`crate::exact::optimum`] is the same in exact numbers.
pub fn optimum(tree: &Tree, player: usize, goal: &GoalOf<'_>) -> f64 {
    let mut gains = vec![0.0; tree.players[player].sequences()];
    for (leaf, end) in tree.leaves.iter().enumerate() {
        let goal = goal(&tree.outcomes[end.outcome as usize]) as f64;
        gains[tree.sequences(leaf)[player] as usize] += goal * tree.weight(leaf);
    }
    best_response(&tree.players[player], &mut gains)
}

/// The probabilities of the moves at each information set, by sequence, for a plan. At an information set that the plan
/// never reaches, the move with the highest of `gains` is played (`gains` as [`best_response`] leaves them).
pub fn behaviour(plex: &Treeplex, plan: &[f64], gains: &[f64]) -> Vec<f64> {
    let mut behaviour = vec![0.0; plan.len()];
    behaviour[0] = 1.0;
    for infoset in &plex.infosets {
        let range = infoset.sequences();
        let reached: f64 = plan[range.clone()].iter().sum();
        if reached > 1e-12 {
            for sequence in range {
                behaviour[sequence] = plan[sequence] / reached;
            }
        } else {
            let best = range.max_by(|&one, &other| gains[one].total_cmp(&gains[other]).then(other.cmp(&one)));
            behaviour[best.expect("an information set has moves")] = 1.0;
        }
    }
    behaviour
}

/// The plan for a behaviour.
pub fn plan(plex: &Treeplex, behaviour: &[f64]) -> Vec<f64> {
    let mut plan = vec![1.0; plex.sequences()];
    for infoset in &plex.infosets {
        for sequence in infoset.sequences() {
            plan[sequence] = plan[infoset.parent as usize] * behaviour[sequence];
        }
    }
    plan
}

/// Like [`plan()`], in exact numbers.
pub fn plan_exact(plex: &Treeplex, behaviour: &[BigRational]) -> Vec<BigRational> {
    let mut plan = vec![BigRational::one(); plex.sequences()];
    for infoset in &plex.infosets {
        for sequence in infoset.sequences() {
            plan[sequence] = &plan[infoset.parent as usize] * &behaviour[sequence];
        }
    }
    plan
}
