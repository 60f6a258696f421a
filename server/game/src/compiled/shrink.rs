//! Smaller circuits for random play: what many gates have in common is computed once.
//!
//! The instances of a rule are gates side by side, as the rules list them, and those of a large rule have most of their
//! operands in common: of the squares from which a king can be threatened after a capture, nearly all are the same
//! whichever piece captures. First, alternatives are written with their common conditions once: `a b or a c` becomes
//! `a (b or c)`. Then pairs of operands that many gates read become a gate of their own, again and again, those that are
//! nearly always together first. (Both are old methods of logic synthesis: factoring, and extraction of common cubes.)
//!
//! Every gate is a conjunction here; a disjunction is the negation of one.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::circuit::{Circuit, Lit, Node, live};
use crate::components::postorder_from;

/// A pair of operands becomes a gate if at least this number of gates reads both.
const SHARED: usize = 4;
/// The number of times that pairs are searched: pairs that are together in a third of their gates are found for certain.
const ROUNDS: u64 = 24;
/// The cost of a gate beside its operands, in operands.
const A_GATE: isize = 1;

/// The place of a node that is not copied: no literal of any circuit.
const NOWHERE: Lit = Lit(u32::MAX);

/// A smaller copy of a circuit.
pub(super) struct Shrunk {
    pub circuit: Circuit,
    /// The new literal of each old node that is a root.
    map: FxHashMap<u32, Lit>,
}

impl Shrunk {
    /// The new literal of a root.
    pub(super) fn lit(&self, old: Lit) -> Lit {
        let new = self.map[&old.node()];
        if old.is_negated() { !new } else { new }
    }
}

/// A smaller copy of what the roots need. `is_apart` picks the leaves that gates read in sets of their own. There must be
/// no fixpoints.
pub(super) fn shrink(old: Circuit, roots: &[Lit], is_apart: &dyn Fn(&Node) -> bool) -> Shrunk {
    let (mut net, place) = Net::of(&old, roots);
    // Large circuits are not kept twice.
    drop(old);
    net.factor();
    let mut pairs = Pairs::of(&net, is_apart);
    (0..ROUNDS).for_each(|round| pairs.round(&mut net, round));
    drop(pairs);
    net.copy(roots, &place)
}

fn placed(place: &[Lit], old: Lit) -> Lit {
    let new = place[old.node() as usize];
    if old.is_negated() { !new } else { new }
}

/// A circuit of conjunctions.
struct Net {
    /// The operands of each node; leaves have none.
    gates: Vec<Vec<Lit>>,
    /// For each node, the number of gates that read it; roots have two more.
    readers: Vec<u32>,
    /// The leaves, by number.
    leaves: Vec<(u32, Node)>,
}

impl Net {
    /// The conjunctions that the roots need, equal ones once, and the literal of each old node.
    fn of(old: &Circuit, roots: &[Lit]) -> (Net, Vec<Lit>) {
        let live = live(old, roots);
        let nodes = || old.nodes().iter().enumerate().filter(|(at, _)| live[*at]);
        let mut readers = vec![0u32; old.nodes().len()];
        roots.iter().for_each(|lit| readers[lit.node() as usize] += 2);
        for (_, node) in nodes() {
            if let Node::And(operands) | Node::Or(operands) = node {
                operands.iter().for_each(|lit| readers[lit.node() as usize] += 1);
            }
        }
        let mut net = Net { gates: Vec::new(), readers: Vec::new(), leaves: Vec::new() };
        let mut place = vec![NOWHERE; old.nodes().len()];
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let mut lits: Vec<Lit> = Vec::new();
        for (at, node) in nodes() {
            let (operands, flip) = match node {
                Node::And(operands) => (operands, false),
                Node::Or(operands) => (operands, true),
                leaf => {
                    let number = net.add(Vec::new());
                    net.leaves.push((number, leaf.clone()));
                    place[at] = Lit::new(number, false);
                    continue;
                }
            };
            lits.clear();
            for &operand in operands {
                let lit = placed(&place, if flip { !operand } else { operand });
                // A conjunction that only this one reads is a part of it.
                let is_part = readers[operand.node() as usize] == 1 && !lit.is_negated();
                match &net.gates[lit.node() as usize][..] {
                    parts @ [_, ..] if is_part => lits.extend_from_slice(parts),
                    _ => lits.push(lit),
                }
            }
            lits.sort_unstable();
            lits.dedup();
            let mut hasher = FxHasher::default();
            lits.hash(&mut hasher);
            let same = numbers.get(&hasher.finish()).copied().filter(|&other| net.gates[other as usize] == lits);
            let gate = same.unwrap_or_else(|| net.add(lits.clone()));
            numbers.insert(hasher.finish(), gate);
            place[at] = Lit::new(gate, flip);
        }
        net.count_readers(roots.iter().map(|&lit| placed(&place, lit)));
        (net, place)
    }

