//! The field `:observe` of contingent PDDL in place of the effect `observe`.

use crate::pddl::{Facts, file_of};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "contingent-observe", severity: Severity::Warning, page: include_str!("contingent-observe.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for (file, source) in model.sources() {
        let Some(parsed) = file_of(source) else { continue };
        for outside in parsed.outside.iter().filter(|outside| outside.keyword.is(":observe")) {
            let message = "this is contingent PDDL, another language: in POGDDL an action's `:effect` sends \
            percepts, `(observe (p1 (message ...)))`";
            let mut finding = facts.at(&RULE, file, outside.keyword.range, message);
            if !model.is_pogddl {
                finding.severity = Severity::Information;
            }
            findings.push(finding);
        }
    }
}
