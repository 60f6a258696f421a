//! Actions that wait for each other.

use crate::pddl::{Facts, stuck_actions};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "never-applicable", severity: Severity::Warning, page: include_str!("never-applicable.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !facts.is_whole() {
        return;
    }
    for stuck in stuck_actions(model, &facts.usage) {
        let action = model.actions[stuck.action as usize].action;
        let atom = model.atom(stuck.waits_for);
        let text = facts.quote(atom.file, atom.range);
        let message = format!(
            "`{}` can never be played: it needs `{text}`, which only actions that can never be played make true",
            action.name.text
        );
        let finding = facts.at(&RULE, model.domain_file, action.name.range, message);
        findings.push(finding.related(atom.file, atom.range, "this never holds"));
    }
}
