//! A fluent that holds in the first state only.

use crate::gdl::{Facts, Space, keyword};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "fluent-not-kept", severity: Severity::Information, page: include_str!("fluent-not-kept.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let has_next = facts.predicate(Space::Relation, keyword::NEXT).is_some_and(|next| next.produced().next().is_some());
    if !has_next || facts.is_torn(keyword::NEXT) || facts.has_wildcard(Space::Fluent, true) {
        return;
    }
    for predicate in facts.predicates.iter().filter(|predicate| predicate.space == Space::Fluent) {
        let only_init = predicate.produced().all(|occurrence| occurrence.via == keyword::INIT);
        let is_read = predicate.read().any(|occurrence| occurrence.via == keyword::TRUE);
        let Some(first) = predicate.produced().next().filter(|_| only_init && is_read) else { continue };
        if facts.is_broken(first.rule) || facts.is_doubtful(predicate.sym) {
            continue;
        }
        let name = facts.name(predicate.sym);
        let message = format!(
            "no `next` makes the fluent `{name}`: it holds in the first state only; if it is to stay, add a rule for `(next ({name} ...))`"
        );
        findings.push(facts.at(&RULE, facts.term(first.term).name_range(), message));
    }
}
