//! Random matches in lanes that wait for each other: a circuit for every kind of position.
//!
//! The phase of a game, the role in turn, the ship to be placed: such facts stand in the conditions of many moves, and
//! once they are known, most moves, effects and facts are out of the question. [`super::phases`] finds those that the
//! number of a round decides. Here they differ between matches: every lane is in a position of some *kind*, and a sweep
//! of a kind's circuit advances only the lanes of this kind. The kind with the most lanes is next; so lanes gather.

mod lanes;

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use self::lanes::Lanes;
use super::choices::{Effects, MANY_MOVES, ones};
use super::compile::{Compiled, NOWHERE, codes};
use super::partial::A_CHOICE;
use super::rounds::needed;
use super::segment::Segment;
use crate::circuit::{Circuit, Lit, Node};
use crate::play::{Limits, MatchRecord};
use crate::{FluentId, Ground, MoveId, RoleId, State};

const LEGAL: usize = 0;
const GOALS: usize = 1;
const NEXT: usize = 2;

/// The number of matches in which kinds are looked for.
const SAMPLE: u64 = 64;
/// The rounds after which such a match is stopped.
const SAMPLE_ROUNDS: u32 = 1000;
/// A fact that makes kinds stands in the conditions of at least this number of moves, and of one in this number.
const LEAST_MOVES: usize = 16;
const SHARE: usize = 100;
/// The most facts that make kinds.
const MOST_CONTROLS: usize = 64;
/// The most kinds; positions of other ones are played by the whole circuit.
const MOST_KINDS: usize = 64;
/// The most nodes in all kinds together, before they are folded: about a second of set-up.
const MOST_NODES: usize = 1 << 21;

/// The circuits of a sequential game, by kind.
#[derive(Debug)]
pub(super) struct Kinds {
    /// The first one is the whole circuit, for any position.
    kinds: Vec<Kind>,
    /// The kind of each signature: the values of `controls` as bits.
    by_signature: FxHashMap<u64, u32>,
    /// The facts that make kinds, by their index among all facts.
    controls: Vec<u32>,
    /// The initial value of every fact.
    initial: Vec<bool>,
    roles: usize,
}

/// One kind's circuit.
#[derive(Debug)]
struct Kind {
    compiled: Compiled,
    /// The roles that may have moves, with the codes of these.
    legal: Vec<(usize, Vec<u32>)>,
    effects: Effects,
    terminal: u32,
    goals: Vec<Vec<(i64, u32)>>,
    /// The facts that are read, with their slots.
    reads: Vec<(u32, u32)>,
    /// The facts that may change, with the codes of their new values.
    changes: Vec<(u32, u32)>,
    /// True if the kind of the position may change.
    is_left: bool,
}

/// The facts of the rules that matter, by index.
struct Facts {
    fluents: Vec<FluentId>,
    places: FxHashMap<FluentId, u32>,
    next: Vec<Lit>,
}

impl Facts {
    fn new(ground: &Ground) -> Facts {
        let legal: Vec<Vec<Lit>> =
            ground.moves.iter().map(|moves| moves.iter().map(|(_, gate)| *gate).collect()).collect();
        let next: FxHashMap<FluentId, Lit> = needed(ground, &legal, &[]).into_iter().collect();
        let mut fluents: Vec<FluentId> = next.keys().copied().collect();
        // Some may be read that no move ever makes true.
        let leaves = ground.circuit.nodes().iter().filter_map(|node| match node {
            Node::Fluent(fluent) => Some(*fluent),
            _ => None,
        });
        let listed: FxHashSet<FluentId> = ground.next.iter().map(|(fluent, _)| *fluent).collect();
        fluents.extend(leaves.filter(|fluent| !listed.contains(fluent)));
        fluents.sort_unstable();
        fluents.dedup();
        let next = fluents.iter().map(|fluent| next.get(fluent).copied().unwrap_or(Lit::FALSE)).collect();
        let places = fluents.iter().copied().zip(0..).collect();
        Facts { fluents, places, next }
    }

    /// The facts that stand in the conditions of many moves, the most frequent first.
    fn controls(&self, ground: &Ground) -> Vec<u32> {
        let mut counts = vec![0usize; self.fluents.len()];
        let (mut stack, mut seen) = (Vec::new(), FxHashSet::default());
        let moves = ground.moves.iter().flatten();
        let most = LEAST_MOVES.max(moves.clone().count() / SHARE);
        for (_, gate) in moves {
            seen.clear();
            stack.push(*gate);
            while let Some(lit) = stack.pop() {
                if lit.is_negated() || !seen.insert(lit) {
                    continue;
                }
                match &ground.circuit.nodes()[lit.node() as usize] {
                    Node::And(operands) => stack.extend(operands.iter().copied()),
                    Node::Fluent(fluent) => counts[self.places[fluent] as usize] += 1,
                    _ => {}
                }
            }
        }
        let mut found: Vec<u32> = (0..counts.len() as u32).filter(|&at| counts[at as usize] >= most).collect();
        found.sort_by_key(|&at| (std::cmp::Reverse(counts[at as usize]), at));
        found.truncate(MOST_CONTROLS);
        found
    }
}

