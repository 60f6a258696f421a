//! Random matches in lanes that wait for each other: a circuit for every kind of position.
//!
//! The phase of a game, the role in turn, the ship to be placed: such facts stand in the conditions of many moves, and
//! once they are known, most moves, effects and facts are out of the question. [`super::phases`] finds those that the
//! number of a round decides. Here they differ between matches: every lane is in a position of some *kind*, and a sweep
//! of a kind's circuit advances only the lanes of this kind. The kind with the most lanes is next; so lanes gather.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::choices::{Choices, Effects, MANY_MOVES};
use super::compile::{Compiled, NOWHERE, Segment, codes};
use super::partial::A_CHOICE;
use super::rounds::needed;
use super::transpose::transpose;
use super::values::Words;
use crate::circuit::{Circuit, Lit, Node};
use crate::play::{Limits, MatchRecord, Stream};
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
/// New matches are begun when one lane of this number is free.
const FREE: usize = 8;

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
        let mask = distinguishing(kinds.controls.len(), &met);
        let mut frequent: FxHashMap<u64, u64> = FxHashMap::default();
        met.into_iter().for_each(|(signature, count)| *frequent.entry(signature & mask).or_default() += count);
        let mut frequent: Vec<(u64, u64)> = frequent.into_iter().collect();
        frequent.sort_unstable_by_key(|&(signature, count)| (std::cmp::Reverse(count), signature));
        let picked: Vec<usize> = (0..kinds.controls.len()).filter(|at| mask >> at & 1 == 1).collect();
        kinds.controls = picked.iter().map(|&at| kinds.controls[at]).collect();
        for (signature, _) in frequent {
            let known: Vec<(u32, bool)> = picked
                .iter()
                .map(|&at| signature >> at & 1 == 1)
                .zip(&kinds.controls)
                .map(|(is, &at)| (at, is))
                .collect();
            let signature = known.iter().enumerate().fold(0, |bits, (at, (_, is))| bits | u64::from(*is) << at);
            let kind = Kind::new(ground, &facts, &known);
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

/// Bits of signatures that tell at most [`MOST_KINDS`] of them apart, the first ones preferred.
fn distinguishing(controls: usize, met: &FxHashMap<u64, u64>) -> u64 {
    let mut mask = 0u64;
    for bit in (0..controls).map(|at| 1 << at) {
        let kinds: FxHashSet<u64> = met.keys().map(|signature| signature & (mask | bit)).collect();
        if kinds.len() <= MOST_KINDS {
            mask |= bit;
        }
    }
    mask
}

impl Kind {
    /// The circuit of the positions in which these facts have these values.
    fn new(ground: &Ground, facts: &Facts, known: &[(u32, bool)]) -> Kind {
        let mut folded = ground.clone();
        folded.next = facts.fluents.iter().copied().zip(facts.next.iter().copied()).collect();
        if !known.is_empty() {
            fold(&mut folded, &known.iter().map(|&(at, is)| (facts.fluents[at as usize], is)).collect());
        }
        let circuit = &folded.circuit;
        let known: FxHashMap<u32, bool> = known.iter().copied().collect();
        let changes: Vec<(u32, Lit)> = folded
            .next
            .iter()
            .map(|(fluent, gate)| (facts.places[fluent], *gate))
            .filter(|(at, gate)| !stays(circuit, facts.fluents[*at as usize], known.get(at).copied(), *gate))
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
        let kind = Kind {
            legal: legal.map(|(role, moves)| (role, moves.iter().map(|it| compiled.code(it.1)).collect())).collect(),
            effects: Effects::new(&compiled, folded.moves.iter().map(|moves| moves.iter().map(|(mv, _)| *mv))),
            terminal: compiled.code(folded.terminal),
            goals: folded.goals.iter().map(|goals| codes(&compiled, goals)).collect(),
            is_left: changes.iter().any(|(at, _)| known.contains_key(at)),
            reads,
            changes: codes(&compiled, &changes),
            compiled: {
                compiled.forget_codes();
                compiled
            },
        };
        kind
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

fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}

struct Lanes<'a, const W: usize> {
    game: &'a Kinds,
    limits: &'a Limits,
    words: Words<W>,
    /// The value of every fact.
    facts: Vec<[u64; W]>,
    waiting: Range<u64>,
    /// For each kind, the lanes in a position of this kind, and their number.
    masks: Vec<[u64; W]>,
    counts: Vec<u32>,
    /// The lanes without a match.
    free: [u64; W],
    /// For each lane, the number of its match, the rounds played, and its random stream.
    numbers: Vec<u64>,
    played: Vec<u32>,
    streams: Vec<Stream>,
    /// For each role and lane, the sum of the numbers of legal moves so far, and their maximum.
    branching: Vec<(u64, u32)>,
    choices: Choices<W>,
    /// The match that is being reported.
    record: MatchRecord,
}

impl<'a, const W: usize> Lanes<'a, W> {
    fn new(game: &'a Kinds, waiting: Range<u64>, limits: &'a Limits) -> Self {
        let most = game.kinds.iter().flat_map(|kind| &kind.legal).map(|(_, codes)| codes.len()).max().unwrap_or(0);
        Lanes {
            game,
            limits,
            words: Words::of_size(game.kinds.iter().map(|kind| kind.compiled.slots).max().unwrap_or(1)),
            facts: vec![[0; W]; game.initial.len()],
            waiting,
            masks: vec![[0; W]; game.kinds.len()],
            counts: vec![0; game.kinds.len()],
            free: [!0; W],
            numbers: vec![0; 64 * W],
            played: vec![0; 64 * W],
            streams: vec![Stream::new(0, 0); 64 * W],
            branching: vec![(0, 0); game.roles * 64 * W],
            choices: Choices::new(most),
            record: MatchRecord::new(0, game.roles),
        }
    }

    /// The kind with the most lanes.
    #[inline(always)]
    fn fullest(&self) -> Option<usize> {
        let fullest = (0..self.counts.len()).max_by_key(|&kind| self.counts[kind])?;
        (self.counts[fullest] > 0).then_some(fullest)
    }

    /// Begins matches in the lanes that have none, once there are enough of them.
    #[inline(always)]
    fn begin(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let free: u32 = self.free.iter().map(|word| word.count_ones()).sum();
        if (free as usize) < 64 * W / FREE && self.counts.iter().any(|&count| count > 0) {
            return;
        }
        let mut fresh = [0; W];
        'lanes: for word in 0..W {
            for bit in ones(self.free[word]) {
                let Some(number) = self.waiting.next() else { break 'lanes };
                let lane = word * 64 + bit;
                self.numbers[lane] = number;
                self.played[lane] = 0;
                self.streams[lane] = Stream::new(self.limits.seed, number);
                fresh[word] |= 1 << bit;
            }
        }
        for (fact, &initial) in self.facts.iter_mut().zip(&self.game.initial) {
            (0..W).for_each(|word| fact[word] = (fact[word] & !fresh[word]) | if initial { fresh[word] } else { 0 });
        }
        (0..W).for_each(|word| self.free[word] &= !fresh[word]);
        self.sort(&fresh);
    }

    /// The signature of one lane's position.
    fn signature_of(&self, word: usize, bit: usize) -> u64 {
        let bits = self.game.controls.iter().map(|&at| self.facts[at as usize][word] >> bit & 1);
        bits.enumerate().fold(0, |signature, (at, bit)| signature | bit << at)
    }

    /// Finds the kinds of these lanes' positions.
    #[inline(always)]
    fn sort(&mut self, lanes: &[u64; W]) {
        let mut rows = [[0; W]; 64];
        for (row, &at) in rows.iter_mut().zip(&self.game.controls) {
            *row = self.facts[at as usize];
        }
        transpose(&mut rows);
        let mut last = (0, self.kind_of(0));
        for word in 0..W {
            let mut left = lanes[word];
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let signature = rows[bit][word];
                if signature != last.0 {
                    last = (signature, self.kind_of(signature));
                }
                self.masks[last.1][word] |= 1 << bit;
                self.counts[last.1] += 1;
            }
        }
    }

    #[inline(always)]
    fn kind_of(&self, signature: u64) -> usize {
        self.game.by_signature.get(&signature).map_or(0, |&kind| kind as usize)
    }

    /// Plays one round of the lanes of a kind.
    #[inline(always)]
    fn round(&mut self, at: usize, sink: &mut dyn FnMut(&MatchRecord), select: impl Fn(u64, u32) -> u32 + Copy) {
        let kind = &self.game.kinds[at];
        let lanes = self.masks[at];
        for &(fact, slot) in &kind.reads {
            *self.words.slot_mut(slot) = self.facts[fact as usize];
        }
        self.words.run(&kind.compiled, LEGAL);
        let terminal = self.words.get(kind.terminal);
        self.words.clear(1..kind.compiled.moves_end);
        let mut over: [u64; W] = std::array::from_fn(|word| lanes[word] & terminal[word]);
        if self.limits.is_late() {
            self.waiting = 0..0;
            over = lanes;
        }
        for number in 0..kind.legal.len() {
            self.choose(kind, number, &lanes, &mut over, select);
        }
        if over != [0; W] {
            self.finish(kind, &over, &terminal, sink);
        }
        let going: [u64; W] = std::array::from_fn(|word| lanes[word] & !over[word]);
        self.words.run(&kind.compiled, NEXT);
        for &(fact, code) in &kind.changes {
            let next = self.words.get(code);
            let fact = &mut self.facts[fact as usize];
            (0..W).for_each(|word| fact[word] = (fact[word] & !going[word]) | (next[word] & going[word]));
        }
        if kind.is_left {
            (self.masks[at], self.counts[at]) = ([0; W], 0);
            self.sort(&going);
        } else {
            self.masks[at] = going;
            self.counts[at] = going.iter().map(|word| word.count_ones()).sum();
        }
    }

    /// Chooses a move for a role in the lanes in which it has one.
    #[inline(always)]
    fn choose(
        &mut self,
        kind: &Kind,
        number: usize,
        lanes: &[u64; W],
        over: &mut [u64; W],
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        let (role, codes) = &kind.legal[number];
        self.choices.read(&self.words, codes);
        let most = self.limits.max_rounds;
        for word in 0..W {
            let mut going = lanes[word] & !over[word] & self.choices.some[word];
            while going != 0 {
                let bit = going.trailing_zeros() as usize;
                going &= going - 1;
                let lane = word * 64 + bit;
                if self.played[lane] >= most {
                    over[word] |= 1 << bit;
                    continue;
                }
                self.played[lane] += 1;
                let count = self.choices.count(word, bit);
                let (sum, greatest) = &mut self.branching[role * 64 * W + lane];
                *sum += u64::from(count);
                *greatest = (*greatest).max(count);
                let pick = self.streams[lane].below(count);
                let place = self.choices.place(word, bit, pick, select);
                for &slot in kind.effects.of(*role, place) {
                    self.words.slot_mut(slot)[word] |= 1 << bit;
                }
            }
        }
    }

    /// Reports the matches that are over.
    fn finish(&mut self, kind: &Kind, over: &[u64; W], terminal: &[u64; W], sink: &mut dyn FnMut(&MatchRecord)) {
        self.words.run(&kind.compiled, GOALS);
        for word in 0..W {
            self.free[word] |= over[word];
            for bit in ones(over[word]) {
                let lane = word * 64 + bit;
                let record = &mut self.record;
                record.restart(self.numbers[lane]);
                record.rounds = self.played[lane];
                record.terminal = terminal[word] >> bit & 1 == 1;
                let mut sums = kind.goals.iter().map(|codes| {
                    let holding = codes.iter().filter(|(_, code)| self.words.holds(*code, word, bit));
                    holding.map(|(value, _)| *value).sum::<i64>()
                });
                record.goals.iter_mut().zip(&mut sums).for_each(|(goals, sum)| goals.push(sum));
                record.stuck = sums.next().is_some_and(|sum| sum != 0);
                for (role, branching) in record.branching.iter_mut().enumerate() {
                    *branching = std::mem::take(&mut self.branching[role * 64 * W + lane]);
                }
                sink(record);
            }
        }
    }
}
