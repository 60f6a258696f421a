//! The value of every node of a round. When a fluent, a move or a number changes, only the nodes above it are evaluated
//! again, from the leaves up: a move changes a few nodes of many thousands.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::arithmetic::{self, NumberFaults, evaluated};
use crate::circuit::{Circuit, Lit, Node};
use crate::{FluentId, MoveId, RoleId, State};

/// The leaves of a circuit, and which nodes read which.
pub(super) struct Readers {
    /// For each node, the index of its first reader in `readers`, with one final entry.
    begin: Vec<u32>,
    readers: Vec<u32>,
    fluents: Vec<(FluentId, u32)>,
    moves: FxHashMap<(RoleId, MoveId), u32>,
    comparisons: Vec<u32>,
    /// For each group and member, its leaf.
    members: Vec<Vec<Option<u32>>>,
}

impl Readers {
    pub(super) fn new(circuit: &Circuit) -> Readers {
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let mut it = Readers {
            begin: Vec::new(),
            readers: Vec::new(),
            fluents: Vec::new(),
            moves: FxHashMap::default(),
            comparisons: Vec::new(),
            members: circuit.groups().iter().map(|group| vec![None; group.definitions.len()]).collect(),
        };
        for (index, node) in (0..).zip(circuit.nodes()) {
            match node {
                Node::True => {}
                Node::Fluent(fluent) => it.fluents.push((*fluent, index)),
                Node::Move(role, mv) => _ = it.moves.insert((*role, *mv), index),
                Node::And(operands) | Node::Or(operands) => {
                    edges.extend(operands.iter().map(|lit| (lit.node(), index)))
                }
                Node::Loop { group, member } => it.members[*group as usize][*member as usize] = Some(index),
                Node::Compare(_) => it.comparisons.push(index),
            }
        }
        edges.sort_unstable();
        let starts = |node: u32| edges.partition_point(|&(read, _)| read < node) as u32;
        it.begin = (0..=circuit.nodes().len() as u32).map(starts).collect();
        it.readers = edges.into_iter().map(|(_, reader)| reader).collect();
        it
    }

    fn of(&self, node: u32) -> &[u32] {
        let place = |node: u32| self.begin[node as usize] as usize;
        &self.readers[place(node)..place(node + 1)]
    }
}

/// The values in a state in which a joint move is made.
pub(super) struct Values<'a> {
    circuit: &'a Circuit,
    readers: &'a Readers,
    values: Vec<bool>,
    /// Nodes to evaluate again, the lowest first, each once.
    due: BinaryHeap<Reverse<u32>>,
    is_due: Vec<bool>,
    /// The moves that are made.
    made: Vec<u32>,
}

impl<'a> Values<'a> {
    /// The values in a state without moves.
    pub(super) fn new(circuit: &'a Circuit, readers: &'a Readers, state: &State) -> Values<'a> {
        let nodes = circuit.nodes().len();
        let (due, is_due) = (BinaryHeap::new(), vec![false; nodes]);
        let mut it = Values { circuit, readers, values: vec![false; nodes], due, is_due, made: Vec::new() };
        (0..nodes as u32).for_each(|node| it.call(node));
        it.go(state);
        it
    }

    pub(super) fn holds(&self, lit: Lit) -> bool {
        self.values[lit.node() as usize] != lit.is_negated()
    }

    /// Goes to a state without moves.
    pub(super) fn go(&mut self, state: &State) {
        let Readers { fluents, comparisons, .. } = self.readers;
        fluents.iter().for_each(|&(fluent, node)| self.put(node, state.has(fluent)));
        for &node in comparisons {
            let Node::Compare(index) = self.circuit.nodes()[node as usize] else { continue };
            let it = &self.circuit.comparisons()[index as usize];
            // All conditions are evaluated, including those that have no effect: they are not faults.
            let value = |side| evaluated(side, &state.registers, &mut NumberFaults::default());
            self.put(node, arithmetic::holds(it.order, value(&it.left), value(&it.right)));
        }
        self.make(&[]);
    }

    /// Makes a joint move in place of the previous one.
    pub(super) fn make(&mut self, joint: &[MoveId]) {
        std::mem::take(&mut self.made).into_iter().for_each(|node| self.put(node, false));
        for (role, mv) in (0..).map(RoleId).zip(joint) {
            if let Some(&node) = self.readers.moves.get(&(role, *mv)) {
                self.put(node, true);
                self.made.push(node);
            }
        }
        self.settle();
    }

    fn put(&mut self, node: u32, value: bool) {
        if std::mem::replace(&mut self.values[node as usize], value) != value {
            let readers = self.readers;
            readers.of(node).iter().for_each(|&reader| self.call(reader));
        }
    }

    fn call(&mut self, node: u32) {
        if !std::mem::replace(&mut self.is_due[node as usize], true) {
            self.due.push(Reverse(node));
        }
    }

    /// Evaluates the pending nodes. A group depends only on itself and on earlier ones, so one after the other grows
    /// from false to its least solution.
    fn settle(&mut self) {
        let members = &self.readers.members;
        members.iter().flatten().flatten().for_each(|&leaf| self.put(leaf, false));
        self.sweep();
        for (group, leaves) in self.circuit.groups().iter().zip(members) {
            loop {
                let held = group.definitions.iter().zip(leaves).filter(|(lit, _)| self.holds(**lit));
                let grown = held.filter_map(|(_, leaf)| leaf.filter(|leaf| !self.values[*leaf as usize]));
                let grown: Vec<u32> = grown.collect();
                if grown.is_empty() {
                    break;
                }
                grown.into_iter().for_each(|leaf| self.put(leaf, true));
                self.sweep();
            }
        }
    }

    fn sweep(&mut self) {
        while let Some(Reverse(node)) = self.due.pop() {
            self.is_due[node as usize] = false;
            let value = match &self.circuit.nodes()[node as usize] {
                Node::True => true,
                Node::And(operands) => operands.iter().all(|lit| self.holds(*lit)),
                Node::Or(operands) => operands.iter().any(|lit| self.holds(*lit)),
                Node::Fluent(_) | Node::Move(..) | Node::Loop { .. } | Node::Compare(_) => continue,
            };
            self.put(node, value);
        }
    }
}
