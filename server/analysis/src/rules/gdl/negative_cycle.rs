//! A relation that depends on its own negation.

use crate::gdl::{Edge, Facts, RuleId, TermId};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "negative-cycle", severity: Severity::Error, page: include_str!("negative-cycle.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let mut edges: Vec<&Edge> = facts
        .graph
        .all_edges()
        .iter()
        .filter(|edge| edge.negated && facts.graph.same_component(edge.from, edge.to))
        .collect();
    edges.sort_by_key(|edge| facts.range(edge.atom).start);
    let mut reported = Vec::new();
    for edge in edges {
        if reported.iter().any(|sym| facts.graph.same_component(*sym, edge.from)) {
            continue;
        }
        reported.push(edge.from);
        let (from, to) = (facts.name(edge.from), facts.name(edge.to));
        let message = match from == to {
            true => format!("`{from}` depends on its own negation: neither truth value would be right"),
            false => {
                format!("`{from}` needs `not {to}`, and `{to}` depends on `{from}`: neither truth value would be right")
            }
        };
        let mut finding = facts.at(&RULE, facts.range(edge.atom), message);
        if !reaches_itself(facts, edge) {
            finding.message = format!(
                "`{from}` is read under `not` in its own rules; no instance depends on its own negation, so the rules have a \
                 meaning, but GDL asks for more and other programs may refuse them: use a relation of its own for what `not` tests"
            );
            finding.severity = Severity::Warning;
        }
        if edge.from != edge.to {
            for step in facts.graph.path(edge.to, edge.from).unwrap_or_default() {
                let word = format!("`{}` depends on `{}`", facts.name(step.from), facts.name(step.to));
                finding = finding.related(FileId(0), facts.range(step.atom), word);
            }
        }
        findings.push(finding);
    }
}

/// Whether the cycle is there instance by instance: from the negated atom by rules whose heads match, constants and all,
/// back to the rule of the edge.
fn reaches_itself(facts: &Facts, edge: &Edge) -> bool {
    let mut seen = vec![edge.rule];
    let mut todo = vec![edge.atom];
    let rules: Vec<(RuleId, TermId)> = facts.sound_rules().filter_map(|(id, rule)| Some((id, rule.head?))).collect();
    while let Some(atom) = todo.pop() {
        let sym = facts.term(atom).sym;
        for (id, _) in rules.iter().filter(|(_, head)| facts.term(*head).sym == sym && may_match(facts, *head, atom)) {
            if *id == edge.rule {
                return true;
            }
            if !seen.contains(id) {
                seen.push(*id);
                let reads = facts.graph.edges(sym).iter().filter(|other| other.rule == *id);
                todo.extend(reads.filter(|other| facts.graph.same_component(other.to, sym)).map(|other| other.atom));
            }
        }
    }
    false
}

/// Whether two atoms can be the same, variables standing for anything.
fn may_match(facts: &Facts, a: TermId, b: TermId) -> bool {
    let (x, y) = (facts.term(a), facts.term(b));
    if x.variable().is_some() || y.variable().is_some() {
        return true;
    }
    x.sym == y.sym && x.arity() == y.arity() && x.args().zip(y.args()).all(|(a, b)| may_match(facts, a, b))
}
