//! Members of an information set, and what is common to all methods that find them.

use percept_game::{Game, JointMove, State};

use crate::{
    control::Stop,
    view::{View, replay},
};

/// A history that passed [`replay`].
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    pub moves: Vec<JointMove>,
    /// The state it ends in.
    pub state: State,
    /// Natural logarithm of its probability when chance and every other role move uniformly; not normalised.
    pub ln_probability: f64,
    /// Natural logarithm of its weight: divide by the sum of weights to undo a sampler's preferences. Zero where the
    /// method draws every member equally often, or lists each once.
    pub ln_weight: f64,
}

impl Member {
    /// The history as a member, if it is one.
    pub fn checked(game: &Game, view: &View, moves: Vec<JointMove>) -> Option<Member> {
        let (state, ln_probability) = replay(game, view, &moves).ok()?;
        Some(Member { moves, state, ln_probability, ln_weight: 0.0 })
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
    /// Independent draws with known weights.
    Weighted,
    /// Some members; nothing is known of how they were chosen.
    NotUniform,
}
