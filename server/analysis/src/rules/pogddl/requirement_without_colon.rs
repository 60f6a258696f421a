//! `pogddl` for `:pogddl`.

use super::missing_requirement::requirements;
use crate::pddl::{Facts, replace};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule = Rule {
    name: "requirement-without-colon",
    severity: Severity::Error,
    page: include_str!("requirement-without-colon.md"),
};

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (file, flag) in requirements(facts) {
        if flag.text.starts_with(':') {
            continue;
        }
        let right = format!(":{}", flag.text);
        let message = format!("requirements begin with a colon: write `{right}`");
        let mut finding = facts.at(&RULE, file, flag.range, message);
        finding.fixes.push(replace(format!("Write `{right}`"), file, flag.range, right).safe());
        findings.push(finding);
    }
}
