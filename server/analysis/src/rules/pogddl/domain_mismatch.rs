//! A problem for another domain.

use crate::pddl::{Facts, replace};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "domain-mismatch", severity: Severity::Error, page: include_str!("domain-mismatch.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let (Some(domain), Some(problem)) = (model.domain, model.problem) else { return };
    let (Some(name), Some(wanted)) = (&domain.name, &problem.domain) else { return };
    if name.is(&wanted.text) {
        return;
    }
    let message = format!("this problem is for the domain `{}`, but the domain is called `{}`", wanted.text, name.text);
    let mut finding = facts.at(&RULE, model.problem_file, wanted.range, message);
    if !model.is_pogddl {
        // Planners receive both files and do not compare the names.
        finding.severity = Severity::Warning;
    }
    finding = finding.related(model.domain_file, name.range, "the domain's name");
    let right = name.text.as_str();
    finding.fixes.push(replace(format!("Write `{right}`"), model.problem_file, wanted.range, right));
    findings.push(finding);
}
