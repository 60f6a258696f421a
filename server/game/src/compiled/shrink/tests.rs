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
