//! Recursion that can build ever larger terms.

use crate::gdl::{Facts, Literal, RuleNode, TermId};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unbounded-recursion", severity: Severity::Error, page: include_str!("unbounded-recursion.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        let Some(head) = rule.head().filter(|head| facts.term(*head).variable().is_none()) else { continue };
        if !rule.body().is_empty() {
            one(facts, rule, head, findings);
        }
    }
}

fn one(facts: &Facts, rule: &RuleNode, head: TermId, findings: &mut Findings) {
    let (sym, arity) = (facts.term(head).sym, facts.term(head).arity());
    let mut atoms = Vec::new();
    positive(rule.body(), &mut atoms);
    let (cyclic, others): (Vec<TermId>, Vec<TermId>) =
        atoms.into_iter().partition(|atom| facts.graph.same_component(facts.term(*atom).sym, sym));
    for atom in cyclic {
        // A name with two arities is two relations; another rule reports this.
        if facts.term(atom).sym == sym && facts.term(atom).arity() != arity {
            continue;
        }
        for arg in facts.term(atom).args() {
            let found = |holder: TermId| facts.term(holder).args().any(|other| facts.same(arg, other));
            let bounded = |other: &TermId| found(*other) || contains_variable(facts, *other, arg);
            if is_ground(facts, arg) || found(head) || others.iter().any(bounded) {
                continue;
            }
            let message = format!(
                "the recursion through `{}` is not bounded at `{}`: in a recursive literal an argument must be a \
                constant, \
                 an argument of the head, or an argument of a literal outside the recursion",
                facts.name(sym),
                facts.text(facts.range(arg)),
            );
            let finding = facts.at(&RULE, facts.range(arg), message);
            findings.push(finding.related(FileId(0), facts.range(head), "the recursion returns to this head"));
            return;
        }
    }
}

fn positive(literals: &[Literal], atoms: &mut Vec<TermId>) {
    for literal in literals {
        match literal {
            Literal::Atom(atom) => atoms.push(*atom),
            Literal::And { parts, .. } | Literal::Or { parts, .. } => positive(parts, atoms),
            Literal::Not { .. } | Literal::Distinct { .. } => {}
        }
    }
}

/// A variable inside a fluent, as in `(true (edge ?x ?y))`, is bounded by the state.
fn contains_variable(facts: &Facts, holder: TermId, arg: TermId) -> bool {
    facts.term(arg).variable().is_some()
        && facts.term(holder).args().any(|part| facts.same(part, arg) || contains_variable(facts, part, arg))
}

fn is_ground(facts: &Facts, term: TermId) -> bool {
    let node = facts.term(term);
    node.variable().is_none() && node.args().all(|arg| is_ground(facts, arg))
}
