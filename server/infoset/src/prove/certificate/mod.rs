//! A proof that can be checked without trusting the search.
//!
//! By induction: the agreement, the invariants, and for each question behind the proof the clauses that lead to its
//! contradiction. By bounded search: the same for every length of a match. By pairs: all reachable pairs of states. By
//! structure: nothing, because the structure of the rules shows it again.
//!
//! The check builds the questions again, from the rules and the claimed sets, and follows hints ([`crate::solver`]), or
//! makes every round from every listed state ([`super::closure`]). No solver and no search takes part, and nothing in
//! the file is trusted: names are looked up, numbers bounded, claims proved.
//!
//! It rests on the rules as written: on [`percept_game::plain`], which reads every statement and grounds every rule
//! instance by instance. It shares only syntax, names and gates with the code that reads and grounds games for play and
//! for proving, where a fault would make prover and checker believe the same error. Facts that the prover's code folded
//! away or found unreachable are therefore claimed and proved here, like any other invariant. The writer asks the very
//! same questions, so a proof that cannot be repeated on the plain rules is not written at all.
//!
//! Trusted, besides this module, the compiler and the machine:
//!
//! | a proof by | trusts |
//! | --- | --- |
//! | all | the reader of the text (`percept-syntax`); the plain rules ([`percept_game::plain`]), whose reading, order of negations and arithmetic are their own; names ([`percept_game::Term`]), and the constants that gates fold ([`percept_game::circuit`]) |
//! | pairs | nothing else: rounds are made by evaluating the plain rules |
//! | structure | the dependence of gates on values that are the same in both matches ([`super::sameness`]), which shares nothing with the prover |
//! | induction, bounded | the copies of a round ([`super::twin`], [`crate::unroll`]), their numbers ([`crate::net`]), and their clauses ([`crate::clauses`]); the makers of the questions: [`Bounded`](super::bounded::Bounded) without counts, [`step::step_obligation`](super::step::step_obligation), [`step::property_obligation`](super::step::property_obligation), [`invariant::step_obligation`](super::invariant::step_obligation), [`super::count`], [`super::census`]; the reader of the hints (`Follower` in [`crate::solver`]) |
//!
//! Not trusted: the packing of proofs, because the unpacked proof is followed; the grounding, folding and compiling of
//! games for everything else; CaDiCaL, of which only the log is used; the mining of candidates, the search for
//! agreement, the prover's argument by structure (if the plain rules do not show it, it is written as an induction),
//! the tallies that help a bounded search, bounds on the length of matches, and the ranges of numbers; the
//! decomposition of statements and the order of relations for play. The meaning of the plain rules is tested against
//! interpreters that share nothing with them.
//!
//! The questions suffice for these reasons. *Induction*: matches of fewer than `from + back` rounds are examined one
//! length at a time; after `from` rounds the invariants hold for each match and the agreement for each pair that looks
//! alike; a round keeps both; and two such states do not differ if those of the `back` rounds before did not.
//! *Bounded*: no pair of up to `rounds` rounds differs, and none continues. *Pairs*: the first state is listed, a round
//! leads from pairs to pairs, and none differs.

use percept_game::plain::pogddl::Range;
use percept_game::{Game, Ground, RoleId, Scope};

mod form;
mod naming;
mod questions;
mod refutation;

pub(super) use form::Basis;
pub use form::{Certificate, Counter, Inductive, Invalid, Part, Proof, VERSION};
use form::{MOST_ROUNDS, Question};
use naming::{Naming, read};
use questions::{Answers, bounded, inductive};
pub use refutation::Refutation;

use super::closure::Closure;
use super::findings::Argument;
use crate::Budget;
pub use crate::solver::Fault;
use crate::verdict::Property;

/// Proves again, and keeps the reasons. The questions are about `plain`, without any code that the prover relies on.
/// `game` with its own circuit only supplies the claims. `numbers`: the ranges with which `plain` was made.
///
/// # Errors
/// If the argument does not prove the property of `plain` (the error gives the reason), or time ran out.
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

/// Like [`write()`], for a game with the given round, if it has one, and without the parts in `bases`. Only
/// [`check_after`] with the same `bases` accepts the result.
pub(super) fn write_of(
    (game, ground): (&Game, Option<&Ground>),
    (plain, numbers): (&Game, &[Range]),
    (role, property): (RoleId, Property),
    announce_end: bool,
    argument: &Argument,
    (bases, budget): (&[Basis], &Budget),
) -> Result<Certificate, Invalid> {
    let role_name = game.roles[role.0 as usize].name.clone();
    rules_give(plain, property)?;
    let unknown = || Invalid::Unknown { kind: "role", name: role_name.clone() };
    let plain_role = plain.role(&role_name).ok_or_else(unknown)?;
    let question = || {
        let ground = plain.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge)?;
        Ok::<_, Invalid>(Question { game: plain, ground, role: plain_role, property, announce_end })
    };
    let mut answers = Answers::Written { budget, proofs: Vec::new() };
    let proof = match argument {
        Argument::Structure(_) if question()?.is_structural(budget)? => Proof::Structure,
        Argument::Structure(induction) | Argument::Induction(induction) => {
            let question = question()?;
            // The questions are made from the written claims, so that a reader makes the same ones.
            let ground = ground.ok_or(Invalid::TooLarge)?;
            let named = Naming { game, ground, plain, numbers }.inductive(induction)?;
            let is_based = bases.contains(&Basis::new(&role_name, announce_end, &named));
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

/// Fails if the question is about goals and the plain game was made without them.
fn rules_give(plain: &Game, property: Property) -> Result<(), Invalid> {
    if property == Property::Goal && !plain.rules.tells_goals() { Err(Invalid::NoGoals) } else { Ok(()) }
}

/// Checks a certificate against a game, which should be the plain one of the rules ([`percept_game::plain`]).
///
/// # Errors
/// The defect of the certificate, or of its match with the game.
pub fn check(plain: &Game, certificate: &Certificate, budget: &Budget) -> Result<(RoleId, Property), Invalid> {
    check_after(plain, certificate, (&[], budget))
}

/// Like [`check`], for a certificate without the parts in `bases`, which were followed earlier for the same game.
pub(super) fn check_after(
    plain: &Game,
    certificate: &Certificate,
    (bases, budget): (&[Basis], &Budget),
) -> Result<(RoleId, Property), Invalid> {
    if certificate.format != VERSION {
        return Err(Invalid::Version(certificate.format));
    }
    let unknown = |kind, name: &str| Invalid::Unknown { kind, name: name.to_owned() };
    let role = plain.role(&certificate.role).ok_or_else(|| unknown("role", &certificate.role))?;
    let property = Property::named(&certificate.property).ok_or_else(|| unknown("property", &certificate.property))?;
    rules_give(plain, property)?;
    let question = || {
        let ground = plain.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge)?;
        Ok::<_, Invalid>(Question { game: plain, ground, role, property, announce_end: certificate.announce_end })
    };
    let followed = |proofs| Answers::Followed { budget, proofs, next: 0 };
    match &certificate.proof {
        Proof::Structure => {
            if !question()?.is_structural(budget)? {
                return Err(Invalid::Wrong("the structure of the rules shows it".to_owned()));
            }
        }
        Proof::Induction(claimed) => {
            let question = question()?;
            let induction = read(&question, claimed)?;
            let mut answers = followed(&claimed.refutations);
            let is_based = bases.contains(&Basis::new(&certificate.role, certificate.announce_end, claimed));
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
