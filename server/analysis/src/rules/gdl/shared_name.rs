//! One name for a relation and for a function.

use crate::gdl::{Facts, Shape, Space, TermId, keyword, slips};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "shared-name", severity: Severity::Information, page: include_str!("shared-name.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut functors = vec![None; facts.lowered.symbols.len()];
    for (_, rule) in facts.sound_rules() {
        let tops = |id: &TermId| {
            facts.term(*id).shape() == Shape::Compound
                && !findings.reported_by(&super::unknown_relation::RULE, FileId(0), facts.range(*id))
        };
        for id in rule.terms().filter(tops) {
            for arg in facts.term(id).args() {
                let node = facts.term(arg);
                if node.shape() == Shape::Compound {
                    functors[node.sym.index()].get_or_insert(node.name_range());
                }
            }
        }
    }
    for predicate in facts.predicates.iter().filter(|predicate| predicate.space == Space::Relation) {
        let sym = predicate.sym;
        if keyword::is_relation(sym) || keyword::is_connective(sym) {
            continue;
        }
        // `true` around a relation is reported there.
        let misplaced = [Space::Fluent, Space::Move].into_iter().any(|space| {
            facts
                .predicate(space, sym)
                .is_some_and(|other| !slips::is_made(facts, space, sym) && other.read().next().is_some())
        });
        if misplaced {
            continue;
        }
        let Some(function) = functors[sym.index()] else { continue };
        let (Some(first), true) = (predicate.produced().next(), predicate.read().next().is_some()) else { continue };
        let name = facts.name(sym);
        let message = format!("`{name}` is a relation and also a function inside terms: two names would be clearer");
        let finding = facts.at(&RULE, facts.term(first.term).name_range(), message);
        findings.push(finding.related(FileId(0), function, "a function here"));
    }
}
