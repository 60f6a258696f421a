//! The questions behind a proof. They are put to a solver whose reasons are recorded, or compared with recorded
//! reasons.

use std::cell::RefCell;
use std::rc::Rc;

use percept_game::circuit::Lit;

use super::super::bounded::{Bounded, Halt, MOST_NODES};
use super::super::candidates::Obligation;
use super::super::findings::Induction;
use super::super::invariant;
use super::super::setting::Setting;
use super::super::step;
use super::super::twin::Symbolic;
use super::form::{Invalid, Question};
use super::refutation::Refutation;
use crate::clauses::Clauses;
use crate::net::Net;
use crate::solver::{Fault, Log};
use crate::verdict::Property;
use crate::{Budget, Stop};

/// The source of answers: a solver whose reasons are recorded, or recorded reasons that are followed.
pub(super) enum Answers<'a> {
    Written { budget: &'a Budget, proofs: Vec<Refutation> },
    Followed { budget: &'a Budget, proofs: &'a [Refutation], next: usize },
}

impl Answers<'_> {
    /// Puts several questions to one solver. `talk` returns the clauses when it is done.
    fn conversation(&mut self, talk: impl FnOnce(Clauses) -> Result<Clauses, Invalid>) -> Result<(), Invalid> {
        match self {
            Answers::Written { budget, proofs } => {
                let log = Rc::new(RefCell::new(Log::default()));
                talk(Clauses::logging(&log, budget))?;
                let proof = log.borrow().proof().ok_or(Invalid::Untold)?;
                proofs.push(Refutation(proof.into()));
            }
            Answers::Followed { budget, proofs, next } => {
                let Some(proof) = proofs.get(*next) else {
                    return Err(Invalid::Parts { found: proofs.len(), needed: *next + 1 });
                };
                *next += 1;
                let clauses = talk(Clauses::following(proof.0.clone(), budget))?;
                if let Some(fault) = clauses.fault() {
                    return Err(Invalid::Gap { claim: format!("part {next} of the proof is complete"), fault });
                }
            }
        }
        Ok(())
    }

    /// Returns the recorded reasons. When following, fails if some of them were not used.
    pub(super) fn end(self) -> Result<Vec<Refutation>, Invalid> {
        match self {
            Answers::Written { proofs, .. } => Ok(proofs),
            Answers::Followed { proofs, next, .. } if proofs.len() != next => {
                Err(Invalid::Parts { found: proofs.len(), needed: next })
            }
            Answers::Followed { .. } => Ok(Vec::new()),
        }
    }
}

/// Shows that none of the targets can be true. `claim`: the claim that a true target would contradict.
fn refute(net: &mut Net, clauses: &mut Clauses, targets: &[Lit], claim: impl Fn() -> String) -> Result<(), Invalid> {
    for portion in targets.chunks(PORTION) {
        let any = net.or(portion.iter().copied());
        if any == Lit::FALSE {
            continue;
        }
        match clauses.solve(net, &[any]) {
            // Later questions may use this result.
            Some(false) => clauses.add(net, [!any]),
            Some(true) => return Err(Invalid::Wrong(claim())),
            None => {
                return Err(match clauses.fault().unwrap_or(Fault::Stopped(clauses.stopped())) {
                    Fault::Stopped(stop) => Invalid::Stopped(stop),
                    fault => Invalid::Gap { claim: claim(), fault },
                });
            }
        }
    }
    Ok(())
}

/// Matches of no rounds yet: one if `single`, else two that look alike.
fn start<'a>(question: &Question<'a>, clauses: Clauses, single: bool) -> Result<Bounded<'a>, Invalid> {
    let whole = Some(question.ground.clone());
    Ok(Bounded::with(question.game, question.role, whole, clauses, single)?)
}

impl From<Halt> for Invalid {
    fn from(halt: Halt) -> Invalid {
        match halt {
            Halt::TooLarge(_) => Invalid::TooLarge,
            Halt::Stopped(stop) => stop.into(),
        }
    }
}

/// Makes the matches one round longer.
fn deepen(matches: &mut Bounded<'_>) -> Result<(), Invalid> {
    matches.deepen()?;
    if matches.size() > MOST_NODES { Err(Invalid::TooLarge) } else { Ok(()) }
}

/// Shows that the property does not differ in any pair of matches of the current depth.
fn is_known(question: &Question<'_>, matches: &mut Bounded<'_>) -> Result<(), Invalid> {
    let rounds = matches.depth();
    let (target, net, clauses) = matches.difference(question.property);
    refute(net, clauses, &[target], || format!("the property is known after {rounds} rounds"))
}

