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

/// Version of the format.
pub const VERSION: u32 = 9;

/// A proof, written down.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Certificate {
    /// Version of the format.
    pub format: u32,
    /// The role whose knowledge is proved.
    pub role: String,
    /// `legal`, `terminal` or `goal`.
    pub property: String,
    /// True if the end of the match is announced to every role.
    pub announce_end: bool,
    /// The ranges in which numbers are claimed to stay (POGDDL), by which the plain game is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Range>,
    /// The argument.
    pub proof: Proof,
}

/// The argument of a proof.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// By the structure of the rules: the parts of the property are the same in every two matches that look alike.
    Structure,
    /// By agreement that no round can break.
    Induction(Box<Inductive>),
    /// No match is longer than `rounds`.
    Bounded {
        /// The length of the longest match in rounds.
        rounds: usize,
        /// That there is no longer one, and that no pair of each length differs.
        refutations: Vec<Refutation>,
    },
    /// By all pairs of states that the role cannot tell apart.
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
    /// Fluents that always agree in two matches the role cannot tell apart.
    pub agree: Vec<String>,
    /// Numbers without a range (POGDDL) that always agree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agree_numbers: Vec<String>,
    /// Formulas over fluents, each a conjunction of parts; a part with `false` is negated.
    pub formulas: Vec<Vec<(Part, bool)>>,
    /// The formulas that always agree, by number.
    pub agree_formulas: Vec<usize>,
    /// Groups of fluents of which as many hold in two matches the role cannot tell apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agree_counts: Vec<Vec<String>>,
    /// The number of rounds after which the invariants hold.
    pub from: usize,
    /// The number of rounds that the induction on the property looks back.
    pub back: usize,
    /// Moves, with their roles, of which is remembered whether they were made; the atoms behind the fluents.
    pub remembered: Vec<(String, String)>,
    /// Groups of atoms of which one is as it says.
    pub clauses: Vec<Vec<(String, bool)>>,
    /// Groups of atoms of which at most one holds.
    pub exclusive: Vec<Vec<String>>,
    /// Numbers that fluents write and tokens count.
    pub counts: Vec<Counter>,
    /// In the order of the conversations.
    pub refutations: Vec<Refutation>,
}

/// The common part of proofs by induction of several properties of a role: the agreement and the invariants hold after
/// the first rounds, and last.
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

/// A number that is `sign` times the number of tokens plus `offset`; a token is a fluent and an atom that takes it away.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Counter {
    /// Values, each with the fluent that says so.
    pub values: Vec<(i64, String)>,
    /// Fluents, each with the atom that takes its token away.
    pub tokens: Vec<(String, String)>,
    /// 1 or -1.
    pub sign: i64,
    /// The number to add.
    pub offset: i64,
}

/// The reason why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// It is of another version: of which.
    #[error("the certificate is of version {0}, this program reads version {VERSION}")]
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
    /// It asks for more rounds than are unrolled.
    #[error("the certificate claims more rounds than a proof can have")]
    TooLong,
    /// A counter lacks this value.
    #[error("no counter counts to {0}")]
    Number(i64),
    /// The budget was spent.
    #[error("{0}")]
    Stopped(#[from] Stop),
    /// A claim is false in the first state: in words.
    #[error("it is not so that {0}")]
    Wrong(String),
    /// The proof of a claim is wrong.
    #[error("that {claim} is not proved: {fault}")]
    Gap {
        /// The claim in words.
        claim: String,
        /// The fault of the claim.
        fault: Fault,
    },
    /// It has too few or too many proofs.
    #[error("the certificate has proofs of {found} parts, not of {needed}")]
    Parts {
        /// That it has.
        found: usize,
        /// One for each part of the argument.
        needed: usize,
    },
    /// The rules were read without their goals.
    #[error("goals were left out when the rules were read, so nothing can be said about them")]
    NoGoals,
    /// There is nothing to write a certificate from.
    #[error("the proof cannot be told")]
    Untold,
    /// The pairs are not closed.
    #[error("{0}")]
    Pairs(#[from] closure::Hole),
}

/// Rounds that a certificate may ask to be unrolled.
pub(super) const MOST_ROUNDS: usize = 1_000;

/// Rounds that an induction may look back.
pub(super) const MOST_BACK: usize = 32;

/// Counters count moves of a match: greater numbers are not counts, and must not overflow.
pub(super) const MOST_COUNTED: u64 = 1 << 32;

/// The subject of a proof.
pub(super) struct Question<'a> {
    pub game: &'a Game,
    pub ground: Arc<Ground>,
    pub role: RoleId,
    pub property: Property,
    pub announce_end: bool,
}

impl Question<'_> {
    /// True if the structure of the rules answers it.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(super) fn is_structural(&self, budget: &Budget) -> Result<bool, Stop> {
        sameness::is_known(self.game, &self.ground, self.role, self.property, budget)
    }
}
