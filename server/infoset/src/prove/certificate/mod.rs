//! A proof that can be checked without believing the search.
//!
//! By induction: what agrees, which invariants hold, and for each question behind the proof the clauses that lead to its
//! contradiction. By bounded search: the same for every length of a match. By pairs: all pairs of states that can be
//! reached.
//!
//! The check builds the questions anew, from the rules and the claimed sets, and follows hints ([`crate::solver`]), or makes
//! every round from every listed state ([`super::closure`]); no solver and no search takes part, and nothing in the file
//! is believed: names are looked up, numbers bounded, claims proved.
//!
//! It rests on the rules as they were written: on [`percept_game::plain`], which reads every statement, grounds every rule
//! instance by instance, and shares nothing but syntax, names and gates with how games are read and ground for play and for
//! proving, where a fault would let prover and checker believe the same wrong thing. What the prover found folded or out of
//! reach there is therefore claimed and proved here, like any other invariant. The writer asks the very same questions, so
//! that a proof that cannot be repeated on the plain rules is not written at all.
//!
//! What is trusted, beside this module, the compiler and the machine:
//!
//! | of a proof by | trusted |
//! | --- | --- |
//! | all three | the reader of the text (`percept-syntax`); the plain rules ([`percept_game::plain`]), whose reading, order of negations and arithmetic are their own; names ([`percept_game::Term`]), and the constants that gates fold ([`percept_game::circuit`]) |
//! | pairs | nothing else: rounds are made by evaluating the plain rules |
//! | induction, bounded | the copies of a round ([`super::twin`], [`crate::unroll`]), what is said there of numbers ([`crate::net`]), and their clauses ([`crate::clauses`]); what makes the questions: [`Bounded`](super::bounded::Bounded) without counts, [`step::step_obligation`](super::step::step_obligation), [`step::property_obligation`](super::step::property_obligation), [`invariant::step_obligation`](super::invariant::step_obligation), [`super::count`], [`super::census`]; who reads and follows the hints (`Follower` in [`crate::solver`]) |
//!
//! Not trusted: how proofs are packed, since whatever comes out is followed; how games are ground, folded and compiled for everything else; CaDiCaL, of which only the log is used;
//! the mining of candidates, the search for what agrees, the argument by structure (its proofs are written as inductions),
//! the tallies that help a bounded search, bounds on the length of matches, and the ranges of numbers; how statements are
//! taken apart and relations put in order for play. That the plain rules mean what they should is tested against interpreters
//! that share nothing with them.
//!
//! Why the questions suffice. *Induction*: matches of fewer than `from + back` rounds are looked at one length at a time;
//! after `from` rounds the invariants hold of each match and the agreement of each pair that looks alike; a round keeps
//! both; and two such states do not differ if those of the `back` rounds before did not. *Bounded*: no pair of up to
//! `rounds` rounds differs, and none goes on. *Pairs*: the first state is listed, a round leads from pairs to pairs, and
//! none differs.

use std::sync::Arc;

use percept_game::plain::pogddl::Range;
use percept_game::{Game, Ground, RoleId, Scope};
use serde::{Deserialize, Serialize};

mod naming;
mod questions;
mod refutation;

use naming::{Naming, read};
use questions::{Answers, bounded, inductive};
pub use refutation::Refutation;

use super::closure::{self, Closure};
use super::findings::Argument;
pub use crate::solver::Fault;
use crate::verdict::Property;
use crate::{Budget, Stop};

/// Version of the format.
pub(crate) const VERSION: u32 = 8;

/// A proof, written down.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Certificate {
    /// Version of the format.
    pub format: u32,
    /// Whose knowledge is proved.
    pub role: String,
    /// `legal`, `terminal` or `goal`.
    pub property: String,
    /// Whether everybody is told when the match is over.
    pub announce_end: bool,
    /// The ranges in which numbers are claimed to stay (POGDDL), by which the plain game is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Range>,
    /// The argument.
    pub proof: Proof,
}

