//! Support groups: which move caused this fact?
//!
//! A revealed card was dealt in one of the deals, so exactly one of certain options *of different groups* was taken.
//! Such a support group is often far smaller than any group of moves, and a sampler that does not begin with it almost
//! never gets the card dealt at all. Support groups are found in the requirements: a disjunction is followed down to
//! the options it needs, which form a group if no two of them are compatible.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{probe::Compatible, problem::Problem};
use crate::net::{Gate, Lit, Net};

/// Options of which exactly one is taken: words of the option bits with their masks.
pub(super) type Support = Vec<(usize, u64)>;

/// The most options of a disjunction; larger ones do not help.
const LARGEST: usize = 1024;

/// The support groups of a problem: disjoint, within the leading groups, and each smaller than any group of moves it
/// could settle.
pub(super) fn supports(problem: &Problem, matrix: &Compatible, leading: &[u32]) -> Vec<Support> {
    let mut bit_of = vec![None; problem.net.len()];
    for &group in leading {
        for (index, &(_, input)) in problem.groups[group as usize].options.iter().enumerate() {
            bit_of[input as usize] = Some(matrix.starts[group as usize] + index);
        }
    }
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut needs = FxHashMap::default();
    for &lit in &problem.required {
        let Some(inputs) = needed(&problem.net, lit, 200, &mut needs) else {
            continue;
        };
        let bits: Option<Vec<usize>> = inputs.iter().map(|&input| bit_of[input as usize]).collect();
        found.extend(bits.filter(|bits| {
            let smallest = bits.iter().map(|&bit| problem.groups[group_of(matrix, bit)].options.len()).min();
            bits.len() > 1 && smallest.is_some_and(|smallest| bits.len() < smallest) && exclusive(matrix, bits)
        }));
    }
    found.sort_by(|left, right| left.len().cmp(&right.len()).then(left.cmp(right)));
    let mut used = vec![0u64; matrix.words];
    let mut supports = Vec::new();
    for bits in found {
        let mut bits = bits;
        bits.sort_unstable();
        if bits.iter().all(|&bit| used[bit / 64] >> (bit % 64) & 1 == 0) {
            bits.iter().for_each(|&bit| used[bit / 64] |= 1 << (bit % 64));
            supports.push(masks(&bits));
        }
    }
    supports
}

fn group_of(matrix: &Compatible, bit: usize) -> usize {
    matrix.starts.partition_point(|&start| start <= bit) - 1
}

/// Inputs of which at least one must hold if a literal does; `None` if none were found (or too many).
type Needed = Option<Rc<Vec<u32>>>;

fn needed(net: &Net, lit: Lit, depth: u32, needs: &mut FxHashMap<Lit, Needed>) -> Needed {
    if let Some(needed) = needs.get(&lit) {
        return needed.clone();
    }
    let depth = depth.checked_sub(1)?;
    let found = match net.gate(lit.node()) {
        Gate::True => None,
        Gate::Input => (!lit.is_negated()).then(|| Rc::new(vec![lit.node()])),
        // All operands hold: take the one that needs the fewest inputs.
        Gate::And(operands) if !lit.is_negated() => {
            let found = operands.iter().filter_map(|&operand| needed(net, operand, depth, needs));
            found.min_by_key(|inputs| inputs.len())
        }
        Gate::And(operands) => any_of(net, operands, depth, needs),
    };
    needs.insert(lit, found.clone());
    found
}

/// The inputs needed if one of the operands does not hold.
fn any_of(net: &Net, operands: &[Lit], depth: u32, needs: &mut FxHashMap<Lit, Needed>) -> Needed {
    let mut inputs = Vec::new();
    for &operand in operands {
        inputs.extend_from_slice(&needed(net, !operand, depth, needs)?);
        if inputs.len() > LARGEST {
            return None;
        }
    }
    inputs.sort_unstable();
    inputs.dedup();
    Some(Rc::new(inputs))
}

fn exclusive(matrix: &Compatible, bits: &[usize]) -> bool {
    bits.iter().enumerate().all(|(index, &left)| bits[..index].iter().all(|&right| !matrix.allows(left, right)))
}

fn masks(bits: &[usize]) -> Support {
    let mut masks: Support = Vec::new();
    for &bit in bits {
        match masks.last_mut() {
            Some((word, mask)) if *word == bit / 64 => *mask |= 1 << (bit % 64),
            _ => masks.push((bit / 64, 1 << (bit % 64))),
        }
    }
    masks
}
