//! Random matches in the lanes of words: one sweep of the circuit advances `64 * W` matches by a round.
//!
//! A lane plays one match after the other. Every match has a random stream of its own, so results do not depend on the
//! lane or thread that played it. Matches begin in phase 0 of the game only ([`super::phases`]), so a lane may have to
//! wait for it.

mod many;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

#[cfg(target_arch = "x86_64")]
use super::choices::is_wide;
use super::choices::{Choices, Effects, MANY_MOVES, select};
use super::compile::{Compiled, NOWHERE, Segment, codes};
use super::kinds::Kinds;
use super::partial::Phase as Folded;
use super::phases::phases;
use super::shrink::shrink;
use super::values::Words;
use crate::circuit::{Lit, Node};
use crate::play::{Limits, MatchRecord, Stream};
use crate::{FluentId, Ground, State};
pub use many::Many;

const LEGAL: usize = 0;
const GOALS: usize = 1;
const NEXT: usize = 2;

/// The code of a constant that always holds.
const ALWAYS: u32 = 0;

/// The code of a constant that never holds.
const NEVER: u32 = 1;

/// A ground game compiled for random play. Fluents that neither moves nor the result depend on are left out.
#[derive(Debug)]
pub struct Playouts {
    /// Round `r` of a match is played by phase `r`; after the last one comes phase `back`.
    phases: Arc<[Phase]>,
    back: usize,
    /// True if matches are begun only when all are over.
    together: bool,
    /// True if only the role in turn has moves: the others wait and are not stuck.
    is_sequential: bool,
    /// Circuits that play these matches faster.
    kinds: Option<Arc<Kinds>>,
}

/// One round.
#[derive(Debug)]
struct Phase {
    /// Rounds of a block have the same instructions.
    instructions: Arc<Instructions>,
    /// For each fluent of the next phase, the code of its next value in this phase.
    next: Arc<[u32]>,
}

impl std::ops::Deref for Phase {
    type Target = Instructions;

    fn deref(&self) -> &Instructions {
        &self.instructions
    }
}

/// The instructions of one round.
#[derive(Debug)]
struct Instructions {
    compiled: Compiled,
    /// For each role, the code of each move's legality.
    legal: Vec<Vec<u32>>,
    effects: Effects,
    terminal: u32,
    /// The slot of each fluent and its value at the start.
    fluents: Vec<(u32, bool)>,
    goals: Vec<Vec<(i64, u32)>>,
}

impl Instructions {
    /// True if a role has exactly one move in every state.
    fn is_forced(&self, role: usize) -> bool {
        matches!(self.legal[role][..], [ALWAYS])
    }
}

impl Playouts {
    /// Compiles random play from `initial`.
    pub fn new(ground: &Ground, initial: &State) -> Playouts {
        let folded = phases(ground, initial);
        Playouts::of(folded.phases(), folded.back, initial)
    }

    /// Like [`Playouts::new`], with what many gates have in common computed once ([`super::shrink`]).
    pub(crate) fn shrunk(ground: &Ground, initial: &State) -> Playouts {
        let folded = phases(ground, initial);
        Playouts::of(folded.phases().map(shrunk), folded.back, initial)
    }

    /// Compiles circuits for the first rounds; after the last one comes the one at `back`.
    pub(super) fn of(folded: impl Iterator<Item = Folded>, back: usize, initial: &State) -> Playouts {
        let circuits = compile_all(folded, initial);
        let following = |at: usize| if at + 1 == circuits.len() { back } else { at + 1 };
        let phases = (0..circuits.len()).map(|at| followed(&circuits[at], &circuits[following(at)].0)).collect();
        Playouts { phases, back, together: back > 0, is_sequential: false, kinds: None }
    }

