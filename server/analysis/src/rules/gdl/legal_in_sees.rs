//! `legal` as a condition of a percept.

use crate::gdl::{Facts, Space, keyword};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "legal-in-sees", severity: Severity::Warning, page: include_str!("legal-in-sees.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let Some(legal) = facts.predicate(Space::Relation, keyword::LEGAL) else { return };
    for occurrence in legal.read().filter(|occurrence| !facts.is_broken(occurrence.rule)) {
        let head = facts.lowered.rules[occurrence.rule as usize].head().map(|head| facts.term(head).sym);
        if head != Some(keyword::SEES) {
            continue;
        }
        let range = facts.term(occurrence.term).name_range();
        let message = "`legal` here is about the state before the round, although some games use it: a percept \
        should follow from the state (`true`) and the moves (`does`)";
        findings.push(facts.at(&RULE, range, message));
    }
}
