//! Limits on the cost of an evaluation, and the errors when it exceeds them.

use super::program::RelationId;
use crate::Budget;

/// The limits of one evaluation.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// The number of tuples tried.
    pub fuel: u64,
    /// The most tuples of one relation.
    pub rows: usize,
    /// The number of different ground terms.
    pub terms: usize,
    /// The number of moves, and of fluents, of a ground game.
    pub leaves: usize,
    /// The nesting of terms.
    pub depth: u32,
    /// The budget after which the evaluation gives up.
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
    /// The most moves of a ground game. With more moves the circuit would exceed every limit, and this would take half
    /// a minute to discover: every move is a leaf, has a gate, and is an operand of the gates it affects. The largest
    /// published game needs half of this.
    const LEAVES: usize = 500_000;

    /// The most tuples of one relation of a ground game. With more tuples the circuit would be too large, and this
    /// would take two seconds to discover. Every published game with a circuit has fewer.
    pub(super) const GROUND: usize = 1_000_000;

    /// Limits for relations that are the same in every state. Authors enumerate boards and numbers; anything larger is
    /// a mistake, to be reported within a second or two.
    pub(super) const STATIC: Limits = Limits {
        fuel: 60_000_000,
        rows: 1_000_000,
        terms: 500_000,
        leaves: Limits::LEAVES,
        depth: 100,
        budget: Budget::NONE,
    };

    /// Limits for the relations that proofs look up (see `unique`), which are evaluated for them alone, and for those
    /// that are listed to see if they are large (see `closure`).
    pub(super) const OF_PROOFS: Limits = Limits { fuel: 1_000_000, rows: 5_000, ..Limits::STATIC };
}

/// The evaluation of rule `rule` exceeded a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exceeded {
    pub rule: usize,
    /// The relation in the head of the rule.
    pub relation: RelationId,
    pub excess: Excess,
}

/// The limit that was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Excess {
    /// Too many combinations were tried.
    Work,
    /// Too many facts, or too many terms in them.
    Facts,
    /// Terms are nested too deep.
    Depth,
    /// Too many atoms depend on each other in a row.
    Nesting,
    /// The time budget is spent.
    Time,
}
