//! Moves that no message reports to the mover.

use percept_syntax::TextRange;
use percept_syntax::pddl::Arg;

use super::mends;
use crate::pddl::{ActionModel, AtomUse, Facts, Formula, Observe, Place, Term, UseKind, VarId};
use crate::{Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unseen-own-move", severity: Severity::Warning, page: include_str!("unseen-own-move.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
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
        // An invalid receiver is reported already.
        let in_error = |observe: &&Observe| {
            [&super::receiver_no_role::RULE, &super::unknown_object::RULE, &super::unbound_variable::RULE]
                .iter()
                .any(|rule| findings.reported_by(rule, model.domain_file, observe.range))
        };
        // The receivers of an `observe` that could not be read are unknown.
        if is_torn(facts, action, findings) || observes.iter().any(in_error) {
            continue;
        }
        if let Some(deaf) = never_told(facts, mover, &observes) {
            let text = format!(
                "if `{name}` is `{deaf}`, no `observe` reports its own move `{0}` to it: add `(observe ({name} ({0} \
                ...)))`",
                action.action.name.text
            );
            let finding = facts.at(&RULE, model.domain_file, action.action.name.range, text);
            let finding = finding.related(model.domain_file, observes[0].keyword, "the receivers");
            findings.push(finding.offer([sent(facts, action, &name)]));
            continue;
        }
        if observes.iter().any(|observe| tells(observe, mover)) {
            hidden_part(facts, action, mover, &observes, findings);
            continue;
        }
        let (call, fix) = (action.action.call(), sent(facts, action, &name));
        let action = &action.action.name;
        let message = match observes.is_empty() {
            true => format!(
                "`{name}` plays `{}` and receives no message, so it does not know its own move: add \
                 `(observe ({name} {call}))`",
                action.text
            ),
            false => format!(
                "`{name}` plays `{}`, and no `observe` reports that to it: a role knows its own move only from \
                messages",
                action.text
            ),
        };
        let mut finding = facts.at(&RULE, model.domain_file, action.range, message);
        if let Some(observe) = observes.first() {
            finding = finding.related(model.domain_file, observe.keyword, "the receivers");
        }
        findings.push(finding.offer([fix]));
    }
}

/// Sends the move to its mover.
fn sent(facts: &Facts, action: &ActionModel, mover: &str) -> Fix {
    let observe = format!("(observe ({mover} {}))", action.action.call());
    action.action.with_effect(facts.model.domain_file, &observe)
}

/// True if a syntax error is in or after an `observe` of the action.
fn is_torn(facts: &Facts, action: &ActionModel, findings: &Findings) -> bool {
    let model = &facts.model;
    let range = action.action.range;
    let first = model.text(model.domain_file, range).find("(observe").map(|at| range.start + at as u32);
    first.is_some_and(|at| {
        findings.reported_by(crate::rules::syntax_error(), model.domain_file, TextRange::new(at, range.end))
    })
}

/// The mover's message has `u` in the place of a parameter of the move, and no other message to the mover has it.
fn hidden_part(facts: &Facts, action: &ActionModel, mover: Term, observes: &[&Observe], findings: &mut Findings) {
    let model = &facts.model;
    let messages: Vec<&AtomUse> = observes.iter().flat_map(|observe| messages_to(facts, observe, mover)).collect();
    let knows = |word: &str| {
        messages.iter().any(|messages| messages.args.iter().any(|arg| arg.is_variable && arg.name.is(word)))
    };
    for message in &messages {
        for (i, arg) in message.args.iter().enumerate().filter(|(_, arg)| !arg.is_variable && arg.name.is("u")) {
            let recipients = observes.iter().flat_map(|observe| &observe.recipients);
            let others = recipients.filter_map(|recipient| recipient.message).map(|id| model.atom(id));
            let mut same = others.filter(|other| other.name.is(&message.name.text));
            let open = same.find_map(|other| other.args.get(i).filter(|arg| arg.is_variable));
            let (name, action_name) = (facts.term(mover), &action.action.name.text);
            if let Some(open) = open.filter(|open| !knows(&open.name.text)) {
                let text = format!(
                    "`{name}` plays `{action_name}` and chooses `?{}`, which this message hides from it and shows to \
                    another role: are the two messages exchanged?",
                    open.name.text
                );
                let finding = facts.at(&RULE, model.domain_file, arg.name.range, text);
                let finding = finding.related(model.domain_file, open.name.range, "sent here");
                let fix = Fix::exchange(domain_text(facts), model.domain_file, arg.name.range, open.name.range);
                findings.push(finding.offer([fix]));
                continue;
            }
            let hidden = action.variables.iter().map(|id| (*id, model.variable(*id))).find(|(id, variable)| {
                Term::Variable(*id) != mover && !knows(&variable.name.text) && stands_elsewhere(facts, message, i, *id)
            });
            if let Some((_, hidden)) = hidden.filter(|_| open.is_none()) {
                let text = format!(
                    "`{name}` plays `{action_name}` and chooses `?{0}`, which no message to it contains: a role \
                    knows its own move only from messages, so send it `?{0}`",
                    hidden.name.text
                );
                let finding = facts.at(&RULE, model.domain_file, arg.name.range, text);
                let finding = finding.related(model.domain_file, hidden.name.range, "chosen here");
                let fix = mends::replaced(model.domain_file, arg.name.range, &format!("?{}", hidden.name.text));
                findings.push(finding.offer([fix]));
            }
        }
    }
}

