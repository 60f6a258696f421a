//! The form of a certificate, its subject, and the reasons why one proves nothing.

use std::sync::Arc;

use percept_game::plain::pogddl::Range;
use percept_game::{Game, Ground, RoleId};
use serde::{Deserialize, Serialize};

use super::super::closure::{self, Closure};
use super::super::sameness;
use super::refutation::Refutation;
use crate::solver::Fault;
use crate::verdict::Property;
use crate::{Budget, Stop};

/// The version of the format.
pub const VERSION: u32 = 9;

/// A proof in writing.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Certificate {
    /// The version of the format.
    pub format: u32,
    /// The role whose knowledge is proved.
    pub role: String,
    /// `legal`, `terminal` or `goal`.
    pub property: String,
    /// True if the end of the match is announced to every role.
    pub announce_end: bool,
    /// The claimed ranges of numbers (POGDDL), with which the plain game is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Range>,
    /// The argument.
    pub proof: Proof,
}

/// The argument of a proof.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The structure of the rules: the parts of the property are the same in every two matches that look alike.
    Structure,
    /// Agreement that no round can break.
    Induction(Box<Inductive>),
    /// No match is longer than `rounds`.
    Bounded {
        /// The length of the longest match in rounds.
        rounds: usize,
        /// Proofs that no match is longer, and that no pair of each length differs.
        refutations: Vec<Refutation>,
    },
    /// All pairs of states that the role cannot tell apart.
    Pairs(Closure),
}

/// A part of a formula: a fluent by its name, or an earlier formula by its number.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Part {
    /// A formula by its number.
    Formula(usize),
    /// A fluent by its name.
    Fluent(String),
}

/// The agreement and the invariants. Fluents are given by name, so that the file is readable.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Inductive {
    /// The fluents that always agree in two matches that the role cannot tell apart.
    pub agree: Vec<String>,
    /// The numbers without a range (POGDDL) that always agree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agree_numbers: Vec<String>,
    /// Formulas over fluents, each a conjunction of parts; a part with `false` is negated.
    pub formulas: Vec<Vec<(Part, bool)>>,
    /// The formulas that always agree, by number.
    pub agree_formulas: Vec<usize>,
    /// Groups of fluents with the same number of true members in two matches that the role cannot tell apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agree_counts: Vec<Vec<String>>,
    /// The number of rounds after which the invariants hold.
    pub from: usize,
    /// The number of rounds that the induction on the property looks back.
    pub back: usize,
    /// The moves, with their roles, that history variables remember. The atoms of these variables follow the fluents.
    pub remembered: Vec<(String, String)>,
    /// Groups of atoms, each with a value, of which at least one has its value.
    pub clauses: Vec<Vec<(String, bool)>>,
    /// Groups of atoms of which at most one holds.
    pub exclusive: Vec<Vec<String>>,
    /// Numbers that are written as fluents and counted by tokens.
    pub counts: Vec<Counter>,
    /// The refutations in the order of the questions.
    pub refutations: Vec<Refutation>,
}

/// The common part of proofs by induction of several properties of a role: the agreement and the invariants hold after
/// the first rounds, and every round preserves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Basis {
    role: String,
    announce_end: bool,
    claimed: Inductive,
}

impl Basis {
    pub(super) fn new(role: &str, announce_end: bool, claimed: &Inductive) -> Basis {
        let claimed = Inductive { back: 0, refutations: Vec::new(), ..claimed.clone() };
        Basis { role: role.to_owned(), announce_end, claimed }
    }

    /// The basis of a certificate, if it has one.
    pub(crate) fn of(certificate: &Certificate) -> Option<Basis> {
        match &certificate.proof {
            Proof::Induction(claimed) => Some(Basis::new(&certificate.role, certificate.announce_end, claimed)),
            Proof::Structure | Proof::Bounded { .. } | Proof::Pairs(_) => None,
        }
    }
}

/// A number that is `sign` times the number of tokens plus `offset`. A token is a fluent with an atom that removes it.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Counter {
    /// The values, each with the fluent that represents it.
    pub values: Vec<(i64, String)>,
    /// The fluents, each with the atom that removes its token.
    pub tokens: Vec<(String, String)>,
    /// 1 or -1.
    pub sign: i64,
    /// The number to add.
    pub offset: i64,
}

/// The reason why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// It has this version, which is not supported.
    #[error("the certificate has version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// It names something that the game does not have.
    #[error("the game has no {kind} named `{name}`")]
    Unknown {
        /// `role`, `move`, `fluent`, `number`, ...
        kind: &'static str,
        /// The name as in the file.
        name: String,
    },
    /// The game has too many ground instances.
    #[error("the game is too large to ground")]
    TooLarge,
    /// It claims more rounds than can be unrolled.
    #[error("the certificate claims more rounds than a proof can have")]
    TooLong,
    /// A counter has this value, which is out of range.
    #[error("the counter value {0} is out of range")]
    Number(i64),
    /// The budget was spent.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// This claim, in words, is false in the initial state.
    #[error("the claim is false: {0}")]
    Wrong(String),
    /// The proof of a claim is wrong.
    #[error("it is not proved that {claim}: {fault}")]
    Gap {
        /// The claim in words.
        claim: String,
        /// The fault in its proof.
        fault: Fault,
    },
    /// It has too few or too many proofs.
    #[error("the certificate has proofs of {found} parts, but needs {needed}")]
    Parts {
        /// The number of proofs in it.
        found: usize,
        /// The number of proofs needed: one for each part of the argument.
        needed: usize,
    },
    /// The rules were read without their goals.
    #[error("the rules were read without their goals, so goals cannot be proved")]
    NoGoals,
    /// The solver recorded no proof to write.
    #[error("there is no recorded proof to write")]
    Untold,
    /// The pairs are not closed.
    #[error("{0}")]
    Pairs(#[from] closure::Hole),
}

/// The most rounds that a certificate may have unrolled.
pub(super) const MOST_ROUNDS: usize = 1_000;

/// The most rounds that an induction may look back.
pub(super) const MOST_BACK: usize = 32;

/// The greatest absolute value in a counter. Counters count the moves of a match, and must not overflow.
pub(super) const MOST_COUNTED: u64 = 1 << 32;

/// The statement that a certificate proves.
pub(super) struct Question<'a> {
    pub game: &'a Game,
    pub ground: Arc<Ground>,
    pub role: RoleId,
    pub property: Property,
    pub announce_end: bool,
}

impl Question<'_> {
    /// True if the structure of the rules proves it.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(super) fn is_structural(&self, budget: &Budget) -> Result<bool, Stop> {
        sameness::is_known(self.game, &self.ground, self.role, self.property, budget)
    }
}
