//! Checks many candidates at once on a problem's network: a bit per candidate.

use super::problem::Problem;
use crate::net::{Gate, Lit};

/// The number of words per value.
const WORDS: usize = 4;
/// The number of candidates checked together.
pub(super) const LANES: usize = 64 * WORDS;

type Value = [u64; WORDS];

/// The network in the order of evaluation.
pub(super) struct Lanes {
    inputs: Vec<u32>,
    gates: Vec<u32>,
    operands: Vec<Lit>,
    ends: Vec<u32>,
    required: Vec<Lit>,
    /// The value of each node.
    values: Vec<Value>,
}

impl Lanes {
    pub(super) fn new(problem: &Problem) -> Lanes {
        let mut lanes = Lanes {
            inputs: problem.groups.iter().flat_map(|group| group.options.iter().map(|&(_, input)| input)).collect(),
            gates: vec![],
            operands: vec![],
            ends: vec![],
            required: problem.required.clone(),
            values: vec![[0; WORDS]; problem.net.len()],
        };
        lanes.values[0] = [u64::MAX; WORDS];
        let wanted = problem.net.cone(problem.required.iter().copied());
        for node in (0..problem.net.len() as u32).filter(|&node| wanted[node as usize]) {
            if let Gate::And(operands) = problem.net.gate(node) {
                lanes.gates.push(node);
                lanes.operands.extend_from_slice(operands);
                lanes.ends.push(lanes.operands.len() as u32);
            }
        }
        lanes
    }

    /// The number of gates each candidate is checked against.
    pub(super) fn gates(&self) -> usize {
        self.gates.len()
    }

    /// Forgets the candidates.
    pub(super) fn clear(&mut self) {
        for &input in &self.inputs {
            self.values[input as usize] = [0; WORDS];
        }
    }

    /// Candidate `lane` chooses the option with this input.
    pub(super) fn choose(&mut self, lane: usize, input: u32) {
        self.values[input as usize][lane / 64] |= 1 << (lane % 64);
    }

    /// Returns the candidates that satisfy everything, a bit each.
    pub(super) fn check(&mut self) -> [u64; WORDS] {
        let mut start = 0;
        for (&gate, &end) in self.gates.iter().zip(&self.ends) {
            let mut value = [u64::MAX; WORDS];
            for &lit in &self.operands[start..end as usize] {
                and(&mut value, &self.values, lit);
            }
            self.values[gate as usize] = value;
            start = end as usize;
        }
        let mut result = [u64::MAX; WORDS];
        for &lit in &self.required {
            and(&mut result, &self.values, lit);
        }
        result
    }
}

#[inline(always)]
fn and(value: &mut Value, values: &[Value], lit: Lit) {
    let operand = &values[lit.node() as usize];
    let flip = (lit.is_negated() as u64).wrapping_neg();
    for word in 0..WORDS {
        value[word] &= operand[word] ^ flip;
    }
}
