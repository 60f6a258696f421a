//! Members of an information set, and the parts common to all methods that find them.

use percept_game::{Game, JointMove, State};

use crate::Stop;
use percept_game::view::{View, replay};

/// A history that passed [`replay`].
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// The joint moves of the history, one for each round of the view.
    pub moves: Vec<JointMove>,
    /// The state in which it ends.
    pub state: State,
    /// The natural logarithm of its probability if chance and every other role move uniformly; not normalised.
    pub ln_probability: f64,
    /// The natural logarithm of its weight: divide by the sum of weights to undo a sampler's preferences. Zero if the
    /// method draws every member equally often, or lists each once.
    pub(crate) ln_weight: f64,
}

impl Member {
    /// Returns the history as a member, if it is one.
    pub fn checked(game: &Game, view: &View, moves: Vec<JointMove>) -> Option<Member> {
        let (state, ln_probability) = replay(game, view, &moves).ok()?;
        Some(Member::simulated(moves, state, ln_probability))
    }

    /// Makes a member of a history simulated elsewhere: the final state and the logarithm of its probability are not
    /// checked. Its weight is 1.
    pub fn simulated(moves: Vec<JointMove>, state: State, ln_probability: f64) -> Member {
        Member { moves, state, ln_probability, ln_weight: 0.0 }
    }
}

/// A source of members. It is lazy: members are computed on request.
pub trait Members: Iterator<Item = Member> {
    /// Returns the reason why the iterator ended; `None` while it continues, or if every member was listed.
    fn stopped(&self) -> Option<Stop>;
    /// True if all members of the information set were listed.
    fn complete(&self) -> bool;
}

/// The sense in which a list of members represents the whole set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guarantee {
    /// Every member, listed once.
    All,
    /// Independent draws, each member equally likely.
    Uniform,
    /// Distinct members, each as likely as any other to be among them.
    Distinct,
    /// Independent draws, each member as likely as chance and uniform opponents make it.
    Probability,
    /// Independent draws that represent the set only with their weights. A sum over the draws, each term times
    /// [`Member::ln_weight`]'s weight, divided by the sum of the weights, estimates the mean over the members. In that
    /// mean the members are equally likely, or as likely as chance and uniform opponents make them.
    Weighted(Target),
    /// Some members, in the order in which the method found them; the distribution is unspecified.
    Found,
}

/// The distribution that weighted draws estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Each member is equally likely.
    Uniform,
    /// Each member is as likely as chance and uniform opponents make it.
    Probability,
}

impl Guarantee {
    /// True if each member of a list counts by its weight.
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

/// The worth of these members, as a number of independent draws without weights: (sum of the weights)^2 / sum of their
/// squares (Kish).
pub(crate) fn effective_size(members: &[Member]) -> f64 {
    let weights = members.iter().map(|member| member.ln_weight);
    let (sum, squares) = (ln_sum(weights.clone()), ln_sum(weights.map(|ln| 2.0 * ln)));
    if sum == f64::NEG_INFINITY { 0.0 } else { (2.0 * sum - squares).exp() }
}