impl Kinds {
    /// Circuits that play the game faster than the whole one, which costs `cost` a round. `None` if there are none.
    pub(super) fn new(ground: &Ground, initial: &State, cost: usize) -> Option<Kinds> {
        let most = MOST_KINDS.min(MOST_NODES / ground.circuit.nodes().len());
        if most < 2 {
            return None;
        }
        let facts = Facts::new(ground);
        let candidates = facts.controls(ground);
        let mut kinds = Kinds {
            kinds: vec![Kind::new(ground, &facts, &[])],
            by_signature: FxHashMap::default(),
            controls: candidates,
            initial: facts.fluents.iter().map(|fluent| initial.has(*fluent)).collect(),
            roles: ground.moves.len(),
        };
        let met = kinds.sample();
        let mask = distinguishing(kinds.controls.len(), &met, most);
        let mut kinds_met: FxHashMap<u64, u64> = FxHashMap::default();
        met.into_iter().for_each(|(signature, count)| *kinds_met.entry(signature & mask).or_default() += count);
        let mut frequent: Vec<(u64, u64)> = kinds_met.into_iter().collect();
        frequent.sort_unstable_by_key(|&(signature, count)| (std::cmp::Reverse(count), signature));
        let picked: Vec<usize> = (0..kinds.controls.len()).filter(|at| mask >> at & 1 == 1).collect();
        kinds.controls = picked.iter().map(|&at| kinds.controls[at]).collect();
        for (signature, _) in frequent {
            let values: Vec<(u32, bool)> = picked
                .iter()
                .map(|&at| signature >> at & 1 == 1)
                .zip(&kinds.controls)
                .map(|(is, &at)| (at, is))
                .collect();
            let signature = values.iter().enumerate().fold(0, |bits, (at, (_, is))| bits | u64::from(*is) << at);
            let kind = Kind::new(ground, &facts, &values);
            kinds.by_signature.insert(signature, kinds.kinds.len() as u32);
            kinds.kinds.push(kind);
        }
        let (work, rounds) = kinds.work();
        (work * 5 / 4 <= cost * rounds / 64).then_some(kinds)
    }

    /// The cost of playing some matches, and the number of their rounds.
    fn work(&self) -> (usize, usize) {
        let limits = Limits { max_rounds: SAMPLE_ROUNDS, ..Limits::default() };
        let mut lanes = Lanes::<1>::new(self, 0..8 * SAMPLE, &limits);
        let (mut work, mut rounds) = (0, 0);
        loop {
            lanes.begin();
            let Some(kind) = lanes.fullest() else { return (work, rounds) };
            work += self.kinds[kind].cost();
            lanes.round(kind, &mut |record| rounds += record.rounds as usize, super::choices::select);
        }
    }

    /// Plays some matches with the whole circuit; counts the signatures on the way.
    fn sample(&self) -> FxHashMap<u64, u64> {
        let limits = Limits { max_rounds: SAMPLE_ROUNDS, ..Limits::default() };
        let mut met: FxHashMap<u64, u64> = FxHashMap::default();
        let mut lanes = Lanes::<1>::new(self, 0..SAMPLE, &limits);
        lanes.begin();
        while let Some(kind) = lanes.fullest() {
            for lane in ones(lanes.masks[kind][0]) {
                *met.entry(lanes.signature_of(0, lane)).or_default() += 1;
            }
            lanes.round(kind, &mut |_| {}, super::choices::select);
        }
        met
    }

    /// For each circuit, the numbers of gates, operands and fluents of a sweep.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let of = |kind: &Kind| (kind.compiled.gate_count(), kind.compiled.operand_count(), kind.reads.len());
        self.kinds.iter().map(of)
    }

    /// The number of bytes of the values that one thread works on in a round of `64 * W` matches.
    pub(super) fn bytes<const W: usize>(&self) -> usize {
        let slots = self.kinds.iter().skip(1).map(|kind| kind.compiled.slots as usize).max().unwrap_or(0);
        (slots + self.initial.len()) * 8 * W
    }

    // Inlined, like everything it calls in every round, so that callers compile copies for wide words.
    #[inline(always)]
    pub(super) fn run<const W: usize>(
        &self,
        matches: Range<u64>,
        limits: &Limits,
        sink: &mut dyn FnMut(&MatchRecord),
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        let mut lanes = Lanes::<W>::new(self, matches, limits);
        loop {
            lanes.begin();
            let Some(kind) = lanes.fullest() else { return };
            lanes.round(kind, sink, select);
        }
    }
}

