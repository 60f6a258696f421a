//! How much an evaluation may cost, and what is said where it costs more.

use super::program::RelationId;
use crate::Budget;

/// How much one evaluation may cost.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Tuples tried.
    pub fuel: u64,
    /// Tuples of one relation.
    pub rows: usize,
    /// Different ground terms.
    pub terms: usize,
    /// Moves, and fluents, of a game that is ground.
    pub leaves: usize,
    /// Nesting of terms.
    pub depth: u32,
    /// When to give up.
    pub budget: Budget,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            fuel: 400_000_000,
            rows: 4_000_000,
            terms: 2_000_000,
            leaves: Limits::LEAVES,
            depth: 400,
            budget: Budget::default(),
        }
    }
}

impl Limits {
    /// With more moves the circuit would be larger than any limit, which takes half a minute to find out: every move is a
    /// leaf, has a gate, and is an operand of what it changes. The most that any published game needs is half of this.
    const LEAVES: usize = 500_000;

    /// Tuples of one relation of a game that is ground. With more of them the circuit would be too large, which takes two
    /// seconds to find out; no published game has a circuit with more.
    pub(super) const GROUND: usize = 1_000_000;

    /// For what is the same in every state. Authors enumerate boards and numbers; what is larger is a mistake, and to
    /// be told within a second or two.
    pub(super) const STATIC: Limits = Limits {
        fuel: 60_000_000,
        rows: 1_000_000,
        terms: 500_000,
        leaves: Limits::LEAVES,
        depth: 100,
        budget: Budget::NONE,
    };
}

/// The evaluation of rule `rule` exceeded a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exceeded {
    pub rule: usize,
    /// The relation that the rule is about.
    pub relation: RelationId,
    pub excess: Excess,
}

/// What there was too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Excess {
    /// Combinations tried.
    Work,
    /// Facts, or terms they are about.
    Facts,
    /// Terms inside terms.
    Depth,
    /// Time: the budget is spent.
    Time,
}
