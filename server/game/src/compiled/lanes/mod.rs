//! Random matches in the lanes of words: one sweep of the circuit advances `64 * W` matches by a round.
//!
//! A lane plays one match after the other. Every match has a random stream of its own, so results do not depend on the
//! lane or thread that played it. Matches begin in phase 0 of the game only ([`super::phases`]), so a lane may have to
//! wait for it.

mod instructions;
mod many;
mod play;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::choices::select;
#[cfg(target_arch = "x86_64")]
use super::choices::{is_wide, is_widest};
use super::kinds::Kinds;
use super::partial::KnownRounds;
use super::phases::phases;
use crate::play::{Limits, MatchRecord};
use crate::{Ground, State};
use instructions::{Circuit, Phase, Transition, compile_all, shrunk, transition};
pub use many::Many;
use play::Lanes;

const LEGAL: usize = 0;
const GOALS: usize = 1;
const NEXT: usize = 2;

/// Up to this number of phases, their instructions stay in the caches, in most games.
const FEW_PHASES: usize = 16;

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

impl Playouts {
    /// Compiles random play from `initial`.
    pub fn new(ground: &Ground, initial: &State) -> Playouts {
        Playouts::of(&phases(ground, initial), initial)
    }

    /// Like [`Playouts::new`], with what many gates have in common computed once ([`super::shrink`]).
    pub(crate) fn shrunk(ground: &Ground, initial: &State) -> Playouts {
        let folded = phases(ground, initial);
        Playouts::of_circuits(compile_all(folded.phases().map(shrunk), folded.fluents, initial), folded.back)
    }

    /// Compiles the circuits of rounds; after the last one comes the one at `back`.
    pub(super) fn of(folded: &KnownRounds<'_>, initial: &State) -> Playouts {
        Playouts::of_circuits(compile_all(folded.phases(), folded.fluents, initial), folded.back)
    }

    fn of_circuits(circuits: Vec<Circuit>, back: usize) -> Playouts {
        let following = |at: usize| if at + 1 == circuits.len() { back } else { at + 1 };
        let phase = |at: usize| Phase {
            instructions: circuits[at].0.clone(),
            next: Arc::new(transition(&circuits[at], &circuits[following(at)].0)),
        };
        let phases = (0..circuits.len()).map(phase).collect();
        Playouts { phases, back, together: back > 0, is_sequential: false, kinds: None }
    }

    /// Compiles the circuits of blocks of these lengths, each of which repeats `period` circuits; the last block goes on
    /// for ever.
    pub(super) fn of_blocks(folded: &KnownRounds<'_>, lengths: &[usize], period: usize, initial: &State) -> Playouts {
        let circuits = compile_all(folded.phases(), folded.fluents, initial);
        let mut rounds: Vec<usize> = Vec::new();
        let mut back = 0;
        for (block, &length) in lengths.iter().enumerate() {
            let is_last = block + 1 == lengths.len();
            back = rounds.len();
            rounds.extend((0..if is_last { period } else { length }).map(|round| block * period + round % period));
        }
        let mut pairs: FxHashMap<(usize, usize), Arc<Transition>> = FxHashMap::default();
        let phase = |at: usize| {
            let (own, other) = (rounds[at], rounds[if at + 1 == rounds.len() { back } else { at + 1 }]);
            let between = || Arc::new(transition(&circuits[own], &circuits[other].0));
            let next = pairs.entry((own, other)).or_insert_with(between);
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
        self.phases.iter().map(|phase| phase.compiled.used_slots() * 8 * W).max().unwrap_or(0)
    }

    /// Like [`Playouts::run`], with the number of matches at once that is fastest: wide words read the instructions
    /// less often, as long as the values stay in the caches and the lanes have matches to play.
    ///
    /// Measured on processors with 1 and 2 MB of second-level cache, 512-bit words and two busy cores: 1024 matches at once
    /// instead of 512 play breakthrough, gomoku and chess up to a third faster; amazons, whose values then take 11 MB, is
    /// a fifth slower or as fast. With a circuit for every round, all instructions come from memory, so that hex is 1.2
    /// times as fast although its values take 3 to 11 MB.
    pub fn run_in_width(&self, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
        match matches.end.saturating_sub(matches.start) {
            4096.. if self.bytes::<16>() <= if self.phases.len() > FEW_PHASES { 1 << 24 } else { 1 << 22 } => {
                self.run::<16>(matches, limits, sink)
            }
            2048.. if self.bytes::<8>() <= 8 << 20 => self.run::<8>(matches, limits, sink),
            32.. => self.run::<4>(matches, limits, sink),
            _ => self.run::<1>(matches, limits, sink),
        }
    }

    /// Plays the matches with these numbers and passes each to `sink` when it ends, in no particular order.
    pub fn run<const W: usize>(&self, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
        #[cfg(target_arch = "x86_64")]
        if W >= 8 && is_widest() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.run_widest::<W>(matches, limits, sink) };
        }
        #[cfg(target_arch = "x86_64")]
        if is_wide() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.run_wide::<W>(matches, limits, sink) };
        }
        // Wide words are of no use elsewhere on such a processor, and take time to compile.
        if cfg!(target_arch = "x86_64") && W > 4 {
            return self.run_here::<4>(matches, limits, sink, select);
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

    /// Like [`Playouts::run_wide`], for processors with 512-bit words.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(
        enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq"
    )]
    fn run_widest<const W: usize>(&self, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
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
