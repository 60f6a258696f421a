//! Members of an information set, and what is common to all methods that find them.

use percept_game::{Game, JointMove, State};

use crate::Stop;
use percept_game::view::{View, replay};

/// A history that passed [`replay`].
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// A joint move for each round of the view.
    pub moves: Vec<JointMove>,
    /// The state it ends in.
    pub state: State,
    /// Natural logarithm of its probability when chance and every other role move uniformly; not normalised.
    pub ln_probability: f64,
    /// Natural logarithm of its weight: divide by the sum of weights to undo a sampler's preferences. Zero where the
    /// method draws every member equally often, or lists each once.
    pub(crate) ln_weight: f64,
}

impl Member {
    /// The history as a member, if it is one.
    pub fn checked(game: &Game, view: &View, moves: Vec<JointMove>) -> Option<Member> {
        let (state, ln_probability) = replay(game, view, &moves).ok()?;
        Some(Member::simulated(moves, state, ln_probability))
    }

    /// A member that was simulated elsewhere: the state it ends in and the logarithm of its probability are taken as
    /// they are. Its weight is 1.
    pub fn simulated(moves: Vec<JointMove>, state: State, ln_probability: f64) -> Member {
        Member { moves, state, ln_probability, ln_weight: 0.0 }
    }
}

/// A source of members, lazy: nothing is computed before it is asked for.
pub trait Members: Iterator<Item = Member> {
    /// Why the iterator ended: `None` as long as it goes on, or when every member was listed.
    fn stopped(&self) -> Option<Stop>;
    /// Whether all members of the information set were listed.
    fn complete(&self) -> bool;
}

/// In what sense a list of members stands for the whole set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guarantee {
    /// Every member, once.
    All,
    /// Independent draws, each member equally likely.
    Uniform,
    /// Different members, each as likely as any other to be among them.
    Distinct,
    /// Independent draws, each member as likely as chance and uniform opponents make it.
    Probability,
    /// Independent draws that stand for the set only with their weights: a sum over them, each term times
    /// [`Member::ln_weight`]'s weight, divided by the sum of the weights, estimates the mean over the members when they
    /// are equally likely, or as likely as chance and uniform opponents make them.
    Weighted(Target),
    /// Some members, in the order in which the method came upon them; no distribution is promised.
    Found,
}

/// What weighted draws stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Each member equally likely.
    Uniform,
    /// Each member as likely as chance and uniform opponents make it.
    Probability,
}

impl Guarantee {
    /// Whether each member of a list is to be counted by its weight.
    pub const fn is_weighted(self) -> bool {
        matches!(self, Guarantee::Weighted(_))
    }
}

/// The logarithm of a sum, from the logarithms of its terms.
pub(crate) fn ln_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let greatest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return greatest;
    }
    greatest + terms.map(|term| (term - greatest).exp()).sum::<f64>().ln()
}

/// How many independent draws without weights these are worth: (sum of the weights)^2 / sum of their squares (Kish).
pub(crate) fn effective_size(members: &[Member]) -> f64 {
    let weights = members.iter().map(|member| member.ln_weight);
    let (sum, squares) = (ln_sum(weights.clone()), ln_sum(weights.map(|ln| 2.0 * ln)));
    if sum == f64::NEG_INFINITY { 0.0 } else { (2.0 * sum - squares).exp() }
}