    /// Compiles the circuits of blocks of these lengths, each of which repeats `period` circuits; the last block goes on
    /// for ever.
    pub(super) fn of_blocks(
        folded: impl Iterator<Item = Folded>,
        lengths: &[usize],
        period: usize,
        initial: &State,
    ) -> Playouts {
        let circuits = compile_all(folded, initial);
        let mut rounds: Vec<usize> = Vec::new();
        let mut back = 0;
        for (block, &length) in lengths.iter().enumerate() {
            let is_last = block + 1 == lengths.len();
            back = rounds.len();
            rounds.extend((0..if is_last { period } else { length }).map(|round| block * period + round % period));
        }
        let mut pairs: FxHashMap<(usize, usize), Arc<[u32]>> = FxHashMap::default();
        let phase = |at: usize| {
            let (own, other) = (rounds[at], rounds[if at + 1 == rounds.len() { back } else { at + 1 }]);
            let next = pairs.entry((own, other)).or_insert_with(|| followed(&circuits[own], &circuits[other].0).next);
            Phase { instructions: circuits[own].0.clone(), next: next.clone() }
        };
        let phases = (0..rounds.len()).map(phase).collect();
        Playouts { phases, back, together: true, is_sequential: false, kinds: None }
    }

    /// The same playouts, with all lanes waiting for the last one before they begin their next matches.
    pub(super) fn together(&self) -> Playouts {
        Playouts { phases: self.phases.clone(), together: true, kinds: None, ..*self }
    }

    /// The same playouts, of a game in which only the role in turn has moves. The goal of a role is the sum of its goal
    /// values that hold. If there is one more list of goals, a match in which one of these holds is not right: it is
    /// said to be stuck ([`Playouts::is_wrong`]).
    pub(crate) fn sequential(self) -> Playouts {
        Playouts { is_sequential: true, ..self }
    }

    /// Playouts of the same matches of a sequential game that take longer to set up but are faster for many matches.
    pub(crate) fn in_kinds(&self, ground: &Ground, initial: &State) -> Option<Playouts> {
        let kinds = Kinds::new(ground, initial, self.cost())?;
        Some(Playouts { phases: self.phases.clone(), kinds: Some(Arc::new(kinds)), ..*self })
    }

    /// True if a match must be played in another way.
    pub(crate) fn is_wrong(&self, record: &MatchRecord) -> bool {
        self.is_sequential && record.stuck
    }

    fn following(&self, at: usize) -> usize {
        if at + 1 == self.phases.len() { self.back } else { at + 1 }
    }

    /// The number of rounds, out of the first `rounds`, that a phase plays.
    fn times(&self, phase: usize, rounds: u64) -> u64 {
        let period = if phase < self.back { u64::MAX } else { (self.phases.len() - self.back) as u64 };
        rounds.saturating_sub(phase as u64).div_ceil(period)
    }

    /// For each phase, the numbers of gates, operands and fluents of a sweep.
    pub fn sizes(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let of = |phase: &Phase| (phase.compiled.gate_count(), phase.compiled.operand_count(), phase.fluents.len());
        let phases = self.phases.iter().map(of).filter(|_| self.kinds.is_none());
        phases.chain(self.kinds.iter().flat_map(|kinds| kinds.sizes()))
    }

    /// The number of bytes of the values that one thread works on in a round of `64 * W` matches.
    pub fn bytes<const W: usize>(&self) -> usize {
        if let Some(kinds) = &self.kinds {
            return kinds.bytes::<W>();
        }
        self.phases.iter().map(|phase| phase.compiled.slots as usize * 8 * W).max().unwrap_or(0)
    }

    /// Like [`Playouts::run`], with the number of matches at once that is fastest: wide words read the instructions
    /// less often, as long as the values stay in the caches and the lanes have matches to play.
    ///
    /// Measured on a processor with 1 MB of second-level cache: 1024 matches at once instead of 256 play breakthrough
    /// and gomoku a fifth to a half faster, 512 chess and hex a quarter; amazons, whose values then take 6 MB, is
    /// slower.
    pub fn run_in_width(&self, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
        match matches.end.saturating_sub(matches.start) {
            4096.. if self.bytes::<16>() <= 1 << 20 => self.run::<16>(matches, limits, sink),
            2048.. if self.bytes::<8>() <= 4 << 20 => self.run::<8>(matches, limits, sink),
            32.. => self.run::<4>(matches, limits, sink),
            _ => self.run::<1>(matches, limits, sink),
        }
    }

