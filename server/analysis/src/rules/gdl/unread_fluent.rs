//! A fluent that is made and never read.

use crate::gdl::{Facts, Space, slips};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "unread-fluent", severity: Severity::Warning, page: include_str!("unread-fluent.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    if facts.has_wildcard(Space::Fluent, false) {
        return;
    }
    for predicate in slips::unused(facts, Space::Fluent) {
        if slips::explains_undefined(facts, predicate) {
            continue;
        }
        let Some(first) = predicate.produced().find(|occurrence| !facts.is_broken(occurrence.rule)) else { continue };
        let name = facts.name(predicate.sym);
        let message = format!("nothing reads the fluent `{name}`: read it with `true`, or remove it");
        findings.push(facts.at(&RULE, facts.term(first.term).name_range(), message).unnecessary());
    }
}
