//! One `observe` that sends a role two messages.

use percept_syntax::pddl::Arg;

use crate::pddl::{Facts, Observe, RecipientUse, Term, remove};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "message-sent-twice", severity: Severity::Warning, page: include_str!("message-sent-twice.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for observe in &facts.model.observes {
        one(facts, observe, findings);
    }
}

fn one(facts: &Facts, observe: &Observe, findings: &mut Findings) {
    let model = &facts.model;
    // `others` are the roles that get no other message.
    let receivers: Vec<_> = observe.recipients.iter().flat_map(|recipient| &recipient.receivers).collect();
    for (i, (arg, term)) in receivers.iter().enumerate() {
        let is_all = |arg: &percept_syntax::pddl::Arg| !arg.is_variable && arg.name.is("all");
        let clash = receivers[..i].iter().find(|(other, before)| {
            let others = !arg.is_variable && arg.name.is("others") || !other.is_variable && other.name.is("others");
            !others && (before == term && !matches!(term, Term::Unknown(_)) || is_all(arg) || is_all(other))
        });
        let Some((other, _)) = clash else { continue };
        let shown =
            |arg: &percept_syntax::pddl::Arg| format!("{}{}", if arg.is_variable { "?" } else { "" }, arg.name.text);
        let message = match is_all(arg) || is_all(other) {
            true => "with `all`, this `observe` reaches a role twice: use `others` for the other roles".to_owned(),
            false if in_one_list(observe, arg, other) => {
                format!("`{}` is among these receivers twice: remove one", shown(arg))
            }
            false => format!("this `observe` sends `{}` two messages: join them or remove one", shown(arg)),
        };
        let mut finding = facts.at(&RULE, model.domain_file, arg.name.range, message);
        if in_one_list(observe, arg, other) {
            let title = format!("Remove the second `{}`", shown(arg));
            finding.fixes.push(remove(title, model.domain_source, model.domain_file, arg.name.range));
        }
        findings.push(finding.related(model.domain_file, other.name.range, "sent here already"));
        return;
    }
}

/// True if two receivers get the same message: `(p1 p1 (card ?c))`.
fn in_one_list(observe: &Observe, a: &Arg, b: &Arg) -> bool {
    let holds = |recipient: &RecipientUse, arg: &Arg| recipient.range.contains_range(arg.name.range);
    observe.recipients.iter().any(|recipient| holds(recipient, a) && holds(recipient, b))
}
