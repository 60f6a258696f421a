//! The same variable twice in one list.

use crate::pddl::{Facts, replace};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "duplicate-variable", severity: Severity::Error, page: include_str!("duplicate-variable.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for variable in &model.variables {
        let Some(first) = variable.duplicate_of else { continue };
        let name = &variable.name.text;
        let mut message = format!("`?{name}` is in this list twice: rename or remove one");
        let twin = super::unbound_variable::twin(facts, variable).map(|stray| &stray.name.text);
        if let Some(twin) = twin {
            message =
                format!("`?{name}` is in this list twice, and `?{twin}` is used but not declared: write `?{twin}`");
        }
        let mut finding = facts.at(&RULE, variable.file, variable.name.range, message);
        if let Some(twin) = twin {
            finding.fixes.push(replace(
                format!("Write `?{twin}`"),
                variable.file,
                variable.name.range,
                format!("?{twin}"),
            ));
        }
        findings.push(finding.related(variable.file, model.variable(first).name.range, "the first one"));
    }
}
