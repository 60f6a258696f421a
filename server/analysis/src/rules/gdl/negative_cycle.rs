//! A relation that depends on its own negation.

use std::cell::LazyCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::{Edge, Facts, RuleId, Sym, TermId};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "negative-cycle", severity: Severity::Error, page: include_str!("negative-cycle.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut edges: Vec<&Edge> = facts
        .graph
        .all_edges()
        .iter()
        .filter(|edge| edge.negated && facts.graph.same_component(edge.from, edge.to))
        .collect();
    edges.sort_by_key(|edge| facts.range(edge.atom).start);
    let mut reported = FxHashSet::default();
    let heads = LazyCell::new(|| Heads::new(facts));
    for edge in edges {
        if !reported.insert(facts.graph.component(edge.from)) {
            continue;
        }
        let (from, to) = (facts.name(edge.from), facts.name(edge.to));
        let message = match from == to {
            true => format!("`{from}` depends on its own negation: neither truth value is consistent"),
            false => {
                format!("`{from}` needs `not {to}`, and `{to}` depends on `{from}`: neither truth value is consistent")
            }
        };
        let mut finding = facts.at(&RULE, facts.range(edge.atom), message);
        if !heads.reach_themselves(facts, edge) {
            finding.message = format!(
                "`{from}` is read under `not` in its own rules: no instance depends on its own negation, but GDL \
                forbids this and other programs may refuse it; define another relation for the negated condition"
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

/// The rules of every relation with their heads.
struct Heads(FxHashMap<Sym, Vec<(RuleId, TermId)>>);

impl Heads {
    fn new(facts: &Facts) -> Heads {
        let mut heads: FxHashMap<Sym, Vec<(RuleId, TermId)>> = FxHashMap::default();
        for (id, rule) in facts.sound_rules() {
            if let Some(head) = rule.head() {
                heads.entry(facts.term(head).sym).or_default().push((id, head));
            }
        }
        Heads(heads)
    }

    /// True if the cycle exists for instances: from the negated atom, by rules whose heads match including constants,
    /// back to the rule of the edge.
    fn reach_themselves(&self, facts: &Facts, edge: &Edge) -> bool {
        /// The most pairs of an atom and a head that are compared. With more pairs it is an error by GDL's definition:
        /// no relation may depend on its own negation, even if its instances do not.
        const PATIENCE: usize = 2_000_000;
        let mut seen = FxHashSet::from_iter([edge.rule]);
        let mut todo = vec![edge.atom];
        let mut tried = 0;
        while let Some(atom) = todo.pop() {
            let sym = facts.term(atom).sym;
            let rules = self.0.get(&sym).map_or(&[][..], |rules| rules);
            tried += rules.len();
            if tried > PATIENCE {
                return true;
            }
            for (id, _) in rules.iter().filter(|(_, head)| may_match(facts, *head, atom)) {
                if *id == edge.rule {
                    return true;
                }
                if seen.insert(*id) {
                    let reads = facts.graph.edges_of_rule(sym, *id).iter();
                    let within = reads.filter(|other| facts.graph.same_component(other.to, sym));
                    todo.extend(within.map(|other| other.atom));
                }
            }
        }
        false
    }
}

/// True if two atoms can be the same, with variables that match any term.
fn may_match(facts: &Facts, a: TermId, b: TermId) -> bool {
    let (x, y) = (facts.term(a), facts.term(b));
    if x.variable().is_some() || y.variable().is_some() {
        return true;
    }
    x.sym == y.sym && x.arity() == y.arity() && x.args().zip(y.args()).all(|(a, b)| may_match(facts, a, b))
}
