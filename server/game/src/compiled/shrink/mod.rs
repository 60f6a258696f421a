//! Smaller circuits for random play: what many gates have in common is computed once.
//!
//! The instances of a rule are gates side by side, as the rules list them, and those of a large rule have most of their
//! operands in common: of the squares from which a king can be threatened after a capture, nearly all are the same
//! whichever piece captures. First, alternatives are written with their common conditions once: `a b or a c` becomes
//! `a (b or c)`. Then pairs of operands that many gates read become a gate of their own, again and again, those that are
//! nearly always together first. (Both are old methods of logic synthesis: factoring, and extraction of common cubes.)
//!
//! Every gate is a conjunction here; a disjunction is the negation of one.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::circuit::{Circuit, Lit, Node};
use crate::components::postorder_from;
use crate::ids::Ids;

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
    pairs.write(&mut net);
    net.copy(roots, &place)
}

fn placed(place: &[Lit], old: Lit) -> Lit {
    let new = place[old.node() as usize];
    if old.is_negated() { !new } else { new }
}

/// The place of a gate's operands among those of all gates.
#[derive(Clone, Copy)]
struct Place {
    start: u32,
    count: u32,
}

/// A circuit of conjunctions. The operands of a gate never become more, so all are in one list.
struct Net {
    operands: Vec<Lit>,
    /// The place of each node's operands; leaves have none.
    gates: Vec<Place>,
    /// For each node, the number of gates that read it; roots have two more.
    readers: Vec<u32>,
    /// The leaves, each with its number.
    leaves: Vec<(u32, Node)>,
}

