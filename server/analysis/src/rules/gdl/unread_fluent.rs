//! A fluent that is made and never read.

use super::mends;
use crate::gdl::{Facts, Space, slips};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unread-fluent", severity: Severity::Warning, page: include_str!("unread-fluent.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    if facts.has_wildcard(Space::Fluent, false) {
        return;
    }
    for predicate in facts.unused(Space::Fluent) {
        if facts.explains_undefined(predicate) {
            continue;
        }
        let Some(first) = predicate.produced().find(|occurrence| !facts.is_broken(occurrence.rule)) else { continue };
        let name = facts.name(predicate.sym);
        let range = facts.term(first.term).name_range();
        // The intended name is one slip away, and is made and read.
        let alive = slips::defined(facts, Space::Fluent).filter(|other| other.read().next().is_some());
        if let Some(near) = slips::meant(facts, predicate, alive) {
            let message = format!("nothing reads the fluent `{name}`: did you mean `{near}`?");
            findings.push(facts.at(&RULE, range, message).offer([mends::rename(
                facts,
                predicate.occurrences.iter().map(|it| it.term),
                near,
            )]));
            continue;
        }
        let message = format!("nothing reads the fluent `{name}`: read it with `true`, or remove it");
        findings.push(facts.at(&RULE, range, message).unnecessary());
    }
}
