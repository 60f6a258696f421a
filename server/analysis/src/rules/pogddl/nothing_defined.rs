//! A file without a definition.

use percept_syntax::TextRange;

use crate::pddl::Facts;
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "nothing-defined", severity: Severity::Error, page: include_str!("nothing-defined.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let Some(source) = model.domain_source else { return };
    if model.domain.is_some() || model.problem.is_some() || !source.errors.is_empty() {
        return;
    }
    let message = "this file defines nothing: write `(define (domain name) ...)` or `(define (problem name) ...)`";
    findings.push(facts.at(&RULE, FileId(0), TextRange::at(0), message));
}