/// Bits of signatures that tell at most `most` of them apart, the first ones preferred.
fn distinguishing(controls: usize, met: &FxHashMap<u64, u64>, most: usize) -> u64 {
    let mut mask = 0u64;
    for bit in (0..controls).map(|at| 1 << at) {
        let kinds: FxHashSet<u64> = met.keys().map(|signature| signature & (mask | bit)).collect();
        if kinds.len() <= most {
            mask |= bit;
        }
    }
    mask
}

impl Kind {
    /// The circuit of the positions in which these facts have these values.
    fn new(ground: &Ground, facts: &Facts, values: &[(u32, bool)]) -> Kind {
        let mut folded = ground.clone();
        folded.next = facts.fluents.iter().copied().zip(facts.next.iter().copied()).collect();
        if !values.is_empty() {
            fold(&mut folded, &values.iter().map(|&(at, is)| (facts.fluents[at as usize], is)).collect());
        }
        let circuit = &folded.circuit;
        let by_place: FxHashMap<u32, bool> = values.iter().copied().collect();
        let changes: Vec<(u32, Lit)> = folded
            .next
            .iter()
            .map(|(fluent, gate)| (facts.places[fluent], *gate))
            .filter(|(at, gate)| !stays(circuit, facts.fluents[*at as usize], by_place.get(at).copied(), *gate))
            .collect();
        let segments = [
            Segment::always(folded.moves.iter().flatten().map(|(_, gate)| *gate).chain([folded.terminal]).collect()),
            Segment::on_demand(folded.goals.iter().flatten().map(|(_, gate)| *gate).collect()),
            Segment::always(changes.iter().map(|(_, gate)| *gate).collect()),
        ];
        let many: Vec<bool> = folded.moves.iter().map(|moves| moves.len() > MANY_MOVES).collect();
        let mut compiled = Compiled::compact(circuit, &segments, &many);
        let legal = folded.moves.iter().enumerate().filter(|(_, moves)| !moves.is_empty());
        let reads = compiled.fluents.iter().enumerate().filter(|(_, slot)| **slot != NOWHERE);
        let reads = reads.map(|(fluent, &slot)| (facts.places[&FluentId(fluent as u32)], slot)).collect();
        let legal: Vec<(usize, Vec<u32>)> =
            legal.map(|(role, moves)| (role, moves.iter().map(|(_, gate)| compiled.code(*gate)).collect())).collect();
        let effects = Effects::new(&compiled, folded.moves.iter().map(|moves| moves.iter().map(|(mv, _)| *mv)));
        let terminal = compiled.code(folded.terminal);
        let goals = folded.goals.iter().map(|goals| codes(&compiled, goals)).collect();
        let is_left = changes.iter().any(|(at, _)| by_place.contains_key(at));
        let changes = codes(&compiled, &changes);
        compiled.forget_codes();
        Kind { compiled, legal, effects, terminal, goals, reads, changes, is_left }
    }

    /// The cost of a round, as [`super::Playouts`] counts it.
    fn cost(&self) -> usize {
        self.compiled.operand_count() + A_CHOICE * self.legal.len()
    }
}

/// True if a fact keeps its value, as far as its next value shows.
fn stays(circuit: &Circuit, fluent: FluentId, known: Option<bool>, gate: Lit) -> bool {
    match known {
        Some(is) => gate == if is { Lit::TRUE } else { Lit::FALSE },
        None => !gate.is_negated() && circuit.nodes()[gate.node() as usize] == Node::Fluent(fluent),
    }
}

/// Folds known facts away, and then the moves that are not legal.
fn fold(ground: &mut Ground, known: &FxHashMap<FluentId, bool>) {
    ground.substitute(&|node| match node {
        Node::Fluent(fluent) => known.get(fluent).copied(),
        _ => None,
    });
    ground.moves.iter_mut().for_each(|moves| moves.retain(|(_, gate)| *gate != Lit::FALSE));
    let legal = ground.moves.iter().enumerate();
    let legal = legal.flat_map(|(role, moves)| moves.iter().map(move |(mv, _)| (RoleId(role as u16), *mv)));
    let legal: FxHashSet<(RoleId, MoveId)> = legal.collect();
    let only = legal.len() == 1;
    ground.substitute(&|node| match node {
        // One move is made.
        Node::Move(role, mv) if legal.contains(&(*role, *mv)) => only.then_some(true),
        Node::Move(..) => Some(false),
        _ => None,
    });
}
