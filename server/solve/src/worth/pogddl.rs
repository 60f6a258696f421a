//! Changes of the messages of `observe`.

use percept_syntax::pddl::{Action, Arg, Atom, Condition, Domain, Effect, Recipient, TypedGroup};
use percept_syntax::{Name, TextRange};

use super::{Edit, Source};

/// Names that are in no domain, because they contain characters that are not part of a word.
const SILENCE: &str = "silence of worth";
const SENT: &str = "sent:";
const DID: &str = "did:";

pub(super) fn percepts(domain: &Domain) -> Vec<Source> {
    let mut found = Vec::new();
    for effect in domain.actions.iter().filter_map(|action| action.effect.as_ref()) {
        collect(effect, &mut found);
    }
    found
}

fn collect(effect: &Effect, found: &mut Vec<Source>) {
    match effect {
        Effect::And { parts, .. } => parts.iter().for_each(|part| collect(part, found)),
        Effect::When { effect, .. } | Effect::Forall { effect, .. } => collect(effect, found),
        Effect::Observe { recipients, .. } => {
            found.extend(recipients.iter().map(|it| Source { range: it.range, says: show(it) }));
        }
        _ => {}
    }
}

fn show(recipient: &Recipient) -> String {
    let arg = |arg: &Arg| if arg.is_variable { format!("?{}", arg.name.text) } else { arg.name.text.to_string() };
    let mut words: Vec<String> = recipient.receivers.iter().map(arg).collect();
    if let Some(message) = &recipient.message {
        let mut parts = vec![message.name.text.to_string()];
        parts.extend(message.args.iter().map(arg));
        words.push(format!("({})", parts.join(" ")));
    }
    format!("({})", words.join(" "))
}

fn name(text: &str) -> Name {
    Name::new(text, TextRange::at(0))
}

fn constant(text: &str) -> Arg {
    Arg { name: name(text), is_variable: false }
}

fn all_parts(parts: Vec<Effect>) -> Effect {
    Effect::And { range: TextRange::at(0), keyword: TextRange::at(0), parts }
}

fn observe(recipients: Vec<Recipient>) -> Effect {
    Effect::Observe { range: TextRange::at(0), keyword: TextRange::at(0), recipients }
}

/// Applies a change to a domain.
pub fn edit(domain: &Domain, edit: &Edit) -> Domain {
    let mut domain = domain.clone();
    let mut number = 0;
    for action in &mut domain.actions {
        if *edit == Edit::Announced {
            announce(action);
        } else if let Some(effect) = &mut action.effect {
            change(effect, edit, &mut number);
        }
    }
    domain
}

fn change(effect: &mut Effect, edit: &Edit, number: &mut usize) {
    match effect {
        Effect::And { parts, .. } => parts.iter_mut().for_each(|part| change(part, edit, number)),
        Effect::When { effect, .. } | Effect::Forall { effect, .. } => change(effect, edit, number),
        Effect::Observe { recipients, .. } => {
            let first = *number;
            *number += recipients.len();
            let (Edit::Without(at) | Edit::Only(at, _) | Edit::Public(at)) = edit else { return };
            if (first..*number).contains(at) {
                *effect = changed(recipients, at - first, edit);
            }
        }
        _ => {}
    }
}

/// An `observe` with one of its messages changed.
fn changed(recipients: &[Recipient], at: usize, edit: &Edit) -> Effect {
    let mut recipients = recipients.to_vec();
    let receivers = recipients[at].receivers.clone();
    match edit {
        Edit::Public(_) => {
            let meant: Vec<Arg> = receivers.into_iter().filter(|it| it.is_variable).collect();
            recipients[at].receivers = vec![constant("all")];
            if let Some(message) = recipients[at].message.as_mut().filter(|_| !meant.is_empty()) {
                message.name = name(&format!("{SENT}{}", message.name.text));
                message.args.extend(meant);
            }
            observe(recipients)
        }
        Edit::Only(_, role) if receivers.iter().any(|it| it.is_variable) => {
            let recipient = Recipient { receivers: vec![constant(role)], ..recipients[at].clone() };
            silence(&mut recipients, at);
            let equal =
                |left: &Arg| Condition::Equal { range: TextRange::at(0), left: left.clone(), right: constant(role) };
            let condition = Condition::Or {
                range: TextRange::at(0),
                keyword: TextRange::at(0),
                parts: receivers.iter().map(equal).collect(),
            };
            let when = Effect::When {
                range: TextRange::at(0),
                keyword: TextRange::at(0),
                condition: Box::new(condition),
                effect: Box::new(observe(vec![recipient])),
            };
            all_parts(vec![observe(recipients), when])
        }
        Edit::Only(_, role) => {
            recipients[at].receivers = vec![constant(role)];
            observe(recipients)
        }
        Edit::Without(_) | Edit::Announced => {
            silence(&mut recipients, at);
            observe(recipients)
        }
    }
}

/// Removes a message. If `others` comes later, the receivers get an empty message instead, so that they are not among
/// those others.
fn silence(recipients: &mut Vec<Recipient>, at: usize) {
    let others = |it: &Recipient| it.receivers.iter().any(|arg| !arg.is_variable && arg.name.is("others"));
    if recipients[at + 1..].iter().any(others) {
        recipients[at].message = Some(Atom { range: TextRange::at(0), name: name(SILENCE), args: Vec::new() });
    } else {
        recipients.remove(at);
    }
}

/// Announces the action to all roles.
fn announce(action: &mut Action) {
    let args = action.params.iter().flat_map(|TypedGroup { names, .. }| names);
    let args = args.map(|it| Arg { name: it.clone(), is_variable: true }).collect();
    let message = Atom { range: TextRange::at(0), name: name(&format!("{DID}{}", action.name.text)), args };
    let recipient = Recipient { range: TextRange::at(0), receivers: vec![constant("all")], message: Some(message) };
    let mut parts: Vec<Effect> = action.effect.take().into_iter().collect();
    parts.push(observe(vec![recipient]));
    action.effect = Some(all_parts(parts));
}