    /// Plays the matches with these numbers and passes each to `sink` when it ends, in no particular order.
    pub fn run<const W: usize>(&self, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
        #[cfg(target_arch = "x86_64")]
        if is_wide() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.run_wide::<W>(matches, limits, sink) };
        }
        self.run_here::<W>(matches, limits, sink, select);
    }

    /// Like [`Playouts::run_here`], compiled for processors with 256-bit words and bit counting: 2 to 3 times as fast.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run_wide<const W: usize>(&self, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
        let deposit = |word: u64, rank: u32| std::arch::x86_64::_pdep_u64(1u64 << rank, word).trailing_zeros();
        self.run_here::<W>(matches, limits, sink, deposit);
    }

    // Inlined, like everything it calls in every round, so that `run_wide` compiles its own copy.
    #[inline(always)]
    fn run_here<const W: usize>(
        &self,
        matches: Range<u64>,
        limits: &Limits,
        sink: &mut dyn FnMut(&MatchRecord),
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        if let Some(kinds) = &self.kinds {
            return kinds.run::<W>(matches, limits, sink, select);
        }
        let mut lanes = Lanes::<W>::new(self, matches, limits);
        // If all lanes end at once, they may still wait for phase 0.
        while lanes.active != [0; W] || !lanes.waiting.is_empty() {
            lanes.round(sink, select);
        }
    }
}