/// How it is proved.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// By agreement that no round can break.
    Induction(Box<Inductive>),
    /// No match is longer than `rounds`.
    Bounded {
        /// Of the longest match.
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
    /// By its number.
    Formula(usize),
    /// By its name.
    Fluent(String),
}

/// What agrees and what is invariant. Fluents are named, so that the file says something to a reader.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Inductive {
    /// Fluents that always agree in two matches the role cannot tell apart.
    pub agree: Vec<String>,
    /// Numbers without a range (POGDDL) that always agree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agree_numbers: Vec<String>,
    /// Formulas over fluents, each a conjunction of parts, which are negated where `false` stands beside them.
    pub formulas: Vec<Vec<(Part, bool)>>,
    /// The formulas that always agree, by number.
    pub agree_formulas: Vec<usize>,
    /// Groups of fluents of which as many hold in two matches the role cannot tell apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agree_counts: Vec<Vec<String>>,
    /// The invariants hold after so many rounds.
    pub from: usize,
    /// The induction on the property looks so many rounds back.
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

/// What proofs by induction of several properties of a role have in common: that the agreement and the invariants hold after
/// the first rounds, and last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Basis {
    role: String,
    announce_end: bool,
    claimed: Inductive,
}

impl Basis {
    fn new(role: &str, announce_end: bool, claimed: &Inductive) -> Basis {
        let claimed = Inductive { back: 0, refutations: Vec::new(), ..claimed.clone() };
        Basis { role: role.to_owned(), announce_end, claimed }
    }

    /// That of a certificate, where it has one.
    pub(super) fn of(certificate: &Certificate) -> Option<Basis> {
        match &certificate.proof {
            Proof::Induction(claimed) => Some(Basis::new(&certificate.role, certificate.announce_end, claimed)),
            Proof::Bounded { .. } | Proof::Pairs(_) => None,
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
    /// What is added.
    pub offset: i64,
}

/// Why a certificate proves nothing.
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
        /// As it stands there.
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
        /// In words.
        claim: String,
        /// What is wrong with it.
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
const MOST_ROUNDS: usize = 1_000;

/// Rounds that an induction may look back.
const MOST_BACK: usize = 32;

/// Counters count moves of a match: numbers beyond this are no counts, and must not overflow.
const MOST_COUNTED: u64 = 1 << 32;

/// What a proof is about.
struct Question<'a> {
    game: &'a Game,
    ground: Arc<Ground>,
    role: RoleId,
    property: Property,
    announce_end: bool,
}

/// Proves again, keeping why. The questions are about `plain`, where nothing that the prover relies on is at work; by its
/// own circuit `game` only says what to claim. `numbers`: the ranges by which `plain` was made.
///
/// # Errors
/// Where the argument does not prove the property of `plain`, which says what is not so there, or in no time.
pub fn write(
    game: &Game,
    (plain, numbers): (&Game, &[Range]),
    role: RoleId,
    property: Property,
    announce_end: bool,
    argument: &Argument,
    budget: &Budget,
) -> Result<Certificate, Invalid> {
    let ground = game.rules.ground(&Scope::default()).ok();
    write_of((game, ground.as_deref()), (plain, numbers), (role, property), announce_end, argument, (&[], budget))
}

/// As [`write()`], of a game whose round is at hand, where it has one, and less what is `known`: then only [`check_after`]
/// the same takes it.
pub(super) fn write_of(
    (game, ground): (&Game, Option<&Ground>),
    (plain, numbers): (&Game, &[Range]),
    (role, property): (RoleId, Property),
    announce_end: bool,
    argument: &Argument,
    (known, budget): (&[Basis], &Budget),
) -> Result<Certificate, Invalid> {
    let role_name = game.roles[role.0 as usize].name.clone();
    told(plain, property)?;
    let unknown = || Invalid::Unknown { kind: "role", name: role_name.clone() };
    let plain_role = plain.role(&role_name).ok_or_else(unknown)?;
    let question = || {
        let ground = plain.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge)?;
        Ok::<_, Invalid>(Question { game: plain, ground, role: plain_role, property, announce_end })
    };
    let mut answers = Answers::Written { budget, proofs: Vec::new() };
    let proof = match argument {
        Argument::Induction(induction) => {
            let question = question()?;
            // The questions are made from what is written, so that a reader makes the very same ones.
            let ground = ground.ok_or(Invalid::TooLarge)?;
            let named = Naming { game, ground, plain, numbers }.inductive(induction)?;
            let is_based = known.contains(&Basis::new(&role_name, announce_end, &named));
            inductive(&question, &read(&question, &named)?, is_based, &mut answers)?;
            Proof::Induction(Box::new(Inductive { refutations: answers.end()?, ..named }))
        }
        Argument::Bounded { rounds } => {
            bounded(&question()?, *rounds, &mut answers)?;
            Proof::Bounded { rounds: *rounds, refutations: answers.end()? }
        }
        Argument::Pairs => {
            let stopped = || budget.stop().map_or(Invalid::TooLarge, Invalid::Stopped);
            Proof::Pairs(Closure::of(plain, plain_role, budget).ok_or_else(stopped)?)
        }
    };
    let (property, numbers) = (property.name().to_owned(), numbers.to_vec());
    Ok(Certificate { format: VERSION, role: role_name, property, announce_end, numbers, proof })
}

