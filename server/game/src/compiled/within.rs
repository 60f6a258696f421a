//! Gates that are evaluated within another one: `not (a and b)` has no place of its own if only one gate reads it.
//!
//! The instances of a rule are such gates: an alternative with two conditions, or with one and a negation. Half of the
//! gates of large games are. Each would cost its own value, written and read, and a loop whose end the processor must
//! predict; read as a pair of operands, it costs the two reads.

use super::segment::{NO_SEGMENT, Segment};
use crate::circuit::{Circuit, Lit, Node};

/// The reader of a node that has none, or several, or that is evaluated on its own.
const NONE: u32 = u32::MAX;

/// The gates that are evaluated within others.
pub(super) struct Within {
    is_within: Vec<bool>,
}

/// The operands of a gate as a conjunction, and true if its value is the negation of that.
pub(super) fn conjunction(node: &Node) -> Option<(&[Lit], bool)> {
    match node {
        Node::And(operands) => Some((operands, false)),
        Node::Or(operands) => Some((operands, true)),
        _ => None,
    }
}

/// The operands of a gate; nothing for other nodes.
pub(super) fn operands(node: &Node) -> &[Lit] {
    conjunction(node).map_or(&[], |(operands, _)| operands)
}

/// True if a conjunction that reads this literal, or its negation with `flip`, reads the negation of a slot: a
/// disjunction is kept as the conjunction that it negates.
pub(super) fn is_read_negated(nodes: &[Node], lit: Lit, flip: bool) -> bool {
    lit.is_negated() ^ flip ^ matches!(nodes[lit.node() as usize], Node::Or(_))
}

impl Within {
    /// No gate is evaluated within another.
    pub(super) fn none(circuit: &Circuit) -> Within {
        Within { is_within: vec![false; circuit.nodes().len()] }
    }

    /// The gates of two operands whose negated conjunction one gate of the same segment reads, and nothing else. `place`
    /// is the segment of each node. Gates that `is_apart` picks stay as they are.
    pub(super) fn new(circuit: &Circuit, segments: &[Segment], place: &[u8], is_apart: &dyn Fn(u32) -> bool) -> Within {
        let nodes = circuit.nodes();
        let mut reader = vec![NONE; nodes.len()];
        let mut is_alone = vec![false; nodes.len()];
        segments.iter().flat_map(|segment| &segment.roots).for_each(|lit| is_alone[lit.node() as usize] = true);
        for (at, node) in nodes.iter().enumerate().filter(|(at, _)| place[*at] != NO_SEGMENT) {
            let Some((operands, flip)) = conjunction(node) else { continue };
            for lit in operands {
                let read = lit.node() as usize;
                let is_negated = is_read_negated(nodes, *lit, flip);
                is_alone[read] |= reader[read] != NONE || !is_negated || place[read] != place[at];
                reader[read] = at as u32;
            }
        }
        // Readers come after what they read. A gate within another one is read where that is read.
        let mut within = Within::none(circuit);
        for (at, node) in nodes.iter().enumerate().rev() {
            within.is_within[at] = operands(node).len() == 2
                && !is_alone[at]
                && reader[at] != NONE
                && !within.has(reader[at])
                && !is_apart(at as u32);
        }
        within
    }

    /// True if the node is evaluated within another.
    pub(super) fn has(&self, node: u32) -> bool {
        self.is_within[node as usize]
    }

    /// The literals that a gate reads: its operands, or those of the gates within it.
    pub(super) fn read<'c>(&'c self, circuit: &'c Circuit, node: u32) -> impl Iterator<Item = Lit> + use<'c> {
        let of = |node: u32| operands(&circuit.nodes()[node as usize]);
        of(node).iter().flat_map(move |lit| {
            let within = if self.has(lit.node()) { of(lit.node()) } else { std::slice::from_ref(lit) };
            within.iter().copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use crate::FluentId;
    use crate::circuit::{Circuit, Lit, Node, live};
    use crate::compiled::{Compiled, Segment};

    const LEAVES: u32 = 12;

    /// A circuit of random gates, most of them with two operands, and two segments of roots.
    fn random(random: &mut Xoshiro256PlusPlus) -> (Circuit, [Segment; 2]) {
        let mut circuit = Circuit::new();
        let mut lits: Vec<Lit> = (0..LEAVES).map(|at| circuit.fluent(FluentId(at))).collect();
        for _ in 0..random.random_range(20..200) {
            let count = if random.random_bool(0.7) { 2 } else { random.random_range(3..6) };
            let mut picked = || {
                let lit = lits[random.random_range(0..lits.len())];
                if random.random_bool(0.5) { !lit } else { lit }
            };
            let operands: Vec<Lit> = (0..count).map(|_| picked()).collect();
            lits.push(if random.random_bool(0.5) { circuit.and(operands) } else { circuit.or(operands) });
        }
        let mut roots = || (0..5).map(|_| lits[random.random_range(0..lits.len())]).collect();
        (circuit, [Segment::always(roots()), Segment::always(roots())])
    }

    /// Every gate, from its operands alone.
    fn expected(circuit: &Circuit, leaves: &[u64]) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        for node in circuit.nodes() {
            let of = |lit: &Lit| values[lit.node() as usize] ^ if lit.is_negated() { !0 } else { 0 };
            values.push(match node {
                Node::Fluent(fluent) => leaves[fluent.0 as usize],
                Node::And(operands) => operands.iter().map(of).fold(!0, |all, one| all & one),
                Node::Or(operands) => operands.iter().map(of).fold(0, |any, one| any | one),
                _ => !0,
            });
        }
        values
    }

    #[test]
    fn gates_within_others_leave_the_roots_as_they_are() {
        let mut source = Xoshiro256PlusPlus::seed_from_u64(11);
        let (mut within, mut gates) = (0, 0);
        for round in 0..500 {
            let (circuit, segments) = random(&mut source);
            let compiled = Compiled::compact(&circuit, &segments, &[]);
            let leaves: Vec<u64> = (0..LEAVES).map(|_| source.random()).collect();
            let mut words = compiled.values::<1>();
            (0..LEAVES).for_each(|at| words.set_fluent(FluentId(at), [leaves[at as usize]]));
            let expected = expected(&circuit, &leaves);
            for (at, segment) in segments.iter().enumerate() {
                words.run(at);
                for root in &segment.roots {
                    let value = expected[root.node() as usize] ^ if root.is_negated() { !0 } else { 0 };
                    assert_eq!(words.get(*root), [value], "circuit {round}, {root:?}");
                }
            }
            within += compiled.gate_count() - compiled.gates.len();
            let roots: Vec<Lit> = segments.iter().flat_map(|segment| segment.roots.clone()).collect();
            let is_gate = |node: &Node| matches!(node, Node::And(_) | Node::Or(_));
            let live = live(&circuit, &roots);
            let needed = circuit.nodes().iter().zip(live).filter(|(node, live)| *live && is_gate(node)).count();
            assert_eq!(compiled.gate_count(), needed, "circuit {round}");
            gates += needed;
        }
        assert!(within * 10 > gates, "{within} of {gates} gates are within others");
    }
}