/// The phase with a smaller circuit.
fn shrunk(phase: Folded) -> Folded {
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
type Circuit = (Arc<Instructions>, FxHashMap<u32, u32>);

/// Compiles circuits; each is dropped before the next one is made.
fn compile_all(folded: impl Iterator<Item = Folded>, initial: &State) -> Vec<Circuit> {
    folded.map(|phase| compile(&phase, initial)).collect()
}

/// The phase of a circuit that another one follows.
fn followed(circuit: &Circuit, following: &Instructions) -> Phase {
    let read = following.compiled.fluents.iter().enumerate().filter(|(_, slot)| **slot != NOWHERE);
    let next = read.map(|(fluent, _)| circuit.1.get(&(fluent as u32)).copied().unwrap_or(NEVER)).collect();
    Phase { instructions: circuit.0.clone(), next }
}

/// Compiles a circuit.
fn compile(phase: &Folded, initial: &State) -> Circuit {
    let segments = [
        Segment::always(phase.moves.iter().flatten().map(|(_, gate)| *gate).chain([phase.terminal]).collect()),
        Segment::on_demand(phase.goals.iter().flatten().map(|(_, gate)| *gate).collect()),
        Segment::always(phase.next.iter().map(|(_, gate)| *gate).collect()),
    ];
    let many: Vec<bool> = phase.moves.iter().map(|moves| moves.len() > MANY_MOVES).collect();
    let mut compiled = Compiled::compact(&phase.circuit, &segments, &many);
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

struct Lanes<'a, const W: usize> {
    game: &'a Playouts,
    limits: &'a Limits,
    words: Words<W>,
    waiting: Range<u64>,
    /// Lanes with a match in progress; the others wait for phase 0, or for the end.
    active: [u64; W],
    /// For each lane, the number of its match, the round in which it began, and its random stream.
    numbers: Vec<u64>,
    began: Vec<u64>,
    streams: Vec<Stream>,
    /// For each role and lane, the sum of the numbers of legal moves so far, and their maximum.
    branching: Vec<(u64, u32)>,
    /// The phase of the next round.
    at: usize,
    /// The number of rounds played, and a lower bound: every match in progress began at or after it.
    now: u64,
    oldest: u64,
    next: Vec<[u64; W]>,
    choices: Choices<W>,
    /// The match that is being reported.
    record: MatchRecord,
}

impl<'a, const W: usize> Lanes<'a, W> {
    fn new(game: &'a Playouts, waiting: Range<u64>, limits: &'a Limits) -> Self {
        let roles = game.phases[0].legal.len();
        let most = game.phases.iter().flat_map(|phase| &phase.legal).map(Vec::len).max().unwrap_or(0);
        let mut lanes = Lanes {
            game,
            limits,
            words: Words::of_size(game.phases.iter().map(|phase| phase.compiled.slots).max().unwrap_or(1)),
            waiting,
            active: [0; W],
            began: vec![0; 64 * W],
            streams: vec![Stream::new(0, 0); 64 * W],
            numbers: vec![0; 64 * W],
            branching: vec![(0, 0); roles * 64 * W],
            at: 0,
            now: 0,
            oldest: 0,
            next: vec![[0; W]; game.phases.iter().map(|phase| phase.next.len()).max().unwrap_or(0)],
            choices: Choices::new(most),
            record: MatchRecord::new(0, roles),
        };
        let fresh = lanes.begin();
        for &(slot, initial) in &game.phases[0].fluents {
            *lanes.words.slot_mut(slot) = fresh.map(|fresh| if initial { fresh } else { 0 });
        }
        lanes
    }

    /// Begins matches in the lanes that have none. Returns these lanes.
    #[inline(always)]
    fn begin(&mut self) -> [u64; W] {
        let mut fresh = [0; W];
        for word in 0..W {
            let mut free = !self.active[word];
            while free != 0 {
                let bit = free.trailing_zeros() as usize;
                free &= free - 1;
                let Some(number) = self.waiting.next() else { return fresh };
                let lane = word * 64 + bit;
                self.numbers[lane] = number;
                self.began[lane] = self.now;
                self.streams[lane] = Stream::new(self.limits.seed, number);
                self.active[word] |= 1 << bit;
                fresh[word] |= 1 << bit;
            }
        }
        fresh
    }

    /// Plays one round of all lanes. Lanes whose match is over start the next one at the next phase 0.
    #[inline(always)]
    fn round(&mut self, sink: &mut dyn FnMut(&MatchRecord), select: impl Fn(u64, u32) -> u32 + Copy) {
        let game = self.game;
        let at = self.at;
        let phase = &game.phases[at];
        self.words.run(&phase.compiled, LEGAL);
        let terminal = self.words.get(phase.terminal);
        self.words.clear(1..phase.compiled.moves_end);
        let mut over = terminal;
        self.cut(&mut over);
        let mut stuck = [0; W];
        for role in 0..phase.legal.len() {
            let waits = game.is_sequential && phase.legal[role].is_empty();
            if !phase.is_forced(role) && !waits {
                self.choose(at, role, &mut over, &mut stuck, select);
            }
        }
        if (0..W).any(|word| over[word] & self.active[word] != 0) {
            self.finish(at, &over, &terminal, &stuck, sink);
        }
        self.now += 1;
        self.words.run(&phase.compiled, NEXT);
        // Copied first: new values may be in the slots of old ones, and slots of two phases overlap.
        for (next, &code) in self.next.iter_mut().zip(&*phase.next) {
            *next = self.words.get(code);
        }
        let to = if game.together && self.active == [0; W] { 0 } else { game.following(at) };
        self.at = to;
        let may_begin = to == 0 && (!game.together || self.active == [0; W]);
        let fresh = if may_begin && self.active != [!0; W] { self.begin() } else { [0; W] };
        for (next, &(slot, initial)) in self.next.iter().zip(&game.phases[to].fluents) {
            let start = u64::from(initial).wrapping_neg();
            *self.words.slot_mut(slot) =
                std::array::from_fn(|word| (next[word] & !fresh[word]) | (start & fresh[word]));
        }
    }

    /// Adds the lanes whose matches are stopped at a limit.
    #[inline(always)]
    fn cut(&mut self, over: &mut [u64; W]) {
        if self.limits.is_late() {
            self.waiting = 0..0;
            (0..W).for_each(|word| over[word] |= self.active[word]);
        }
        let longest = u64::from(self.limits.max_rounds);
        if self.now - self.oldest < longest {
            return;
        }
        self.oldest = self.now;
        for (lane, &began) in self.began.iter().enumerate() {
            if self.active[lane / 64] >> (lane % 64) & 1 == 0 {
                continue;
            }
            if self.now - began >= longest {
                over[lane / 64] |= 1 << (lane % 64);
            } else {
                self.oldest = self.oldest.min(began);
            }
        }
    }

    /// Chooses a move for a role in every lane that goes on; a lane without a legal move is over.
    #[inline(always)]
    fn choose(
        &mut self,
        at: usize,
        role: usize,
        over: &mut [u64; W],
        stuck: &mut [u64; W],
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        let phase = &self.game.phases[at];
        let words = &mut self.words;
        self.choices.read(words, &phase.legal[role]);
        for word in 0..W {
            let mut going = self.active[word] & !over[word];
            if self.game.is_sequential {
                going &= self.choices.some[word];
            }
            while going != 0 {
                let lane = going.trailing_zeros() as usize;
                going &= going - 1;
                let count = self.choices.count(word, lane);
                let (sum, greatest) = &mut self.branching[(role * W + word) * 64 + lane];
                *sum += u64::from(count);
                *greatest = (*greatest).max(count);
                if count == 0 {
                    stuck[word] |= 1 << lane;
                    over[word] |= 1 << lane;
                    // Earlier roles with a forced move have counted it already.
                    for forced in (0..role).filter(|&role| phase.is_forced(role)) {
                        let (sum, greatest) = &mut self.branching[(forced * W + word) * 64 + lane];
                        (*sum, *greatest) = (*sum + 1, (*greatest).max(1));
                    }
                    continue;
                }
                let pick = self.streams[word * 64 + lane].below(count);
                let place = self.choices.place(word, lane, pick, select);
                for &slot in phase.effects.of(role, place) {
                    words.slot_mut(slot)[word] |= 1 << lane;
                }
            }
        }
    }

    /// Reports the matches that are over.
    fn finish(
        &mut self,
        at: usize,
        over: &[u64; W],
        terminal: &[u64; W],
        stuck: &[u64; W],
        sink: &mut dyn FnMut(&MatchRecord),
    ) {
        let phases = &self.game.phases;
        let words = &mut self.words;
        words.run(&phases[at].compiled, GOALS);
        for word in 0..W {
            let mut ending = over[word] & self.active[word];
            self.active[word] &= !ending;
            while ending != 0 {
                let bit = ending.trailing_zeros() as usize;
                ending &= ending - 1;
                let lane = word * 64 + bit;
                let record = &mut self.record;
                record.restart(self.numbers[lane]);
                let rounds = self.now - self.began[lane];
                record.rounds = rounds as u32;
                record.terminal = terminal[word] >> bit & 1 == 1;
                record.stuck = stuck[word] >> bit & 1 == 1;
                for (goals, codes) in record.goals.iter_mut().zip(&phases[at].goals) {
                    let holding = codes.iter().filter(|(_, code)| words.get(*code)[word] >> bit & 1 == 1);
                    let holding = holding.map(|(value, _)| *value);
                    if self.game.is_sequential { goals.push(holding.sum()) } else { goals.extend(holding) }
                }
                // Of a sequential game there may be one more list of goals.
                if let Some(codes) = phases[at].goals.get(record.goals.len()) {
                    record.stuck = codes.iter().any(|(_, code)| words.get(*code)[word] >> bit & 1 == 1);
                }
                for (role, branching) in record.branching.iter_mut().enumerate() {
                    *branching = std::mem::take(&mut self.branching[role * 64 * W + lane]);
                    // Rounds in which the role had no choice were not counted one by one.
                    for (number, _) in phases.iter().enumerate().filter(|(_, phase)| phase.is_forced(role)) {
                        let forced = self.game.times(number, rounds);
                        let greatest = branching.1.max(u32::from(forced > 0));
                        *branching = (branching.0 + forced, greatest);
                    }
                }
                sink(record);
            }
        }
    }
}