/// The messages that certainly or possibly go to the mover.
fn messages_to<'f, 'a>(facts: &'f Facts<'a>, observe: &'f Observe<'a>, mover: Term) -> Vec<&'f AtomUse<'a>> {
    let named = |term: &Term| *term == mover;
    let apart = observe.recipients.iter().any(|recipient| recipient.receivers.iter().any(|(_, term)| named(term)));
    let gets = |(arg, term): &(&Arg, Term)| {
        named(term) || !arg.is_variable && (arg.name.is("all") || arg.name.is("others") && !apart)
    };
    let own = observe.recipients.iter().filter(|recipient| recipient.receivers.iter().any(gets));
    own.filter_map(|recipient| recipient.message).map(|id| facts.model.atom(id)).collect()
}

/// True if messages of this head have something of the variable's type in this place elsewhere, so that its `u` hides
/// the variable.
fn stands_elsewhere(facts: &Facts, message: &AtomUse, place: usize, variable: VarId) -> bool {
    let model = &facts.model;
    let wanted = &model.variable(variable).types;
    let same = model.uses.iter().filter(|atom| atom.kind == UseKind::Message && atom.name.is(&message.name.text));
    let mut types =
        same.filter_map(|atom| model.terms_of(atom).get(place).copied()).filter(|term| facts.term(*term) != "u");
    types.any(|term| model.types_of(term).is_some_and(|types| types.within(wanted, &model.types)))
}

fn domain_text<'f>(facts: &'f Facts) -> &'f str {
    facts.model.domain_source.map_or("", |source| &source.text)
}

/// The role whose turn the precondition requires.
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

/// A variable for a role that may be the mover and is not among the receivers, which are all named.
fn never_told<'f>(facts: &'f Facts, mover: Term, observes: &[&Observe]) -> Option<&'f str> {
    let model = &facts.model;
    let Term::Variable(variable) = mover else { return None };
    if observes.is_empty() || model.problem.is_none() {
        return None;
    }
    let mut receivers = Vec::new();
    for (arg, term) in observes.iter().flat_map(|it| &it.recipients).flat_map(|recipient| &recipient.receivers) {
        match term {
            Term::Object(id) if !arg.name.is("all") && !arg.name.is("others") => receivers.push(*id),
            Term::Variable(other) if *other != variable => {}
            _ => return None,
        }
    }
    let values = facts.values.as_ref()?.of(variable)?;
    let mut deaf: Vec<&str> =
        values.iter().filter(|id| !receivers.contains(id)).map(|id| model.names.text(model.object(*id).name)).collect();
    deaf.retain(|name| *name != "chance");
    deaf.sort_unstable();
    (!receivers.is_empty()).then_some(())?;
    deaf.first().copied()
}

/// True if a role is, or may be, among the receivers.
fn tells(observe: &Observe, mover: Term) -> bool {
    let reserved = |arg: &Arg| !arg.is_variable && (arg.name.is("all") || arg.name.is("others"));
    observe.recipients.iter().flat_map(|recipient| &recipient.receivers).any(|(arg, term)| {
        // A variable beside a constant, or another variable, may be the mover or not; only two constants certainly
        // differ.
        let differ = matches!((term, mover), (Term::Object(a), Term::Object(b)) if *a != b);
        let both_variables = matches!((term, mover), (Term::Variable(a), Term::Variable(b)) if *a != b);
        reserved(arg) || !differ && !both_variables
    })
}
