//! What the number of a round decides: whose turn it is, mostly.
//!
//! A fluent whose next value depends on no move, and on no fluent but such ones, has the same values in every match. If
//! they come back to where they began after a few rounds, a round's *phase* (its number modulo the period) decides them,
//! and every phase has a circuit of its own with them folded away: no gate for the moves of the role that is not in
//! turn, nor for what those would do.

use rustc_hash::FxHashMap;

use crate::circuit::{Circuit, Lit, Node, live, mark_live, rebuild};
use crate::{FluentId, Ground, MoveId, State};

/// Longer periods are left alone: matches begin in phase 0 only, so their lanes wait for it.
const LONGEST: usize = 8;
/// What decides a clock is looked for among so many gates and fluents.
const MOST_GATES: usize = 500;
const MOST_FLUENTS: usize = 32;
/// Operands of a circuit whose instructions stay in the caches, whatever the number of phases.
const MANY_OPERANDS: usize = 200_000;

/// What random play needs of the rules in one phase, everything that nothing asks for left out.
#[derive(Debug)]
pub(super) struct Phase {
    pub circuit: Circuit,
    /// By role, the moves that may be legal in this phase, in the order of their ids.
    pub moves: Vec<Vec<(MoveId, Lit)>>,
    /// The fluents that the next phase reads.
    pub next: Vec<(FluentId, Lit)>,
    pub goals: Vec<Vec<(i64, Lit)>>,
    pub terminal: Lit,
}

/// The phases of a game; one where no clock is found, or folding saves little.
pub(super) fn phases(ground: &Ground, initial: &State) -> Vec<Phase> {
    let clocks = clocks(ground, initial);
    let whole = || fold(ground, &[FxHashMap::default()]);
    let Some(period) = period(&clocks) else { return whole() };
    let values: Vec<FxHashMap<u32, bool>> = (0..period)
        .map(|phase| {
            let in_step = clocks.iter().filter(|(_, values)| period.is_multiple_of(values.len()));
            in_step.map(|(&fluent, values)| (fluent, values[phase % values.len()])).collect()
        })
        .collect();
    let folded = fold(ground, &values);
    let in_all: usize = folded.iter().map(|phase| cost(&phase.circuit, |_| true)).sum();
    let roots = ground.moves.iter().flatten().map(|(_, gate)| *gate).chain([ground.terminal]);
    let roots = roots.chain(ground.next.iter().map(|(_, gate)| *gate));
    let unfolded =
        live(&ground.circuit, &roots.chain(ground.goals.iter().flatten().map(|(_, gate)| *gate)).collect::<Vec<_>>());
    // Who is not in turn need not be asked what is legal, which pays even where hardly a gate is saved; but every phase has
    // instructions of its own, and many of them leave the caches from round to round.
    let before = cost(&ground.circuit, |node| unfolded[node]);
    if before <= MANY_OPERANDS || in_all <= before * period * 9 / 10 { folded } else { whole() }
}

/// Operands of the gates that are picked.
fn cost(circuit: &Circuit, picked: impl Fn(usize) -> bool) -> usize {
    let size = |(at, node): (usize, &Node)| match node {
        Node::And(operands) | Node::Or(operands) if picked(at) => operands.len(),
        _ => 0,
    };
    circuit.nodes().iter().enumerate().map(size).sum()
}

/// The longest period that all shorter ones divide, or the longest.
fn period(clocks: &FxHashMap<u32, Vec<bool>>) -> Option<usize> {
    let longest = clocks.values().map(Vec::len).max()?;
    let mut periods = (longest..=LONGEST).step_by(longest);
    let all = periods.find(|&period| clocks.values().all(|values| period.is_multiple_of(values.len())));
    Some(all.unwrap_or(longest))
}

/// The fluents that are periodic from the first round on, with their values in one period.
fn clocks(ground: &Ground, initial: &State) -> FxHashMap<u32, Vec<bool>> {
    let mut clocks = Clocks { circuit: &ground.circuit, next: FxHashMap::default(), cones: FxHashMap::default() };
    clocks.next = ground.next.iter().map(|(fluent, gate)| (fluent.0, *gate)).collect();
    let fluents: Vec<u32> = ground.next.iter().map(|(fluent, _)| fluent.0).collect();
    for &fluent in &fluents {
        let cone = clocks.cone(fluent);
        clocks.cones.insert(fluent, cone);
    }
    fluents.into_iter().filter_map(|fluent| Some((fluent, clocks.period(fluent, initial)?))).collect()
}