    fn add(&mut self, operands: Vec<Lit>) -> u32 {
        self.gates.push(operands);
        self.readers.push(0);
        self.gates.len() as u32 - 1
    }

    /// Counts the readers of what the roots need, and forgets all other gates. Operands must precede their gates.
    fn count_readers(&mut self, roots: impl Iterator<Item = Lit>) {
        self.readers.fill(0);
        roots.for_each(|lit| self.readers[lit.node() as usize] += 2);
        for at in (0..self.gates.len()).rev() {
            if self.readers[at] == 0 {
                self.gates[at] = Vec::new();
            }
            self.gates[at].iter().for_each(|lit| self.readers[lit.node() as usize] += 1);
        }
    }

    /// Writes the common conditions of alternatives once.
    fn factor(&mut self) {
        let mut work: Vec<u32> = (0..self.gates.len() as u32).collect();
        let mut conditions = Vec::new();
        while let Some(gate) = work.pop() {
            let before = work.len();
            self.factor_gate(gate, &mut conditions, &mut work);
            // The rest may have more in common.
            if work.len() > before {
                work.push(gate);
            }
        }
    }

    /// Takes common conditions out of the alternatives of a gate, the most common ones first; adds the gates of what is
    /// left of them to `made`. `conditions` is a reusable buffer.
    fn factor_gate(&mut self, gate: u32, conditions: &mut Vec<(Lit, u32)>, made: &mut Vec<u32>) {
        conditions.clear();
        for lit in &self.gates[gate as usize] {
            let alternative = lit.node();
            if lit.is_negated() && self.readers[alternative as usize] == 1 {
                conditions.extend(self.gates[alternative as usize].iter().map(|part| (*part, alternative)));
            }
        }
        conditions.sort_unstable();
        let mut groups: Vec<&[(Lit, u32)]> = conditions.chunk_by(|left, right| left.0 == right.0).collect();
        groups.retain(|group| group.len() > 1);
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let mut gone: FxHashSet<u32> = FxHashSet::default();
        for group in groups {
            if group.iter().any(|(_, alternative)| gone.contains(alternative)) {
                continue;
            }
            let alternatives: Vec<u32> = group.iter().map(|(_, alternative)| *alternative).collect();
            if let Some((common, rest)) = self.take_out(&alternatives) {
                gone.extend(alternatives);
                self.gates[gate as usize].push(common);
                made.push(rest);
            }
        }
        self.gates[gate as usize].retain(|lit| !(lit.is_negated() && gone.contains(&lit.node())));
    }

    /// The literal that stands for all these alternatives, and the gate of what is left of them; `None` if it would cost
    /// more than it saves.
    fn take_out(&mut self, alternatives: &[u32]) -> Option<(Lit, u32)> {
        let [first, others @ ..] = alternatives else { return None };
        let mut common = self.gates[*first as usize].clone();
        common.retain(|lit| others.iter().all(|&other| self.gates[other as usize].contains(lit)));
        let left = |alternative: &u32| self.gates[*alternative as usize].len() - common.len();
        let singles = alternatives.iter().filter(|alternative| left(alternative) == 1).count() as isize;
        let (count, shared) = (alternatives.len() as isize, common.len() as isize);
        let saved = (count - 1) * shared + singles - 2 + A_GATE * (singles - 2);
        if saved <= 0 || alternatives.iter().any(|alternative| left(alternative) == 0) {
            return None;
        }
        let mut rest = Vec::with_capacity(alternatives.len());
        for &alternative in alternatives {
            let mut parts = std::mem::take(&mut self.gates[alternative as usize]);
            parts.retain(|lit| !common.contains(lit));
            if let [only] = parts[..] {
                rest.push(!only);
            } else {
                self.gates[alternative as usize] = parts;
                rest.push(Lit::new(alternative, true));
            }
        }
        common.iter().for_each(|lit| self.readers[lit.node() as usize] -= count as u32 - 1);
        let rest = self.add(rest);
        common.push(Lit::new(rest, true));
        let all = self.add(common);
        (self.readers[rest as usize], self.readers[all as usize]) = (1, 1);
        Some((Lit::new(all, true), rest))
    }

