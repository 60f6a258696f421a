//! The answers to a question, for callers and for the search.

use percept_game::{JointMove, RoleId};

use crate::reading::Unchecked;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `always`: true in every history. `sometimes`: true in the history of the witness.
    Holds {
        /// `None` for `always`.
        witness: Option<Witness>,
        /// The deciding method.
        method: &'static str,
        /// `Ok` if the second reader of the rules has the same answer ([`Reader`](crate::prove::Reader)), else the
        /// reason why not. A witness is replayed instead.
        checked: Result<(), Unchecked>,
    },
    /// `always`: false in the history of the witness. `sometimes`: no history makes it true.
    Fails {
        /// `None` for `sometimes`.
        witness: Option<Witness>,
        /// The deciding method.
        method: &'static str,
        /// The check, as in [`Reply::Holds`].
        checked: Result<(), Unchecked>,
    },
    /// Histories of up to this many rounds do not decide it; `None`: not even the initial state was examined.
    Open {
        /// The number of rounds examined.
        rounds: Option<usize>,
        /// The reason, if known.
        why: Option<&'static str>,
    },
}

/// A history, and for each role that lacks knowledge in it, another one that the role cannot tell from it (or from an
/// earlier history in the list).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The joint moves of the history.
    pub history: Vec<JointMove>,
    /// For each role that lacks knowledge, the role and the other history.
    pub instead: Vec<(RoleId, Vec<JointMove>)>,
}

/// The histories that a question is about.
pub(super) struct Scope {
    /// The most rounds; `None` for no limit.
    pub rounds: Option<usize>,
    pub announce_end: bool,
}

/// The answer to the question if a sentence is true in all histories.
pub(super) enum Answer {
    Holds { method: &'static str },
    Fails { witness: Witness, method: &'static str },
    Open { rounds: Option<usize>, why: Option<&'static str> },
}

impl Answer {
    pub(super) const fn open(rounds: Option<usize>) -> Answer {
        Answer::Open { rounds, why: None }
    }

    pub(super) const fn is_decided(&self) -> bool {
        !matches!(self, Answer::Open { .. })
    }

    /// The more informative of two answers.
    pub(super) fn or(self, other: Answer) -> Answer {
        match (self, other) {
            (Answer::Open { rounds: a, why: x }, Answer::Open { rounds: b, why: y }) => {
                Answer::Open { rounds: a.max(b), why: x.or(y) }
            }
            (Answer::Open { .. }, decided) | (decided, _) => decided,
        }
    }
}
