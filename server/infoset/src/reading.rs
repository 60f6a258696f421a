//! What a second reading of the rules said of an answer: of a proof about every match, and of what is known along one.

/// What came of following a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It was followed.
    Checked,
    /// It was not followed to its end.
    Unchecked(Unchecked),
    /// It is wrong on the rules as written: in words.
    Refused(String),
}

/// Why a proof was not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    /// The time was up.
    #[error("no time")]
    Time,
    /// The plain rules, or the written proof, are too large.
    #[error("too large")]
    Memory,
    /// The solver at hand does not say why its answers are right, as in a web page.
    #[error("no proof from this solver")]
    NoProof,
    /// The game was made by a program, so there are no rules to read a second time.
    #[error("no description")]
    NoDescription,
    /// The second reading has other roles, or lacks a name that the question or the match needs.
    #[error("the second reading of the rules has other names")]
    OtherNames,
}
