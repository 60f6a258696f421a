//! `next` or `legal` as a condition.

use crate::gdl::{Facts, Space, keyword};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "next-in-body", severity: Severity::Warning, page: include_str!("next-in-body.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let Some(next) = facts.predicate(Space::Relation, keyword::NEXT) else { return };
    for occurrence in next.read().filter(|occurrence| !facts.is_broken(occurrence.rule)) {
        let range = facts.term(occurrence.term).name_range();
        let message = "`next` in a body is outside GDL, though some games do it: what a role sees should follow from the \
                       state (`true`) and the moves (`does`)";
        findings.push(facts.at(&RULE, range, message));
    }
}