struct Clocks<'a> {
    circuit: &'a Circuit,
    next: FxHashMap<u32, Lit>,
    /// The fluents that decide the next value of one, if nothing else does and they are few.
    cones: FxHashMap<u32, Option<Vec<u32>>>,
}

impl Clocks<'_> {
    fn cone(&self, fluent: u32) -> Option<Vec<u32>> {
        let mut fluents = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![self.next.get(&fluent)?.node()];
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            if seen.len() > MOST_GATES {
                return None;
            }
            match &self.circuit.nodes()[node as usize] {
                Node::True => {}
                Node::Fluent(fluent) => fluents.push(fluent.0),
                Node::And(operands) | Node::Or(operands) if operands.len() <= MOST_GATES => {
                    stack.extend(operands.iter().map(|lit| lit.node()));
                }
                _ => return None,
            }
        }
        Some(fluents)
    }

    /// The values of a fluent until all that decides them is as it was in the beginning.
    fn period(&self, fluent: u32, initial: &State) -> Option<Vec<bool>> {
        let mut deciding = vec![fluent];
        let mut at = 0;
        while let Some(&next) = deciding.get(at) {
            at += 1;
            // A fluent without a rule is false ever after the first round; such ones are no clocks.
            for &other in self.cones.get(&next)?.as_ref()? {
                if !deciding.contains(&other) {
                    deciding.push(other);
                }
            }
            if deciding.len() > MOST_FLUENTS {
                return None;
            }
        }
        let start: FxHashMap<u32, bool> = deciding.iter().map(|&at| (at, initial.has(FluentId(at)))).collect();
        let mut now = start.clone();
        let mut values = Vec::new();
        while values.len() < LONGEST {
            values.push(now[&fluent]);
            let mut known = FxHashMap::default();
            let next = deciding.iter().map(|&at| (at, self.value(self.next[&at], &now, &mut known))).collect();
            now = next;
            if now == start {
                return Some(values);
            }
        }
        None
    }

    /// The value of a gate. Cones of clocks are small, and so is the depth.
    fn value(&self, lit: Lit, fluents: &FxHashMap<u32, bool>, known: &mut FxHashMap<u32, bool>) -> bool {
        let value = match known.get(&lit.node()) {
            Some(&value) => value,
            None => {
                let value = match &self.circuit.nodes()[lit.node() as usize] {
                    Node::True => true,
                    Node::Fluent(fluent) => fluents[&fluent.0],
                    Node::And(operands) => operands.iter().all(|&lit| self.value(lit, fluents, known)),
                    Node::Or(operands) => operands.iter().any(|&lit| self.value(lit, fluents, known)),
                    other => unreachable!("{other:?} decides no clock"),
                };
                known.insert(lit.node(), value);
                value
            }
        };
        value ^ lit.is_negated()
    }
}

/// One circuit for each of the given values of clocks, what nothing asks for left out.
fn fold(ground: &Ground, values: &[FxHashMap<u32, bool>]) -> Vec<Phase> {
    let folded: Vec<Phase> = values.iter().map(|values| fold_one(ground, values)).collect();
    prune(folded, 0)
}

