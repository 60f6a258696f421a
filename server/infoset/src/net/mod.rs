//! A combinational network of and-gates with negated edges, hashed: equal gates are one gate.
//!
//! Node 0 is the constant true. A node's operands have smaller indices. An or-gate is a negated and-gate of negated
//! operands, so propagation only handles and-gates.

mod terms;

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

pub(crate) use percept_game::circuit::Lit;
use rustc_hash::{FxHashMap, FxHasher};
use terms::Terms;
pub(crate) use terms::{Operation, Term, is_ordered};

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate<'a> {
    True,
    /// An input of the network.
    Input,
    And(&'a [Lit]),
}

#[derive(Clone, Default)]
pub(crate) struct Net {
    /// The operands of all nodes; an input has none.
    operands: Vec<Lit>,
    /// The end of each node's operands.
    ends: Vec<u32>,
    /// The first node with a hash; the rare further ones are chained in `same_hash`.
    ids: FxHashMap<u64, u32>,
    same_hash: FxHashMap<u32, u32>,
    scratch: Vec<Lit>,
    terms: Terms,
}

/// The values of all nodes in 64 cases.
pub(crate) struct Lanes(Vec<u64>);

impl Lanes {
    /// The cases in which a literal is true.
    pub(crate) fn of(&self, lit: Lit) -> u64 {
        let value = self.0[lit.node() as usize];
        if lit.is_negated() { !value } else { value }
    }

    /// The cases in which one of these literals is true.
    pub(crate) fn any(&self, lits: &[Lit]) -> u64 {
        lits.iter().fold(0, |any, &lit| any | self.of(lit))
    }
}

impl Net {
    pub(crate) fn new() -> Net {
        let mut net = Net::default();
        net.ends.push(0);
        net
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn gate(&self, node: u32) -> Gate<'_> {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        let operands = &self.operands[start as usize..self.ends[node as usize] as usize];
        match operands {
            _ if node == 0 => Gate::True,
            [] => Gate::Input,
            _ => Gate::And(operands),
        }
    }

    pub(crate) fn input(&mut self) -> Lit {
        self.ends.push(self.operands.len() as u32);
        Lit::new(self.ends.len() as u32 - 1, false)
    }

    /// The conjunction, simplified.
    pub(crate) fn and(&mut self, operands: impl IntoIterator<Item = Lit>) -> Lit {
        let mut list = std::mem::take(&mut self.scratch);
        list.clear();
        let mut is_false = false;
        for lit in operands {
            is_false |= lit == Lit::FALSE;
            if is_false {
                break;
            }
            if lit != Lit::TRUE {
                list.push(lit);
            }
        }
        if !is_false {
            list.sort_unstable();
            list.dedup();
            is_false = list.windows(2).any(|pair| pair[0] == !pair[1]);
        }
        let lit = match list[..] {
            _ if is_false => Lit::FALSE,
            [] => Lit::TRUE,
            [only] => only,
            _ => self.hashed(&list),
        };
        self.scratch = list;
        lit
    }

    /// The disjunction, simplified.
    pub(crate) fn or(&mut self, operands: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and(operands.into_iter().map(|lit| !lit))
    }

    /// The exclusive or of two literals.
    pub(crate) fn differ(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b {
            return Lit::FALSE;
        }
        if a == !b {
            return Lit::TRUE;
        }
        let left = self.and([a, !b]);
        let right = self.and([!a, b]);
        self.or([left, right])
    }

    /// Two literals: at least one of `lits` holds, and at least two of them hold.
    pub(crate) fn one_and_two(&mut self, lits: &[Lit]) -> (Lit, Lit) {
        let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
        for &lit in lits {
            let again = self.and([one, lit]);
            two = self.or([two, again]);
            one = self.or([one, lit]);
        }
        (one, two)
    }

    fn hashed(&mut self, list: &[Lit]) -> Lit {
        let mut hasher = FxHasher::default();
        list.hash(&mut hasher);
        let new = self.ends.len() as u32;
        match self.ids.entry(hasher.finish()) {
            Entry::Vacant(slot) => {
                slot.insert(new);
            }
            Entry::Occupied(slot) => {
                let mut node = *slot.get();
                loop {
                    let start = self.ends[node as usize - 1] as usize;
                    if self.operands[start..self.ends[node as usize] as usize] == *list {
                        return Lit::new(node, false);
                    }
                    match self.same_hash.get(&node) {
                        Some(&next) => node = next,
                        None => break,
                    }
                }
                self.same_hash.insert(node, new);
            }
        }
        self.operands.extend_from_slice(list);
        self.ends.push(self.operands.len() as u32);
        Lit::new(new, false)
    }

    /// The value of every node, given the values of the inputs.
    pub(crate) fn values(&self, input: impl Fn(Lit) -> bool) -> Vec<bool> {
        let mut values = Vec::with_capacity(self.len());
        for node in 0..self.len() as u32 {
            values.push(match self.gate(node) {
                Gate::True => true,
                Gate::Input => input(Lit::new(node, false)),
                Gate::And(operands) => operands.iter().all(|lit| values[lit.node() as usize] != lit.is_negated()),
            });
        }
        values
    }

    pub(crate) fn is_input(&self, lit: Lit) -> bool {
        matches!(self.gate(lit.node()), Gate::Input)
    }

    /// Like [`Net::values`], in 64 cases at once, a bit each.
    pub(crate) fn lanes(&self, input: impl Fn(Lit) -> u64) -> Lanes {
        let mut lanes = Lanes(Vec::with_capacity(self.len()));
        for node in 0..self.len() as u32 {
            let value = match self.gate(node) {
                Gate::True => u64::MAX,
                Gate::Input => input(Lit::new(node, false)),
                Gate::And(operands) => operands.iter().fold(u64::MAX, |all, &lit| all & lanes.of(lit)),
            };
            lanes.0.push(value);
        }
        lanes
    }

    /// Marks all nodes the roots depend on.
    pub(crate) fn cone(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<bool> {
        let mut marked = vec![false; self.len()];
        for root in roots {
            marked[root.node() as usize] = true;
        }
        for node in (0..self.len()).rev() {
            if marked[node]
                && let Gate::And(operands) = self.gate(node as u32)
            {
                for lit in operands {
                    marked[lit.node() as usize] = true;
                }
            }
        }
        marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_fold_and_are_shared() {
        let mut net = Net::new();
        let (a, b) = (net.input(), net.input());
        let both = net.and([a, b]);
        assert_eq!(both, net.and([b, Lit::TRUE, a, b]));
        assert_eq!(net.and([a, !a]), Lit::FALSE);
        assert_eq!(net.and([a, Lit::FALSE]), Lit::FALSE);
        assert_eq!(net.or([a]), a);
        assert_eq!(net.or([!a, !b]), !both);
        assert_eq!(net.gate(both.node()), Gate::And(&[a, b]));
        assert_eq!(net.cone([both]), [false, true, true, true]);
        assert_eq!(net.values(|input| input == a), [true, true, false, false]);
        assert_eq!(net.values(|_| true), [true; 4]);
    }
}
