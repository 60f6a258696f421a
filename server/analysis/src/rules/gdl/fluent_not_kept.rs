//! A fluent that holds in the first state only.

use crate::gdl::{Facts, Occurrence, Predicate, Shape, Space, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "fluent-not-kept", severity: Severity::Information, page: include_str!("fluent-not-kept.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let has_next = facts.predicate(Space::Relation, keyword::NEXT).is_some_and(|next| next.produced().next().is_some());
    if !has_next || facts.is_torn(keyword::NEXT) || facts.has_wildcard(Space::Fluent, true) {
        return;
    }
    for predicate in facts.predicates.iter().filter(|predicate| predicate.space == Space::Fluent) {
        lost_values(facts, predicate, findings);
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

/// `(init (coin unset))` where `next` makes coins of other values only, and the value is asked for under `not` alone: from
/// the second state on the negation always holds.
fn lost_values(facts: &Facts, predicate: &Predicate, findings: &mut Findings) {
    let (inits, nexts): (Vec<&Occurrence>, Vec<&Occurrence>) =
        predicate.produced().partition(|occurrence| occurrence.via == keyword::INIT);
    if nexts.is_empty() || facts.is_doubtful(predicate.sym) || facts.has_wildcard(Space::Fluent, false) {
        return;
    }
    for init in inits {
        let rule = &facts.lowered.rules[init.rule as usize];
        let is_ground = rule.variables.is_empty() && facts.term(init.term).arity() > 0;
        if !is_ground || nexts.iter().any(|next| may_make(facts, next, next.term, init.term)) {
            continue;
        }
        let mut readers = predicate.read().filter(|read| facts.same(read.term, init.term)).peekable();
        let Some(first) = readers.peek().map(|read| read.term) else { continue };
        if readers.all(|read| read.negated) {
            let text = facts.text(facts.range(init.term));
            let message = format!(
                "no `next` makes `{text}` again, so its negation always holds after the first round: if it is to stay, add a rule that keeps it"
            );
            let finding = facts.at(&RULE, facts.range(init.term), message);
            findings.push(finding.related(FileId(0), facts.range(first), "asked for here"));
        }
    }
}

/// Whether an instance of the pattern can be the ground term.
fn may_make(facts: &Facts, occurrence: &Occurrence, pattern: TermId, ground: TermId) -> bool {
    let (x, y) = (facts.term(pattern), facts.term(ground));
    match x.shape {
        Shape::Variable(variable) if y.shape == Shape::Constant => {
            facts.domains.variable_can_be(occurrence.rule, variable, y.sym)
        }
        Shape::Variable(_) | Shape::Error => true,
        Shape::Constant | Shape::Compound => {
            x.sym == y.sym
                && x.shape == y.shape
                && x.arity() == y.arity()
                && x.args().zip(y.args()).all(|(a, b)| may_make(facts, occurrence, a, b))
        }
    }
}
