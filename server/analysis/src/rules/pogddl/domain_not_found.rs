//! A problem that is checked without its domain.

use crate::pddl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "domain-not-found", severity: Severity::Information, page: include_str!("domain-not-found.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let Some(wanted) = model.problem.and_then(|problem| problem.domain.as_ref()).filter(|_| model.domain.is_none())
    else {
        return;
    };
    let message = format!(
        "the domain `{}` was not found, so no name of this problem can be checked: put its file beside this one, or \
        name it",
        wanted.text
    );
    findings.push(facts.at(&RULE, model.problem_file, wanted.range, message));
}
