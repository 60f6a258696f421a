//! The dependency graph: relations and keywords, from heads to the atoms of their bodies.

use rustc_hash::FxHashMap;

use super::lowered::{RuleId, TermId};
use super::slips;
use super::symbols::{Sym, keyword};
use super::uses::Uses;

/// A rule with head `from` has an atom of `to` in its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub from: Sym,
    pub to: Sym,
    pub negated: bool,
    pub atom: TermId,
    pub rule: RuleId,
}

/// The dependency graph over relation symbols (all arities of a name together).
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The edges, sorted by `from`; in the order of the text for each.
    edges: Vec<Edge>,
    /// Per symbol the index of its first edge.
    starts: Vec<u32>,
    /// Per symbol the number of its strongly connected component.
    components: Vec<u32>,
}

impl Graph {
    pub(crate) fn new(uses: &Uses) -> Self {
        let count = uses.lowered.symbols.len();
        let mut edges = Vec::new();
        for (id, rule) in uses.sound_rules() {
            let Some(head) = rule.head().map(|head| uses.term(head)) else { continue };
            if head.variable().is_some() {
                continue;
            }
            for literal in rule.body() {
                literal.atoms(false, &mut |atom, negated| {
                    let node = uses.term(atom);
                    if node.variable().is_none() {
                        // `(true (succ ?x ?y))`, with a relation inside, is reported and read as the relation.
                        let to = match uses.inner_name(atom) {
                            Some(inner) if node.sym == keyword::TRUE && slips::is_wrapped_relation(uses, inner) => {
                                inner
                            }
                            _ => node.sym,
                        };
                        edges.push(Edge { from: head.sym, to, negated, atom, rule: id });
                    }
                });
            }
        }
        edges.sort_by_key(|edge| edge.from);
        let mut starts = vec![0_u32; count + 1];
        for edge in &edges {
            starts[edge.from.index() + 1] += 1;
        }
        for n in 0..count {
            starts[n + 1] += starts[n];
        }
        let mut graph = Graph { edges, starts, components: Vec::new() };
        graph.components = graph.find_components(count);
        graph
    }

    /// The edges from a symbol to the atoms that its rules read.
    pub(crate) fn edges(&self, from: Sym) -> &[Edge] {
        match self.starts.get(from.index()..from.index() + 2) {
            Some(&[start, end]) => &self.edges[start as usize..end as usize],
            _ => &[],
        }
    }

    pub(crate) fn all_edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The atoms that one rule of a symbol reads.
    pub(crate) fn edges_of_rule(&self, from: Sym, rule: RuleId) -> &[Edge] {
        let all = self.edges(from);
        let start = all.partition_point(|edge| edge.rule < rule);
        let end = all.partition_point(|edge| edge.rule <= rule);
        &all[start..end]
    }

    /// The number of the component of a symbol.
    pub(crate) fn component(&self, sym: Sym) -> Option<u32> {
        self.components.get(sym.index()).copied()
    }

    /// True if both are on a common cycle (or are the same).
    pub(crate) fn same_component(&self, a: Sym, b: Sym) -> bool {
        self.components.get(a.index()) == self.components.get(b.index())
    }

    /// A shortest path from `from` to `to` along at least one edge; `None` if there is none.
    pub(crate) fn path(&self, from: Sym, to: Sym) -> Option<Vec<Edge>> {
        let mut came_by: FxHashMap<Sym, Edge> = FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(sym) = queue.pop_front() {
            for edge in self.edges(sym) {
                if came_by.contains_key(&edge.to) {
                    continue;
                }
                came_by.insert(edge.to, *edge);
                if edge.to == to {
                    let mut path = vec![*edge];
                    while path[path.len() - 1].from != from {
                        let before = path[path.len() - 1].from;
                        path.push(*came_by.get(&before)?);
                    }
                    path.reverse();
                    return Some(path);
                }
                queue.push_back(edge.to);
            }
        }
        None
    }

    /// Tarjan's algorithm (SIAM J. Computing 1972), without recursion.
    fn find_components(&self, count: usize) -> Vec<u32> {
        const UNSEEN: u32 = u32::MAX;
        let mut order = vec![UNSEEN; count];
        let mut low = vec![0_u32; count];
        let mut component = vec![UNSEEN; count];
        let (mut next_order, mut next_component) = (0, 0);
        let (mut stack, mut calls) = (Vec::new(), Vec::new());
        for root in 0..count as u32 {
            if order[root as usize] != UNSEEN {
                continue;
            }
            calls.push((root, self.starts[root as usize]));
            while let Some((node, edge)) = calls.pop() {
                let n = node as usize;
                if order[n] == UNSEEN {
                    order[n] = next_order;
                    low[n] = next_order;
                    next_order += 1;
                    stack.push(node);
                }
                if edge < self.starts[n + 1] {
                    calls.push((node, edge + 1));
                    let to = self.edges[edge as usize].to.0;
                    if order[to as usize] == UNSEEN {
                        calls.push((to, self.starts[to as usize]));
                    } else if component[to as usize] == UNSEEN {
                        low[n] = low[n].min(order[to as usize]);
                    }
                    continue;
                }
                if low[n] == order[n] {
                    while let Some(member) = stack.pop() {
                        component[member as usize] = next_component;
                        if member == node {
                            break;
                        }
                    }
                    next_component += 1;
                }
                if let Some((parent, _)) = calls.last() {
                    low[*parent as usize] = low[*parent as usize].min(low[n]);
                }
            }
        }
        component
    }
}