impl Net {
    /// The conjunctions that the roots need, equal ones once, and the literal of each old node.
    fn of(old: &Circuit, roots: &[Lit]) -> (Net, Vec<Lit>) {
        let mut readers = vec![0u32; old.nodes().len()];
        roots.iter().for_each(|lit| readers[lit.node() as usize] += 2);
        let (mut count, mut operand_count) = (0, 0);
        for (at, node) in old.nodes().iter().enumerate().rev() {
            if readers[at] == 0 {
                continue;
            }
            count += 1;
            if let Node::And(operands) | Node::Or(operands) = node {
                operands.iter().for_each(|lit| readers[lit.node() as usize] += 1);
                operand_count += operands.len();
            }
        }
        let mut net = Net::with_room(count, operand_count);
        let mut place = vec![NOWHERE; old.nodes().len()];
        let mut numbers = Ids::default();
        numbers.reserve(count);
        let mut lits: Vec<Lit> = Vec::new();
        for (at, node) in old.nodes().iter().enumerate().filter(|(at, _)| readers[*at] > 0) {
            let (operands, flip) = match node {
                Node::And(operands) => (operands, false),
                Node::Or(operands) => (operands, true),
                leaf => {
                    let number = net.add(&[]);
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
                match net.parts(lit.node()) {
                    parts @ [_, ..] if is_part => lits.extend_from_slice(parts),
                    _ => lits.push(lit),
                }
            }
            lits.sort_unstable();
            lits.dedup();
            let mut hasher = FxHasher::default();
            lits.hash(&mut hasher);
            let fresh = net.gates.len() as u32;
            let gate = numbers.find_or_insert(hasher.finish(), fresh, |other| net.parts(other) == lits);
            if gate == fresh {
                net.add(&lits);
            }
            place[at] = Lit::new(gate, flip);
        }
        net.count_readers(roots.iter().map(|&lit| placed(&place, lit)));
        (net, place)
    }

    fn with_room(gates: usize, operands: usize) -> Net {
        Net {
            operands: Vec::with_capacity(operands),
            gates: Vec::with_capacity(gates),
            readers: Vec::with_capacity(gates),
            leaves: Vec::new(),
        }
    }

    fn add(&mut self, operands: &[Lit]) -> u32 {
        self.gates.push(Place { start: self.operands.len() as u32, count: operands.len() as u32 });
        self.operands.extend_from_slice(operands);
        self.readers.push(0);
        self.gates.len() as u32 - 1
    }

    /// The operands of a node.
    fn parts(&self, node: u32) -> &[Lit] {
        let Place { start, count } = self.gates[node as usize];
        &self.operands[start as usize..][..count as usize]
    }

    /// Removes all operands of a gate but those that `keep` picks.
    fn retain(&mut self, gate: u32, mut keep: impl FnMut(Lit) -> bool) {
        let Place { start, count } = &mut self.gates[gate as usize];
        let parts = &mut self.operands[*start as usize..][..*count as usize];
        let mut kept = 0;
        for at in 0..parts.len() {
            let lit = parts[at];
            parts[kept] = lit;
            kept += usize::from(keep(lit));
        }
        *count = kept as u32;
    }

    /// Adds an operand to a gate in the room of one that was removed.
    fn push(&mut self, gate: u32, lit: Lit) {
        let Place { start, count } = &mut self.gates[gate as usize];
        self.operands[(*start + *count) as usize] = lit;
        *count += 1;
    }

    /// Counts the readers of what the roots need, and forgets all other gates. Operands must precede their gates.
    fn count_readers(&mut self, roots: impl Iterator<Item = Lit>) {
        self.readers.fill(0);
        roots.for_each(|lit| self.readers[lit.node() as usize] += 2);
        for at in (0..self.gates.len()).rev() {
            let Place { start, count } = &mut self.gates[at];
            if self.readers[at] == 0 {
                *count = 0;
            }
            let parts = &self.operands[*start as usize..][..*count as usize];
            parts.iter().for_each(|lit| self.readers[lit.node() as usize] += 1);
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
    /// left of them to `made`. `conditions` is a reusable buffer: literals, each with its alternative in the lower half.
    fn factor_gate(&mut self, gate: u32, conditions: &mut Vec<u64>, made: &mut Vec<u32>) {
        conditions.clear();
        for lit in self.parts(gate) {
            let alternative = lit.node();
            if lit.is_negated() && self.readers[alternative as usize] == 1 {
                let parts = self.parts(alternative).iter();
                conditions.extend(parts.map(|part| u64::from(part.0) << 32 | u64::from(alternative)));
            }
        }
        conditions.sort_unstable();
        let same = |left: &u64, right: &u64| left >> 32 == right >> 32;
        let mut groups: Vec<&[u64]> = conditions.chunk_by(same).filter(|group| group.len() > 1).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let mut gone: FxHashSet<u32> = FxHashSet::default();
        let mut added = Vec::new();
        for group in groups {
            if group.iter().any(|&condition| gone.contains(&(condition as u32))) {
                continue;
            }
            let alternatives: Vec<u32> = group.iter().map(|&condition| condition as u32).collect();
            if let Some((common, rest)) = self.take_out(&alternatives) {
                gone.extend(alternatives);
                added.push(common);
                made.push(rest);
            }
        }
        if !gone.is_empty() {
            self.retain(gate, |lit| !(lit.is_negated() && gone.contains(&lit.node())));
            added.into_iter().for_each(|common| self.push(gate, common));
        }
    }

    /// The literal that stands for all these alternatives, and the gate of what is left of them; `None` if it would cost
    /// more than it saves.
    fn take_out(&mut self, alternatives: &[u32]) -> Option<(Lit, u32)> {
        let [first, others @ ..] = alternatives else { return None };
        let mut common = self.parts(*first).to_vec();
        common.retain(|lit| others.iter().all(|&other| self.parts(other).contains(lit)));
        let left = |alternative: &u32| self.parts(*alternative).len() - common.len();
        let singles = alternatives.iter().filter(|alternative| left(alternative) == 1).count() as isize;
        let (count, shared) = (alternatives.len() as isize, common.len() as isize);
        let saved = (count - 1) * shared + singles - 2 + A_GATE * (singles - 2);
        if saved <= 0 || alternatives.iter().any(|alternative| left(alternative) == 0) {
            return None;
        }
        let mut rest = Vec::with_capacity(alternatives.len());
        for &alternative in alternatives {
            self.retain(alternative, |lit| !common.contains(&lit));
            if let [only] = *self.parts(alternative) {
                self.gates[alternative as usize].count = 0;
                rest.push(!only);
            } else {
                rest.push(Lit::new(alternative, true));
            }
        }
        common.iter().for_each(|lit| self.readers[lit.node() as usize] -= count as u32 - 1);
        let rest = self.add(&rest);
        common.push(Lit::new(rest, true));
        let all = self.add(&common);
        (self.readers[rest as usize], self.readers[all as usize]) = (1, 1);
        Some((Lit::new(all, true), rest))
    }

    /// The circuit of the roots, which had these places among the nodes.
    fn copy(self, roots: &[Lit], place: &[Lit]) -> Shrunk {
        let at = |root: &Lit| place[root.node() as usize];
        let order = postorder_from(roots.iter().map(|root| at(root).node()), self.gates.len(), |node, edge| {
            self.parts(node).get(edge).map(|lit| lit.node())
        });
        let mut circuit = Circuit::unshared(order.nodes().len());
        // Until it is placed, a leaf has its index here.
        let mut new = vec![NOWHERE; self.gates.len()];
        (0u32..).zip(&self.leaves).for_each(|(at, (node, _))| new[*node as usize] = Lit(at));
        for &node in order.nodes() {
            new[node as usize] = match self.parts(node) {
                [] => match &self.leaves[new[node as usize].0 as usize].1 {
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

/// The literals that many gates read, each with those gates. The gates themselves are written at the end: a gate of
/// hundreds of operands would be searched for each pair that is taken out of it.
struct Pairs {
    lits: Vec<Lit>,
    /// For each literal, its gates, ascending.
    gates: Vec<Vec<u32>>,
    /// The index of each literal of the net as it was, or [`NO_PAIR`].
    place: Vec<u32>,
    /// The number of literals outside of pairs.
    singles: usize,
}

/// The index of a literal that is not compared.
const NO_PAIR: u32 = u32::MAX;

/// The gates that have pairs taken out.
fn long(net: &Net) -> impl Iterator<Item = u32> {
    (0..net.gates.len() as u32).filter(|&gate| net.gates[gate as usize].count > 2)
}

impl Pairs {
    /// The literals of all nodes but the leaves that `is_apart` picks.
    fn of(net: &Net, is_apart: &dyn Fn(&Node) -> bool) -> Pairs {
        let mut counts = vec![0u32; net.gates.len() * 2];
        long(net).for_each(|gate| net.parts(gate).iter().for_each(|lit| counts[lit.0 as usize] += 1));
        for (node, _) in net.leaves.iter().filter(|(_, leaf)| is_apart(leaf)) {
            counts[*node as usize * 2..][..2].fill(0);
        }
        let mut pairs = Pairs { lits: Vec::new(), gates: Vec::new(), place: counts, singles: 0 };
        for (lit, count) in pairs.place.iter_mut().enumerate() {
            if *count as usize >= SHARED {
                pairs.lits.push(Lit(lit as u32));
                pairs.gates.push(Vec::with_capacity(*count as usize));
                *count = pairs.lits.len() as u32 - 1;
            } else {
                *count = NO_PAIR;
            }
        }
        pairs.singles = pairs.lits.len();
        for gate in long(net) {
            for lit in net.parts(gate) {
                if let Some(gates) = pairs.gates.get_mut(pairs.place[lit.0 as usize] as usize) {
                    gates.push(gate);
                }
            }
        }
        pairs
    }

    /// Writes the operands of the gates from which pairs were taken, the pairs last.
    fn write(self, net: &mut Net) {
        let mut read = vec![0; self.singles];
        // The gates of pairs come after all others.
        let before = self.place.len() as u32 / 2;
        for gate in 0..before {
            if net.gates[gate as usize].count <= 2 {
                continue;
            }
            net.retain(gate, |lit| {
                let place = self.place[lit.0 as usize];
                place == NO_PAIR || {
                    let read = &mut read[place as usize];
                    let is_left = self.gates[place as usize].get(*read) == Some(&gate);
                    *read += usize::from(is_left);
                    is_left
                }
            });
        }
        for (lit, gates) in self.lits.iter().zip(&self.gates).skip(self.singles) {
            gates.iter().for_each(|&gate| net.push(gate, *lit));
        }
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
        let lit = Lit::new(net.add(&[self.lits[left], self.lits[right]]), false);
        for at in [left, right] {
            let mut gone = &both[..];
            self.gates[at].retain(|gate| {
                while let [first, rest @ ..] = gone
                    && first < gate
                {
                    gone = rest;
                }
                gone.first() != Some(gate)
            });
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