fn fold_one(ground: &Ground, values: &FxHashMap<u32, bool>) -> Phase {
    let mut phase = Phase {
        circuit: Circuit::new(),
        moves: ground.moves.clone(),
        next: ground.next.clone(),
        goals: ground.goals.clone(),
        terminal: ground.terminal,
    };
    phase.rebuild(&ground.circuit, &|node| match node {
        Node::Fluent(fluent) => values.get(&fluent.0).copied(),
        _ => None,
    });
    let mut legal: Vec<Vec<Option<bool>>> = Vec::new();
    for moves in &mut phase.moves {
        moves.retain(|(_, gate)| *gate != Lit::FALSE);
        moves.sort_unstable_by_key(|(mv, _)| *mv);
        // A role's only move, where it always has it, is the one it makes.
        let alone = matches!(moves[..], [(_, Lit::TRUE)]);
        let most = moves.last().map_or(0, |(mv, _)| mv.0 as usize + 1);
        let mut values = vec![Some(false); most];
        moves.iter().for_each(|(mv, _)| values[mv.0 as usize] = alone.then_some(true));
        legal.push(values);
    }
    let circuit = std::mem::take(&mut phase.circuit);
    phase.rebuild(&circuit, &|node| match node {
        Node::Move(role, mv) => legal[role.0 as usize].get(mv.0 as usize).copied().unwrap_or(Some(false)),
        _ => None,
    });
    phase
}

impl Phase {
    fn roots(&self) -> impl Iterator<Item = Lit> {
        let moves = self.moves.iter().flatten().map(|(_, gate)| *gate);
        let goals = self.goals.iter().flatten().map(|(_, gate)| *gate);
        moves.chain(goals).chain([self.terminal])
    }

    /// Replaces the circuit by `old` with some leaves known.
    fn rebuild(&mut self, old: &Circuit, value: &dyn Fn(&Node) -> Option<bool>) {
        let roots: Vec<Lit> = self.roots().chain(self.next.iter().map(|(_, gate)| *gate)).collect();
        let rebuilt = rebuild(old, &roots, &mut |circuit, node| match (value(node), node) {
            (Some(true), _) => Lit::TRUE,
            (Some(false), _) => Lit::FALSE,
            (None, Node::Fluent(fluent)) => circuit.fluent(*fluent),
            (None, Node::Move(role, mv)) => circuit.does(*role, *mv),
            (None, other) => unreachable!("{other:?} is no leaf of GDL"),
        });
        let lit = |gate: &mut Lit| *gate = rebuilt.lit(*gate);
        self.moves.iter_mut().flatten().for_each(|(_, gate)| lit(gate));
        self.next.iter_mut().for_each(|(_, gate)| lit(gate));
        self.goals.iter_mut().flatten().for_each(|(_, gate)| lit(gate));
        lit(&mut self.terminal);
        self.circuit = rebuilt.circuit;
    }
}

/// Leaves out the fluents that neither moves nor the result depend on, now or later. After the last phase comes `back`.
pub(super) fn prune(mut phases: Vec<Phase>, back: usize) -> Vec<Phase> {
    let count = phases.len();
    let gates: Vec<FxHashMap<u32, Lit>> =
        phases.iter().map(|phase| phase.next.iter().map(|(fluent, gate)| (fluent.0, *gate)).collect()).collect();
    let mut marks: Vec<Vec<bool>> = phases.iter().map(|phase| vec![false; phase.circuit.nodes().len()]).collect();
    // By phase: the gates to look at, and the fluents that are read in it.
    let mut waiting: Vec<Vec<Lit>> = phases.iter().map(|phase| phase.roots().collect()).collect();
    let mut read: Vec<rustc_hash::FxHashSet<u32>> = vec![rustc_hash::FxHashSet::default(); count];
    while let Some(at) = waiting.iter().position(|roots| !roots.is_empty()) {
        let before = [at.checked_sub(1), (at == back).then_some(count - 1)];
        let roots = std::mem::take(&mut waiting[at]);
        mark_live(&phases[at].circuit, &roots, &mut marks[at], &mut |node| {
            if let Node::Fluent(fluent) = node
                && read[at].insert(fluent.0)
            {
                for before in before.into_iter().flatten() {
                    waiting[before].extend(gates[before].get(&fluent.0));
                }
            }
        });
    }
    for (at, phase) in phases.iter_mut().enumerate() {
        let to = if at + 1 == count { back } else { at + 1 };
        phase.next.retain(|(fluent, _)| read[to].contains(&fluent.0));
        debug_assert!({
            let roots: Vec<Lit> = phase.roots().chain(phase.next.iter().map(|(_, gate)| *gate)).collect();
            live(&phase.circuit, &roots) == marks[at]
        });
    }
    phases
}
