//! Actions without any effect.

use crate::pddl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "action-without-effect", severity: Severity::Warning, page: include_str!("action-without-effect.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !facts.domain_is_sound() {
        return;
    }
    for action in model
        .actions
        .iter()
        .filter(|action| action.timed.is_none() && action.action.senses.is_none() && action.effects.is_empty())
    {
        let name = &action.action.name;
        let message = format!("`{}` has no effect: say in `:effect` what it changes", name.text);
        findings.push(facts.at(&RULE, model.domain_file, name.range, message));
    }
}