    /// The circuit of the roots, which had these places among the nodes.
    fn copy(self, roots: &[Lit], place: &[Lit]) -> Shrunk {
        let at = |root: &Lit| place[root.node() as usize];
        let order = postorder_from(roots.iter().map(|root| at(root).node()), self.gates.len(), |node, edge| {
            self.gates[node as usize].get(edge).map(|lit| lit.node())
        });
        let mut circuit = Circuit::unshared(order.nodes().len());
        let mut new = vec![NOWHERE; self.gates.len()];
        for &node in order.nodes() {
            let leaf = || &self.leaves[self.leaves.binary_search_by_key(&node, |leaf| leaf.0).expect("a leaf")].1;
            new[node as usize] = match &self.gates[node as usize][..] {
                [] => match leaf() {
                    Node::True => Lit::TRUE,
                    Node::Fluent(fluent) => circuit.fluent(*fluent),
                    Node::Move(role, mv) => circuit.does(*role, *mv),
                    other => unreachable!("{other:?} is not a leaf of a round"),
                },
                operands => circuit.and(operands.iter().map(|&lit| placed(&new, lit))),
            };
        }
        let map = roots.iter().map(|root| (root.node(), placed(&new, at(root)))).collect();
        Shrunk { circuit, map }
    }
}

/// The literals that many gates read, each with those gates.
struct Pairs {
    lits: Vec<Lit>,
    /// For each literal, its gates, ascending.
    gates: Vec<Vec<u32>>,
}

impl Pairs {
    /// The literals of all nodes but the leaves that `is_apart` picks.
    fn of(net: &Net, is_apart: &dyn Fn(&Node) -> bool) -> Pairs {
        let long = || net.gates.iter().enumerate().filter(|(_, operands)| operands.len() > 2);
        let mut counts = vec![0usize; net.gates.len() * 2];
        long().for_each(|(_, operands)| operands.iter().for_each(|lit| counts[lit.0 as usize] += 1));
        for (node, _) in net.leaves.iter().filter(|(_, leaf)| is_apart(leaf)) {
            counts[*node as usize * 2..][..2].fill(0);
        }
        let mut place = vec![usize::MAX; counts.len()];
        let mut pairs = Pairs { lits: Vec::new(), gates: Vec::new() };
        for (lit, count) in counts.into_iter().enumerate() {
            if count >= SHARED {
                place[lit] = pairs.lits.len();
                pairs.lits.push(Lit(lit as u32));
                pairs.gates.push(Vec::with_capacity(count));
            }
        }
        for (gate, operands) in long() {
            for lit in operands {
                if let Some(gates) = pairs.gates.get_mut(place[lit.0 as usize]) {
                    gates.push(gate as u32);
                }
            }
        }
        pairs
    }

    /// Compares pairs of literals. The chance that two are compared is the share of their gates that reads both: if gates
    /// are shuffled, it is the chance that both have the same first gate.
    fn round(&mut self, net: &mut Net, round: u64) {
        // At first only literals that are nearly always together.
        let least_share = [2, 3, usize::MAX][(round * 3 / ROUNDS) as usize];
        let mut order: Vec<(u64, u64, usize)> = Vec::with_capacity(self.lits.len());
        for (at, gates) in self.gates.iter().enumerate().filter(|(_, gates)| gates.len() >= SHARED) {
            let hashes = gates.iter().map(|&gate| shuffled(gate, round));
            let (first, second) = hashes.fold((u64::MAX, u64::MAX), |(first, second), hash| {
                (first.min(hash), second.min(hash.rotate_left(32)))
            });
            order.push((first, second, at));
        }
        order.sort_unstable();
        let mut at = 0;
        while let Some(&[(first, _, left), (other, _, right)]) = order.get(at..at + 2).and_then(|it| it.first_chunk()) {
            let is_joined = first == other && self.join(net, left, right, least_share);
            at += if is_joined { 2 } else { 1 };
        }
    }

    /// Makes a gate of two literals if enough gates read both: at least one in `least_share` of those that read the rarer
    /// one.
    fn join(&mut self, net: &mut Net, left: usize, right: usize, least_share: usize) -> bool {
        let both = common(&self.gates[left], &self.gates[right]);
        let rarer = self.gates[left].len().min(self.gates[right].len());
        if both.len() < SHARED || both.len().saturating_mul(least_share) < rarer {
            return false;
        }
        let pair = [self.lits[left], self.lits[right]];
        let lit = Lit::new(net.add(pair.to_vec()), false);
        for &reader in &both {
            let operands = &mut net.gates[reader as usize];
            operands.retain(|lit| !pair.contains(lit));
            operands.push(lit);
        }
        for at in [left, right] {
            self.gates[at].retain(|gate| both.binary_search(gate).is_err());
        }
        self.lits.push(lit);
        self.gates.push(both);
        true
    }
}

