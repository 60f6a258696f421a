//! Receivers of messages that are not roles.

use crate::pddl::{Facts, Term, is_reserved};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "receiver-no-role", severity: Severity::Error, page: include_str!("receiver-no-role.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let Some(role) = model.names.get("role").and_then(|name| model.types.get(name)) else { return };
    if !model.types.is_known(role) {
        return;
    }
    for recipient in model.observes.iter().flat_map(|observe| &observe.recipients) {
        for (arg, term) in &recipient.receivers {
            if !arg.is_variable && is_reserved(&arg.name) || matches!(term, Term::Unknown(_)) {
                continue;
            }
            let Some(types) = model.types_of(*term).filter(|types| types.is_known(&model.types)) else { continue };
            if types.as_slice().iter().all(|ty| model.types.is_subtype(*ty, role)) {
                continue;
            }
            let name = facts.term(*term);
            let found = super::argument_type::describe(facts, types);
            let message = match arg.name.is("u") && !arg.is_variable {
                true => "`u` marks a hidden argument and is not a receiver: name a role, `all` or `others`".to_owned(),
                false => {
                    format!("`{name}` is a `{found}`, and only roles receive messages: name a role, `all` or `others`")
                }
            };
            findings.push(facts.at(&RULE, model.domain_file, arg.name.range, message));
        }
    }
}
