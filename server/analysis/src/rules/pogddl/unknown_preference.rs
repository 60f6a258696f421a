//! Preferences that a metric counts and no part of the problem states.

use rustc_hash::FxHashSet;

use crate::pddl::{Facts, nearest, replace};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-preference", severity: Severity::Error, page: include_str!("unknown-preference.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !facts.is_whole() {
        return;
    }
    let stated = || model.preferences.iter().map(|(_, name)| name.text.as_str());
    let names: FxHashSet<String> = stated().map(str::to_ascii_lowercase).collect();
    for violation in &model.violations {
        let name = &violation.name.text;
        if names.contains(&name.to_ascii_lowercase()) {
            continue;
        }
        let near = nearest(name, stated());
        let message = match near {
            Some(near) => format!("no preference is called `{name}`: did you mean `{near}`?"),
            None => format!("no preference is called `{name}`: state it with `(preference {name} (...))`"),
        };
        let mut finding = facts.at(&RULE, violation.file, violation.name.range, message);
        if let Some(near) = near {
            finding.fixes.push(replace(format!("Write `{near}`"), violation.file, violation.name.range, near));
        }
        findings.push(finding);
    }
}