/// A number that looks random, and is another one in each round.
fn shuffled(gate: u32, round: u64) -> u64 {
    let mut bits = (u64::from(gate) << 8 | round).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits ^= bits >> 32;
    bits = bits.wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ bits >> 32
}

/// The numbers in both of two ascending lists.
fn common(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut both = Vec::new();
    let (mut at, mut to) = (0, 0);
    while let (Some(one), Some(other)) = (left.get(at), right.get(to)) {
        match one.cmp(other) {
            Ordering::Less => at += 1,
            Ordering::Greater => to += 1,
            Ordering::Equal => {
                both.push(*one);
                (at, to) = (at + 1, to + 1);
            }
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use rand::Rng;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::compiled::{Compiled, Segment};
    use crate::{FluentId, MoveId, RoleId};

    const LEAVES: u32 = 24;

    /// A circuit of random gates over fluents and moves, with few different operands so that gates have many in common.
    fn random(random: &mut Xoshiro256PlusPlus) -> (Circuit, Vec<Lit>) {
        let mut circuit = Circuit::new();
        let mut lits: Vec<Lit> = (0..LEAVES).map(|at| circuit.fluent(FluentId(at))).collect();
        lits.extend((0..LEAVES).map(|at| circuit.does(RoleId(0), MoveId(at))));
        for _ in 0..random.random_range(20..300) {
            let from = if random.random_bool(0.5) { 0 } else { lits.len() - 10 };
            let count = random.random_range(2..12);
            let picked: Vec<Lit> = (0..count).map(|_| lits[random.random_range(from..lits.len())]).collect();
            let operands: Vec<Lit> =
                picked.into_iter().map(|lit| if random.random_bool(0.3) { !lit } else { lit }).collect();
            lits.push(if random.random_bool(0.5) { circuit.and(operands) } else { circuit.or(operands) });
        }
        let roots = (0..30).map(|_| lits[random.random_range(0..lits.len())]).chain([Lit::TRUE, Lit::FALSE]).collect();
        (circuit, roots)
    }

    /// The values of the roots, for 64 values of every leaf.
    fn values(circuit: &Circuit, roots: &[Lit], leaves: &[u64]) -> Vec<u64> {
        let compiled = Compiled::new(circuit, &[Segment::always(roots.to_vec())]);
        let mut values = compiled.values::<1>();
        for at in 0..LEAVES {
            values.set_fluent(FluentId(at), [leaves[at as usize]]);
            values.set_move(RoleId(0), MoveId(at), [leaves[(LEAVES + at) as usize]]);
        }
        values.run(0);
        roots.iter().map(|&root| values.get(root)[0]).collect()
    }

    #[test]
    fn the_roots_have_the_same_values() {
        let mut source = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut saved = 0;
        for round in 0..400 {
            let (circuit, roots) = random(&mut source);
            let leaves: Vec<u64> = (0..2 * LEAVES).map(|_| source.random()).collect();
            let expected = values(&circuit, &roots, &leaves);
            let before = circuit.operand_count();
            let small = shrink(circuit, &roots, &|node| round % 2 == 0 && matches!(node, Node::Move(..)));
            let new: Vec<Lit> = roots.iter().map(|&root| small.lit(root)).collect();
            assert_eq!(values(&small.circuit, &new, &leaves), expected, "circuit {round}");
            saved += before.saturating_sub(small.circuit.operand_count());
        }
        assert!(saved > 0);
    }

    #[test]
    fn common_conditions_of_alternatives_are_written_once() {
        let mut circuit = Circuit::new();
        let lits: Vec<Lit> = (0..12).map(|at| circuit.fluent(FluentId(at))).collect();
        let alternatives: Vec<Lit> = (2..12).map(|at| circuit.and([lits[0], !lits[1], lits[at]])).collect();
        let root = circuit.or(alternatives);
        assert_eq!(circuit.operand_count(), 40);
        assert_eq!(shrink(circuit, &[root], &|_| false).circuit.operand_count(), 13);
    }

    #[test]
    fn sets_that_leave_a_few_out_share_the_others() {
        let mut circuit = Circuit::new();
        let lits: Vec<Lit> = (0..64).map(|at| circuit.fluent(FluentId(at))).collect();
        let all_but = |at: usize| lits.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, lit)| *lit);
        let roots: Vec<Lit> = (0..64).map(|at| circuit.or(all_but(at))).collect();
        assert_eq!(circuit.operand_count(), 64 * 63);
        let operands = shrink(circuit, &roots, &|_| false).circuit.operand_count();
        assert!(operands < 64 * 12, "{operands} operands");
    }
}
