//! Predicates that no action changes, for the reader's information.

use super::immutable_predicate::suspicious;
use super::missing_requirement::{normal, requirements};
use crate::pddl::{CallableId, Facts};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "static-predicate", severity: Severity::Hint, page: include_str!("static-predicate.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    // Every game has a board, and boards consist of such predicates.
    if model.is_pogddl || !facts.domain_is_sound() || model.actions.is_empty() {
        return;
    }
    // Timed facts are in the problem.
    let is_timed = requirements(facts).any(|(_, flag)| normal(flag) == ":timed-initial-literals");
    if is_timed && model.problem.is_none() {
        return;
    }
    for i in 0..model.callables.len() as u32 {
        let id = CallableId(i);
        let uses = facts.usage.of(id);
        let callable = model.callable(id);
        let never = facts.is_whole() && uses.init.is_empty();
        if callable.is_function
            || uses.reads.is_empty()
            || never
            || !facts.usage.is_static(&facts.model, id)
            || suspicious(facts, id).is_some()
        {
            continue;
        }
        let message =
            format!("no action changes `{}`: it stays as in the initial state", model.names.text(callable.name));
        findings.push(facts.at(&RULE, model.domain_file, callable.declaration.name.range, message));
    }
}
