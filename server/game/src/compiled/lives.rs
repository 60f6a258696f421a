//! The reuse of slots: a value is kept until it has been read for the last time.
//!
//! Values that callers may read, or that another segment reads, have slots of their own; all other slots are used in
//! turn by values of one segment after the other. Segments may be run in any order that their definition allows.

use super::segment::Segment;
use super::within::{Within, operands};
use crate::circuit::{Circuit, Lit, Node};
use crate::components::Components;

/// Marks a value that is never given up.
const NEVER: u32 = u32::MAX;

/// The lives of values. The default keeps all of them.
#[derive(Default)]
pub(super) struct Lives {
    /// For each node, the last node that reads it; [`NEVER`] if its value is kept.
    last: Vec<u32>,
    /// The free slots, the most recently freed one last.
    free: Vec<u32>,
}

impl Lives {
    /// The lives of nodes that are evaluated in this order, each in its segment. If there are fixpoints, which read
    /// values repeatedly, all values are kept.
    pub(super) fn new(
        circuit: &Circuit,
        segments: &[Segment],
        place: &[u8],
        order: &Components,
        within: &Within,
    ) -> Lives {
        if order.nodes().iter().any(|&node| matches!(circuit.nodes()[node as usize], Node::Loop { .. })) {
            return Lives::default();
        }
        let mut last = vec![NEVER; circuit.nodes().len()];
        let mut is_kept: Vec<bool> = circuit.nodes().iter().map(|node| operands(node).is_empty()).collect();
        segments.iter().flat_map(|segment| &segment.roots).for_each(|lit| is_kept[lit.node() as usize] = true);
        for &node in order.nodes() {
            for lit in within.read(circuit, node) {
                let read = lit.node() as usize;
                last[read] = node;
                is_kept[read] |= place[read] != place[node as usize];
            }
        }
        last.iter_mut().zip(is_kept).filter(|(_, is_kept)| *is_kept).for_each(|(last, _)| *last = NEVER);
        Lives { last, free: Vec::new() }
    }

    /// A slot that is free when the node is evaluated, for a value that will free it again. `slot_of`: the slots of
    /// operands.
    pub(super) fn slot(
        &mut self,
        node: u32,
        circuit: &Circuit,
        within: &Within,
        slot_of: impl Fn(Lit) -> u32,
    ) -> Option<u32> {
        let last = *self.last.get(node as usize)?;
        // Values read here for the last time may be overwritten, because all operands are read first.
        for lit in within.read(circuit, node) {
            let read = &mut self.last[lit.node() as usize];
            if *read == node {
                // It may be read twice.
                *read = NEVER;
                self.free.push(slot_of(lit));
            }
        }
        if last == NEVER { None } else { self.free.pop() }
    }
}
