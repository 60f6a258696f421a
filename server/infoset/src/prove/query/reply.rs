//! What is answered to a question, to who asked it and within.

use percept_game::{JointMove, RoleId};

use crate::reading::Unchecked;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `always`: true in every history. `sometimes`: true in the history of the witness.
    Holds {
        /// `None` for `always`.
        witness: Option<Witness>,
        /// What settled it.
        method: &'static str,
        /// `Ok` if a second reader of the rules came to the same answer ([`Reader`](crate::prove::Reader)), else why it did not.
        /// A witness is replayed.
        checked: Result<(), Unchecked>,
    },
    /// `always`: false in the history of the witness. `sometimes`: no history makes it true.
    Fails {
        /// `None` for `sometimes`.
        witness: Option<Witness>,
        /// What settled it.
        method: &'static str,
        /// As in [`Reply::Holds`].
        checked: Result<(), Unchecked>,
    },
    /// Nothing decided it in histories of up to so many rounds; `None`: not even in the first state.
    Open {
        /// Up to which nothing was found.
        rounds: Option<usize>,
        /// What kept it open, where that is known.
        why: Option<&'static str>,
    },
}

/// A history, and for each role that lacks knowledge in it, one it cannot tell from it (or from one before it here).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its joint moves.
    pub history: Vec<JointMove>,
    /// By role that lacks knowledge, the other history.
    pub instead: Vec<(RoleId, Vec<JointMove>)>,
}

/// How far a question goes.
pub(super) struct Scope {
    /// Rounds to look at; `None`: all.
    pub rounds: Option<usize>,
    pub announce_end: bool,
}

/// The answer whether a sentence is true in all histories.
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

    /// The one that says more.
    pub(super) fn or(self, other: Answer) -> Answer {
        match (self, other) {
            (Answer::Open { rounds: a, why: x }, Answer::Open { rounds: b, why: y }) => {
                Answer::Open { rounds: a.max(b), why: x.or(y) }
            }
            (Answer::Open { .. }, decided) | (decided, _) => decided,
        }
    }
}
