//! A quantifier's variable that hides another one.

use crate::pddl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "shadowed-variable", severity: Severity::Warning, page: include_str!("shadowed-variable.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for variable in &model.variables {
        let Some(outer) = variable.shadows else { continue };
        let name = &variable.name.text;
        let message = format!("this `?{name}` hides the `?{name}` further out: give it another name");
        let finding = facts.at(&RULE, variable.file, variable.name.range, message);
        findings.push(finding.related(variable.file, model.variable(outer).name.range, "the hidden one"));
    }
}
