//! Moves that the mover is not told of.

use percept_syntax::pddl::Arg;

use crate::pddl::{ActionModel, Facts, Formula, Observe, Place, Term};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "unseen-own-move", severity: Severity::Warning, page: include_str!("unseen-own-move.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !model.is_pogddl {
        return;
    }
    for (i, action) in model.actions.iter().enumerate() {
        let Some(mover) = mover(facts, action) else { continue };
        let name = facts.term(mover);
        if name == "chance" {
            continue;
        }
        let place = Place::Action(i as u32);
        let observes: Vec<&Observe> = model.observes.iter().filter(|observe| observe.place == place).collect();
        if observes.iter().any(|observe| tells(observe, mover)) {
            continue;
        }
        let action = &action.action.name;
        let message = match observes.is_empty() {
            true => format!(
                "`{name}` plays `{}` and is told nothing, so it does not even know its own move: add `(observe ({name} ({0} ...)))`",
                action.text
            ),
            false => format!(
                "`{name}` plays `{}`, and no `observe` tells it so: a role knows of its own move only what a message says",
                action.text
            ),
        };
        let mut finding = facts.at(&RULE, model.domain_file, action.range, message);
        if let Some(observe) = observes.first() {
            finding = finding.related(model.domain_file, observe.keyword, "who is told");
        }
        findings.push(finding);
    }
}

/// The role whose turn the precondition wants it to be.
pub(super) fn mover(facts: &Facts, action: &ActionModel) -> Option<Term> {
    let model = &facts.model;
    let mut mover = None;
    action.precondition.as_ref()?.conjuncts(&mut |part| {
        if let Formula::Literal { positive: true, atom, .. } = part
            && model.atom(*atom).name.is("whoseturn")
        {
            mover = mover.or(model.terms(*atom).first().copied());
        }
    });
    mover
}

/// Whether a role is, or may be, among the receivers.
fn tells(observe: &Observe, mover: Term) -> bool {
    let reserved = |arg: &Arg| !arg.is_variable && (arg.name.is("all") || arg.name.is("others"));
    observe.recipients.iter().flat_map(|recipient| &recipient.receivers).any(|(arg, term)| {
        // A variable beside a constant, or another variable, may be the mover or not; only constants surely differ.
        let differ = matches!((term, mover), (Term::Object(a), Term::Object(b)) if *a != b);
        let both_variables = matches!((term, mover), (Term::Variable(a), Term::Variable(b)) if *a != b);
        reserved(arg) || !differ && !both_variables
    })
}
