//! Derived predicates that depend on their own negation.

use percept_syntax::TextRange;
use rustc_hash::FxHashSet;

use crate::pddl::{CallableId, Facts, Formula};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "derived-negation", severity: Severity::Error, page: include_str!("derived-negation.md") };

/// A dependency: the head needs the other predicate.
struct Arrow {
    to: usize,
    positive: bool,
    range: TextRange,
}

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut arrows: Vec<Vec<Arrow>> = Vec::new();
    arrows.resize_with(model.callables.len(), Vec::new);
    for derived in &model.derived {
        let Some(head) = model.atom(derived.head).callable else { continue };
        let mut list = Vec::new();
        collect(facts, &derived.body, &mut list);
        arrows[head.0 as usize].extend(list);
    }
    let component = components(&arrows);
    // Each cycle gets one finding, however many of its dependencies are negative.
    let mut reported = FxHashSet::default();
    for (from, list) in arrows.iter().enumerate() {
        for arrow in list.iter().filter(|arrow| !arrow.positive && component[arrow.to] == component[from]) {
            if !reported.insert(component[from]) {
                continue;
            }
            let name = |index: usize| model.names.text(model.callable(CallableId(index as u32)).name);
            let message = match arrow.to == from {
                true => {
                    format!("`{0}` is defined by its own negation: neither truth value is consistent", name(from))
                }
                false => format!(
                    "`{}` needs the negation of `{}`, which in turn needs `{0}`: break the cycle",
                    name(from),
                    name(arrow.to)
                ),
            };
            findings.push(facts.at(&RULE, model.domain_file, arrow.range, message));
        }
    }
}

fn collect(facts: &Facts, formula: &Formula, into: &mut Vec<Arrow>) {
    match formula {
        Formula::Literal { positive, atom, range } => {
            if let Some(to) = facts.model.atom(*atom).callable {
                into.push(Arrow { to: to.0 as usize, positive: *positive, range: *range });
            }
        }
        Formula::And { parts, .. } | Formula::Or { parts, .. } => {
            parts.iter().for_each(|part| collect(facts, part, into));
        }
        Formula::Exists { body, .. } | Formula::Forall { body, .. } => collect(facts, body, into),
        Formula::Equal { .. } | Formula::Compare { .. } | Formula::Unknown { .. } => {}
    }
}

/// The strongly connected component of every predicate (Tarjan's algorithm, without recursion).
fn components(arrows: &[Vec<Arrow>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = arrows.len();
    let (mut index, mut low, mut component) = (vec![NONE; count], vec![0; count], vec![NONE; count]);
    let (mut clock, mut done, mut open) = (0, 0, Vec::new());
    for start in 0..count {
        let mut path = vec![(start, 0)];
        if index[start] != NONE {
            continue;
        }
        while let Some((at, next)) = path.pop() {
            if next == 0 {
                (index[at], low[at]) = (clock, clock);
                clock += 1;
                open.push(at);
            }
            if let Some(arrow) = arrows[at].get(next) {
                path.push((at, next + 1));
                if index[arrow.to] == NONE {
                    path.push((arrow.to, 0));
                } else if component[arrow.to] == NONE {
                    low[at] = low[at].min(index[arrow.to]);
                }
                continue;
            }
            if low[at] == index[at] {
                while let Some(node) = open.pop() {
                    component[node] = done;
                    if node == at {
                        break;
                    }
                }
                done += 1;
            }
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[at]);
            }
        }
    }
    component
}