pub(super) fn bounded(question: &Question<'_>, rounds: usize, answers: &mut Answers<'_>) -> Result<(), Invalid> {
    answers.conversation(|clauses| {
        let mut matches = start(question, clauses, false)?;
        let outside = question.game.rules.outside();
        loop {
            if let Some(outside) = outside {
                let of = |_: &mut Net, a: &Symbolic, b: &Symbolic| vec![a.atom(outside.0), b.atom(outside.0)];
                let (targets, net, clauses) = matches.targets(of, &[]);
                refute(net, clauses, &targets, || "every number stays within its range".to_owned())?;
            }
            is_known(question, &mut matches)?;
            if matches.depth() == rounds {
                break;
            }
            deepen(&mut matches)?;
        }
        let (target, net, clauses) = matches.continuation();
        refute(net, clauses, &[target], || format!("no match is longer than {rounds} rounds"))?;
        Ok(matches.into_clauses())
    })
}

/// The number of claims in one question. With one claim each, there are too many questions; in a question about a
/// thousand claims, the solver learns clauses about all of them.
const PORTION: usize = 16;

/// Asks the questions of an induction. `is_based`: true if its `basis` was followed before.
pub(crate) fn inductive(
    question: &Question<'_>,
    induction: &Induction,
    is_based: bool,
    answers: &mut Answers<'_>,
) -> Result<(), Invalid> {
    if !is_based {
        basis(question, induction, answers)?;
    }
    let Induction { invariants, agreement, back } = induction;
    let &Question { game, role, property, announce_end, .. } = question;
    let setting = &Setting { game, ground: &question.ground, role, made: &[] };
    // The question about an own move comes one round after it.
    let count = invariants.from + back + usize::from(property == Property::Own);
    answers.conversation(|clauses| {
        let mut matches = start(question, clauses, false)?;
        for rounds in 0..count {
            if rounds > 0 {
                deepen(&mut matches)?;
            }
            is_known(question, &mut matches)?;
        }
        Ok(matches.into_clauses())
    })?;
    let premises = step::Premises { kept: agreement, invariants, announce_end };
    let follows = |clauses| step::property_obligation(setting, premises, property, *back, clauses);
    obliged(&follows, "the property follows", answers)
}

/// Shows that the agreement and the invariants hold after the first rounds, and that every round preserves them.
fn basis(question: &Question<'_>, induction: &Induction, answers: &mut Answers<'_>) -> Result<(), Invalid> {
    let Induction { invariants, agreement, .. } = induction;
    let (from, made) = (invariants.from, &invariants.made);
    let &Question { game, role, announce_end, .. } = question;
    let setting = &Setting { game, ground: &question.ground, role, made: &[] };
    answers.conversation(|clauses| {
        let mut matches = start(question, clauses, false)?;
        while matches.depth() < from {
            deepen(&mut matches)?;
        }
        let before = matches.before();
        let (targets, net, clauses) =
            matches.targets(|net, a, b| agreement.differences(setting, net, a, b, &before), &[]);
        refute(net, clauses, &targets, || format!("the agreement holds after {from} rounds"))?;
        Ok(matches.into_clauses())
    })?;
    answers.conversation(|clauses| {
        let mut matches = start(question, clauses, true)?;
        while matches.depth() < from {
            deepen(&mut matches)?;
        }
        let (targets, net, clauses) = matches.targets(|net, state, _| invariants.violated(net, state), made);
        refute(net, clauses, &targets, || format!("the invariants hold after {from} rounds"))?;
        Ok(matches.into_clauses())
    })?;
    let remembering = Setting { made, ..*setting };
    let last = |clauses| Ok(invariant::step_obligation(&remembering, invariants, clauses));
    obliged(&last, "no round breaks the invariants", answers)?;
    let premises = step::Premises { kept: agreement, invariants, announce_end };
    obliged(&|clauses| step::step_obligation(setting, premises, clauses), "no round breaks the agreement", answers)
}

/// Shows that an obligation holds, with a solver of its own.
fn obliged(
    obligation: &dyn Fn(Clauses) -> Result<Obligation, Stop>,
    claim: &str,
    answers: &mut Answers<'_>,
) -> Result<(), Invalid> {
    answers.conversation(|clauses| {
        let Obligation { mut net, mut clauses, targets } = obligation(clauses)?;
        refute(&mut net, &mut clauses, &targets, || claim.to_owned())?;
        Ok(clauses)
    })
}
