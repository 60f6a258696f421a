//! Derived predicates that an action or the initial state sets.

use crate::pddl::{CallableId, Facts};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "derived-in-effect", severity: Severity::Error, page: include_str!("derived-in-effect.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for i in 0..model.callables.len() {
        let uses = facts.usage.of(CallableId(i as u32));
        let Some(head) = uses.heads.first() else { continue };
        let head = model.atom(*head);
        let name = &head.name.text;
        let mut changes: Vec<_> = uses.adds.iter().chain(&uses.deletes).map(|id| model.atom(*id)).collect();
        changes.sort_by_key(|atom| atom.range);
        if let Some((atom, others)) = changes.split_first() {
            let message = format!("`{name}` follows from its `:derived` rule: an action cannot change it");
            let mut finding = facts.at(&RULE, atom.file, atom.name.range, message);
            finding = finding.related(head.file, head.name.range, "derived here");
            for other in others.iter().take(5) {
                finding = finding.related(other.file, other.name.range, "changed here, too");
            }
            findings.push(finding);
        }
        if let Some(id) = uses.init.first() {
            let atom = model.atom(*id);
            let message = format!("`{name}` follows from its `:derived` rule: it cannot be a fact of `:init`");
            let finding = facts.at(&RULE, atom.file, atom.name.range, message);
            findings.push(finding.related(head.file, head.name.range, "derived here"));
        }
    }
}
