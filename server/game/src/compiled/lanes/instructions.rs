//! The instructions of a round, and what is copied before the next one.
//!
//! A fluent has the same slot in all phases. So a fluent that keeps its value, as most do, costs nothing.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::FluentId;
use crate::State;
use crate::circuit::{Lit, Node};
use crate::compiled::choices::{Effects, MANY_MOVES};
use crate::compiled::compile::{ALWAYS, Compiled, NEVER, NOWHERE, codes};
use crate::compiled::partial::Phase as Folded;
use crate::compiled::segment::Segment;
use crate::compiled::shrink::shrink;

/// The instructions of a round, and the copies after it.
#[derive(Debug)]
pub(super) struct Phase {
    /// Rounds of a block have the same instructions.
    pub instructions: Arc<Instructions>,
    pub next: Arc<Transition>,
}

/// The copies that lead to the next phase: codes, and the slots of the fluents that get their values.
#[derive(Debug, Default)]
pub(super) struct Transition {
    /// Values of gates. No copy writes over them.
    pub gates: Vec<(u32, u32)>,
    /// Values of other fluents, which are all read before one of them is written.
    pub fluents: Vec<(u32, u32)>,
}

impl std::ops::Deref for Phase {
    type Target = Instructions;

    fn deref(&self) -> &Instructions {
        &self.instructions
    }
}

/// The instructions of one round.
#[derive(Debug)]
pub(super) struct Instructions {
    pub compiled: Compiled,
    /// For each role, the code of each move's legality.
    pub legal: Vec<Vec<u32>>,
    pub effects: Effects,
    pub terminal: u32,
    /// The slot of each fluent and its value at the start.
    pub fluents: Vec<(u32, bool)>,
    pub goals: Vec<Vec<(i64, u32)>>,
}

impl Instructions {
    /// True if a role has exactly one move in every state.
    pub(super) fn is_forced(&self, role: usize) -> bool {
        matches!(self.legal[role][..], [ALWAYS])
    }
}

/// The phase with a smaller circuit.
pub(super) fn shrunk(phase: Folded) -> Folded {
    if !phase.circuit.groups().is_empty() || !phase.circuit.comparisons().is_empty() {
        return phase;
    }
    let Folded { circuit, mut moves, mut next, mut goals, mut terminal } = phase;
    let many: Vec<bool> = moves.iter().map(|moves| moves.len() > MANY_MOVES).collect();
    let is_apart = |node: &Node| matches!(node, Node::Move(role, _) if many.get(usize::from(role.0)) == Some(&true));
    let mut gates: Vec<&mut Lit> = moves.iter_mut().flatten().map(|(_, gate)| gate).collect();
    gates.extend(goals.iter_mut().flatten().map(|(_, gate)| gate));
    gates.extend(next.iter_mut().map(|(_, gate)| gate));
    gates.push(&mut terminal);
    let roots: Vec<Lit> = gates.iter().map(|gate| **gate).collect();
    let small = shrink(circuit, &roots, &is_apart);
    gates.into_iter().for_each(|gate| *gate = small.lit(*gate));
    Folded { circuit: small.circuit, moves, next, goals, terminal }
}

/// The instructions of a circuit, and the code of each fluent's next value.
pub(super) type Circuit = (Arc<Instructions>, FxHashMap<u32, u32>);

/// Compiles circuits, of a game with this number of fluents; each is dropped before the next one is made.
pub(super) fn compile_all(folded: impl Iterator<Item = Folded>, fluents: usize, initial: &State) -> Vec<Circuit> {
    folded.map(|phase| compile(&phase, fluents, initial)).collect()
}

/// The copies from one circuit to another that follows it.
pub(super) fn transition(circuit: &Circuit, following: &Instructions) -> Transition {
    let mut transition = Transition::default();
    let read = following.compiled.fluents.iter().enumerate().filter(|(_, slot)| **slot != NOWHERE);
    for (fluent, &slot) in read {
        let code = circuit.1.get(&(fluent as u32)).copied().unwrap_or(NEVER);
        match code >> 1 {
            _ if code == slot << 1 => {}
            source if circuit.0.compiled.is_fluent(source) => transition.fluents.push((code, slot)),
            _ => transition.gates.push((code, slot)),
        }
    }
    transition
}

/// Compiles a circuit.
fn compile(phase: &Folded, fluents: usize, initial: &State) -> Circuit {
    let segments = [
        Segment::always(phase.moves.iter().flatten().map(|(_, gate)| *gate).chain([phase.terminal]).collect()),
        Segment::on_demand(phase.goals.iter().flatten().map(|(_, gate)| *gate).collect()),
        Segment::always(phase.next.iter().map(|(_, gate)| *gate).collect()),
    ];
    let many: Vec<bool> = phase.moves.iter().map(|moves| moves.len() > MANY_MOVES).collect();
    let mut compiled = Compiled::aligned(&phase.circuit, &segments, &many, fluents);
    let next = phase.next.iter().map(|(fluent, gate)| (fluent.0, compiled.code(*gate))).collect();
    let effects = Effects::new(&compiled, phase.moves.iter().map(|moves| moves.iter().map(|(mv, _)| *mv)));
    let legal = phase.moves.iter().map(|moves| moves.iter().map(|(_, gate)| compiled.code(*gate)).collect()).collect();
    let terminal = compiled.code(phase.terminal);
    let goals = phase.goals.iter().map(|goals| codes(&compiled, goals)).collect();
    compiled.forget_codes();
    let fluents = compiled.fluents.iter().enumerate().filter(|(_, slot)| **slot != NOWHERE);
    let fluents = fluents.map(|(index, &slot)| (slot, initial.has(FluentId(index as u32)))).collect();
    (Arc::new(Instructions { compiled, legal, effects, terminal, fluents, goals }), next)
}
