//! Unknown requirement flags.

use super::missing_requirement::{normal, requirements};
use crate::pddl::{FLAGS, Facts, features_of, nearest, replace};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-requirement", severity: Severity::Warning, page: include_str!("unknown-requirement.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (file, flag) in requirements(facts) {
        if features_of(&normal(flag)).is_some() {
            continue;
        }
        let near = nearest(&normal(flag), FLAGS);
        let message = match near {
            Some(near) => format!("`{}` is not a requirement: did you mean `{near}`?", flag.text),
            None => format!("`{}` is not a requirement of PDDL or POGDDL: remove it", flag.text),
        };
        let mut finding = facts.at(&RULE, file, flag.range, message);
        if let Some(near) = near {
            finding.fixes.push(replace(format!("Write `{near}`"), file, flag.range, near));
        }
        findings.push(finding);
    }
}
