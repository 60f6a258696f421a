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
            hidden_part(facts, action.action.name.text.as_str(), &name, mover, &observes, findings);
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

/// The mover's message has `u` where somebody else is told a parameter of the move.
fn hidden_part(
    facts: &Facts,
    action: &str,
    name: &str,
    mover: Term,
    observes: &[&Observe],
    findings: &mut Findings,
) {
    let model = &facts.model;
    let recipients = || observes.iter().flat_map(|observe| &observe.recipients);
    let told: Vec<_> = recipients()
        .filter(|recipient| recipient.receivers.iter().any(|(_, term)| *term == mover))
        .filter_map(|recipient| recipient.message)
        .map(|id| model.atom(id))
        .collect();
    for message in &told {
        for (i, arg) in message.args.iter().enumerate().filter(|(_, arg)| !arg.is_variable && arg.name.is("u")) {
            let other = recipients().filter_map(|recipient| recipient.message).map(|id| model.atom(id)).find(|other| {
                other.name.is(&message.name.text) && other.args.get(i).is_some_and(|arg| arg.is_variable)
            });
            let Some(open) = other.and_then(|other| other.args.get(i)) else { continue };
            let word = &open.name.text;
            // A second message may tell it after all.
            if told.iter().any(|told| told.args.iter().any(|arg| arg.is_variable && arg.name.is(word))) {
                continue;
            }
            let text = format!(
                "`{name}` plays `{action}` and chooses `?{word}`, which this message hides from it and tells somebody else: are the two messages exchanged?"
            );
            let finding = facts.at(&RULE, model.domain_file, arg.name.range, text);
            findings.push(finding.related(model.domain_file, open.name.range, "told here"));
        }
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
