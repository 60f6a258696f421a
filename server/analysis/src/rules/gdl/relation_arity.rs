//! A relation, fluent, move or percept with different numbers of arguments.

use percept_syntax::words::counted;

use crate::gdl::{Facts, Occurrence, Predicate, Space, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "relation-arity", severity: Severity::Warning, page: include_str!("relation-arity.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for predicate in &facts.predicates {
        let is_keyword = keyword::is_relation(predicate.sym) || keyword::is_connective(predicate.sym);
        if predicate.space == Space::Percept || (predicate.space == Space::Relation && is_keyword) {
            continue;
        }
        one(facts, predicate, findings);
    }
}

fn one(facts: &Facts, predicate: &Predicate, findings: &mut Findings) {
    let arity = |occurrence: &Occurrence| facts.term(occurrence.term).arity();
    let Some(first) = sound(facts, predicate).next().map(arity) else { return };
    if sound(facts, predicate).all(|occurrence| arity(occurrence) == first) || facts.is_tainted(predicate.sym) {
        return;
    }
    let (usual, example) = usual_arity(facts, predicate);
    let what = predicate.space.word();
    let name = facts.name(predicate.sym);
    let mut seen = Vec::new();
    for occurrence in &predicate.occurrences {
        let here = arity(occurrence);
        if here == usual || seen.contains(&here) || facts.is_broken(occurrence.rule) {
            continue;
        }
        seen.push(here);
        let made = sound(facts, predicate).any(|other| other.produces() && arity(other) == here);
        let many = |n: usize| counted(n, "argument", "arguments");
        let message = if made {
            format!("the {what} `{name}` has {} here and {usual} elsewhere: use the same number everywhere", many(here))
        } else if occurrence.declares() {
            format!(
                "the {what} `{name}` is declared with {} and made with {usual}: use the same number everywhere",
                many(here)
            )
        } else {
            format!("the {what} `{name}` has {} where it is made: with {here} this can never hold", many(usual))
        };
        let mut finding = facts.at(&RULE, facts.term(occurrence.term).name_range(), message).related(
            FileId(0),
            facts.range(example.term),
            format!("with {}", many(usual)),
        );
        if !made && !occurrence.in_head {
            finding.severity = Severity::Error;
        }
        finding.fixes = super::arguments::proposals(facts, predicate, occurrence, usual);
        findings.push(finding);
    }
}

/// The places in statements without a fault of form.
fn sound<'p>(facts: &'p Facts, predicate: &'p Predicate) -> impl Iterator<Item = &'p Occurrence> {
    predicate.occurrences.iter().filter(|occurrence| !facts.is_broken(occurrence.rule))
}

/// The most frequent number of arguments among the places that make facts (or all places, if nothing does).
fn usual_arity<'p>(facts: &'p Facts, predicate: &'p Predicate) -> (usize, &'p Occurrence) {
    // A statement with a fault of form does not show the number of its head's arguments.
    let makers: Vec<&Occurrence> = predicate.produced().filter(|made| !facts.is_broken(made.rule)).collect();
    // If every reader has one number, the facts with another one are wrong, even if they are the most.
    let read: Vec<usize> = predicate.read().map(|read| facts.term(read.term).arity()).collect();
    let of_readers = read.first().filter(|first| read.len() > 1 && read.iter().all(|arity| arity == *first));
    if let Some(made) = makers.iter().find(|made| Some(&facts.term(made.term).arity()) == of_readers) {
        return (facts.term(made.term).arity(), made);
    }
    let pool = if makers.is_empty() { sound(facts, predicate).collect() } else { makers };
    let mut counts: Vec<(usize, usize, &Occurrence)> = Vec::new();
    for occurrence in pool {
        let arity = facts.term(occurrence.term).arity();
        match counts.iter_mut().find(|count| count.0 == arity) {
            Some(count) => count.1 += 1,
            None => counts.push((arity, 1, occurrence)),
        }
    }
    // If two forms are made equally often, the one used more often elsewhere is the usual one.
    let all = |arity: usize| {
        sound(facts, predicate).filter(|occurrence| facts.term(occurrence.term).arity() == arity).count()
    };
    let best = counts.iter().rev().max_by_key(|count| (count.1, all(count.0)));
    best.map_or((0, &predicate.occurrences[0]), |count| (count.0, count.2))
}