/// A plain game made without goals proves nothing about them.
fn told(plain: &Game, property: Property) -> Result<(), Invalid> {
    if property == Property::Goal && !plain.rules.tells_goals() { Err(Invalid::NoGoals) } else { Ok(()) }
}

/// Checks a certificate against a game, which should be the plain one of the rules ([`percept_game::plain`]).
///
/// # Errors
/// What is wrong with it, or with the match between it and the game.
pub fn check(plain: &Game, certificate: &Certificate, budget: &Budget) -> Result<(RoleId, Property), Invalid> {
    check_after(plain, certificate, (&[], budget))
}

/// As [`check`], of a certificate that lacks what is `known`: what was followed of the very same game before.
pub(super) fn check_after(
    plain: &Game,
    certificate: &Certificate,
    (known, budget): (&[Basis], &Budget),
) -> Result<(RoleId, Property), Invalid> {
    if certificate.format != VERSION {
        return Err(Invalid::Version(certificate.format));
    }
    let unknown = |kind, name: &str| Invalid::Unknown { kind, name: name.to_owned() };
    let role = plain.role(&certificate.role).ok_or_else(|| unknown("role", &certificate.role))?;
    let property = Property::named(&certificate.property).ok_or_else(|| unknown("property", &certificate.property))?;
    told(plain, property)?;
    let question = || {
        let ground = plain.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge)?;
        Ok::<_, Invalid>(Question { game: plain, ground, role, property, announce_end: certificate.announce_end })
    };
    let followed = |proofs| Answers::Followed { budget, proofs, next: 0 };
    match &certificate.proof {
        Proof::Induction(claimed) => {
            let question = question()?;
            let induction = read(&question, claimed)?;
            let mut answers = followed(&claimed.refutations);
            let is_based = known.contains(&Basis::new(&certificate.role, certificate.announce_end, claimed));
            inductive(&question, &induction, is_based, &mut answers)?;
            answers.end()?;
        }
        Proof::Bounded { rounds, refutations } => {
            if *rounds > MOST_ROUNDS {
                return Err(Invalid::TooLong);
            }
            let mut answers = followed(refutations);
            bounded(&question()?, *rounds, &mut answers)?;
            answers.end()?;
        }
        Proof::Pairs(closure) => {
            closure.check(&closure.rounds(plain, role, budget)?, plain, (role, property), budget)?;
        }
    }
    Ok((role, property))
}
