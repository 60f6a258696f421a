//! The outcome of checking an answer on a second reading of the rules. The answer is a proof about every match or a
//! role's knowledge along one match.

/// The outcome of following a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The proof was followed to its end.
    Checked,
    /// The proof was not followed to its end.
    Unchecked(Unchecked),
    /// The proof is wrong on the rules as written; the text says why.
    Refused(String),
}

/// The reason why a proof was not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    /// The time was up.
    #[error("no time")]
    Time,
    /// The plain rules, or the written proof, are too large.
    #[error("too large")]
    Memory,
    /// The available solver gives no reasons for its answers, as in a web page.
    #[error("no proof from this solver")]
    NoProof,
    /// The game was made by a program, so it has no rules to read a second time.
    #[error("no description")]
    NoDescription,
    /// The second reading has other roles, or lacks a name that the question or the match needs.
    #[error("the second reading of the rules uses other names")]
    OtherNames,
}
