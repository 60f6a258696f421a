//! A function with different numbers of arguments inside terms.

use crate::gdl::{Facts, Shape, Space, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "function-arity", severity: Severity::Warning, page: include_str!("function-arity.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut first: Vec<Option<TermId>> = vec![None; facts.lowered.symbols.len()];
    for (_, rule) in facts.sound_rules() {
        rule.head().iter().for_each(|head| atom(facts, *head, &mut first, findings));
        for literal in rule.body() {
            literal.atoms(false, &mut |term, _| atom(facts, term, &mut first, findings));
        }
    }
}

fn atom(facts: &Facts, term: TermId, first: &mut [Option<TermId>], findings: &mut Findings) {
    let node = facts.term(term);
    if matches!(node.sym, keyword::SEES | keyword::PERCEPT) {
        return;
    }
    let inner = facts.inner(term).map(|(_, inner)| inner);
    for arg in node.args() {
        inside(facts, arg, Some(arg) == inner, first, findings);
    }
}

fn inside(facts: &Facts, term: TermId, is_top: bool, first: &mut [Option<TermId>], findings: &mut Findings) {
    let node = facts.term(term);
    // `relation-arity` checks fluents and moves themselves.
    if node.shape() == Shape::Compound && !is_top && facts.predicate(Space::Fluent, node.sym).is_none() {
        match first[node.sym.index()] {
            None => first[node.sym.index()] = Some(term),
            Some(other) if facts.term(other).arity() != node.arity() => {
                let (name, here, there) = (facts.spelling(node), node.arity(), facts.term(other).arity());
                let message = format!(
                    "the function `{name}` has {here} arguments here and {there} elsewhere: use the same number everywhere"
                );
                let finding = facts.at(&RULE, node.name_range(), message);
                findings.push(finding.related(FileId(0), facts.range(other), "elsewhere"));
            }
            Some(_) => {}
        }
    }
    node.args().for_each(|arg| inside(facts, arg, false, first, findings));
}
