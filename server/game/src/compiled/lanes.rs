//! Random matches in the lanes of words: one sweep of the circuit moves `64 * W` matches on by a round.
//!
//! A lane plays one match after the other; every match has a random stream of its own, so results do not depend on
//! which lane or thread played it.

use std::ops::Range;

use super::compile::{Compiled, NOWHERE, Segment};
use super::transpose::transpose;
use super::values::Words;
use crate::circuit::mark_live;
use crate::circuit::{Lit, Node};
use crate::play::{Limits, MatchRecord, Stream};
use crate::{Ground, State};

const LEGAL: usize = 0;
const GOALS: usize = 1;
const NEXT: usize = 2;

/// A ground game compiled for random play. Fluents that neither moves nor the result depend on are left out.
#[derive(Debug)]
pub struct Playouts {
    compiled: Compiled,
    /// By role: the code of each move's legality, 64 to a block, and the slot of each move.
    legal: Vec<Vec<(u32, u32)>>,
    terminal: u32,
    /// Slot of a fluent, its code in the next state, its value at the start.
    fluents: Vec<(u32, u32, bool)>,
    goals: Vec<Vec<(i64, u32)>>,
}

/// The fluents that legality, the end and the goals depend on, now or later.
fn relevant(ground: &Ground) -> Vec<bool> {
    let mut next = Vec::new();
    for &(fluent, gate) in &ground.next {
        if next.len() <= fluent.0 as usize {
            next.resize(fluent.0 as usize + 1, Lit::FALSE);
        }
        next[fluent.0 as usize] = gate;
    }
    let moves = ground.moves.iter().flatten().map(|(_, gate)| *gate);
    let goals = ground.goals.iter().flatten().map(|(_, gate)| *gate);
    let mut relevant: Vec<bool> = Vec::new();
    let mut live = vec![false; ground.circuit.nodes().len()];
    let mut roots: Vec<Lit> = moves.chain(goals).chain([ground.terminal]).collect();
    while !roots.is_empty() {
        let mut fluents = Vec::new();
        mark_live(&ground.circuit, &roots, &mut live, &mut |node| {
            if let Node::Fluent(fluent) = node {
                fluents.push(fluent.0 as usize);
            }
        });
        relevant.resize(fluents.iter().map(|index| index + 1).max().unwrap_or(0).max(relevant.len()), false);
        fluents.iter().for_each(|&index| relevant[index] = true);
        roots = fluents.into_iter().filter_map(|index| next.get(index).copied()).collect();
    }
    relevant
}

impl Playouts {
    /// Compiles random play from `initial`.
    pub fn new(ground: &Ground, initial: &State) -> Playouts {
        let relevant = relevant(ground);
        let needed = |index: u32| relevant.get(index as usize).copied().unwrap_or(false);
        let next: Vec<_> = ground.next.iter().filter(|(fluent, _)| needed(fluent.0)).copied().collect();
        let legal = ground.moves.iter().flatten().map(|(_, gate)| *gate).chain([ground.terminal]).collect();
        let goals = ground.goals.iter().flatten().map(|(_, gate)| *gate).collect();
        let segments = [
            Segment::always(legal),
            Segment::on_demand(goals),
            Segment::always(next.iter().map(|(_, gate)| *gate).collect()),
        ];
        let compiled = Compiled::new(&ground.circuit, &segments);
        let mut next_codes = vec![compiled.code(Lit::FALSE); relevant.len()];
        next.iter().for_each(|(fluent, gate)| next_codes[fluent.0 as usize] = compiled.code(*gate));
        let fluents = compiled.fluents.iter().enumerate().filter(|(_, slot)| **slot != NOWHERE);
        let fluents = fluents
            .map(|(index, &slot)| (slot, next_codes[index], initial.has(crate::FluentId(index as u32))))
            .collect();
        let legal = ground.moves.iter().enumerate().map(|(role, moves)| {
            let slot = |mv: u32| compiled.moves.get(role).and_then(|slots| slots.get(mv as usize)).copied();
            moves.iter().map(|(mv, gate)| (compiled.code(*gate), slot(mv.0).unwrap_or(NOWHERE))).collect()
        });
        Playouts {
            legal: legal.collect(),
            terminal: compiled.code(ground.terminal),
            fluents,
            goals: ground.goals.iter().map(|goals| super::compile::codes(&compiled, goals)).collect(),
            compiled,
        }
    }

    /// Gates, operands, and fluents of a sweep.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.compiled.gate_count(), self.compiled.operand_count(), self.fluents.len())
    }

    /// Bytes that one thread works on.
    pub fn bytes<const W: usize>(&self) -> usize {
        self.compiled.bytes() + self.compiled.slots as usize * 8 * W
    }

    /// Plays the matches with these numbers and gives each to `sink` as it ends, in no particular order.
    pub fn run<const W: usize>(&self, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
        #[cfg(target_arch = "x86_64")]
        if ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"].map(has).iter().all(|has| *has) {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.run_wide::<W>(matches, limits, sink) };
        }
        self.run_here::<W>(matches, limits, sink, select);
    }

    /// As [`Playouts::run_here`], compiled for processors with 256-bit words and bit counting: 2 to 3 times as fast.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run_wide<const W: usize>(&self, matches: Range<u64>, limits: &Limits, sink: &mut dyn FnMut(&MatchRecord)) {
        let deposit = |word: u64, rank: u32| std::arch::x86_64::_pdep_u64(1u64 << rank, word).trailing_zeros();
        self.run_here::<W>(matches, limits, sink, deposit);
    }

    // Inlined, like all it calls in every round, so that `run_wide` compiles it anew.
    #[inline(always)]
    fn run_here<const W: usize>(
        &self,
        matches: Range<u64>,
        limits: &Limits,
        sink: &mut dyn FnMut(&MatchRecord),
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        let mut lanes = Lanes::<W>::new(self, matches, limits);
        while lanes.active != [0; W] {
            lanes.round(sink, select);
        }
    }
}

/// Whether this processor has a feature.
#[cfg(target_arch = "x86_64")]
fn has(feature: &str) -> bool {
    match feature {
        "avx2" => is_x86_feature_detected!("avx2"),
        "bmi1" => is_x86_feature_detected!("bmi1"),
        "bmi2" => is_x86_feature_detected!("bmi2"),
        "lzcnt" => is_x86_feature_detected!("lzcnt"),
        "popcnt" => is_x86_feature_detected!("popcnt"),
        _ => false,
    }
}

struct Lanes<'a, const W: usize> {
    game: &'a Playouts,
    limits: &'a Limits,
    words: Words<W>,
    waiting: Range<u64>,
    /// Lanes with a match under way.
    active: [u64; W],
    /// By lane: the number of its match, the round in which it began, its random stream.
    numbers: Vec<u64>,
    began: Vec<u64>,
    streams: Vec<Stream>,
    /// By role and lane: the numbers of legal moves so far, summed, and the greatest.
    branching: Vec<(u64, u32)>,
    /// Rounds played, and a bound: no match began before it.
    now: u64,
    oldest: u64,
    /// Move slots that are not zero.
    touched: Vec<u32>,
    next: Vec<[u64; W]>,
    /// Legal moves of one role: by block of 64 moves and lane of a word.
    masks: Vec<[u64; W]>,
    /// The match that is being reported.
    record: MatchRecord,
}

impl<'a, const W: usize> Lanes<'a, W> {
    fn new(game: &'a Playouts, mut waiting: Range<u64>, limits: &'a Limits) -> Self {
        let mut words = Words::new(&game.compiled);
        for &(slot, _, initial) in &game.fluents {
            *words.slot_mut(slot) = [u64::from(initial).wrapping_neg(); W];
        }
        let mut active = [0; W];
        let mut numbers = vec![0; 64 * W];
        for (lane, number) in numbers.iter_mut().enumerate() {
            if let Some(first) = waiting.next() {
                active[lane / 64] |= 1 << (lane % 64);
                *number = first;
            }
        }
        let roles = game.legal.len();
        let blocks = game.legal.iter().map(|moves| moves.len().div_ceil(64)).max().unwrap_or(0);
        Lanes {
            game,
            limits,
            words,
            waiting,
            active,
            began: vec![0; 64 * W],
            streams: numbers.iter().map(|&number| Stream::new(limits.seed, number)).collect(),
            numbers,
            branching: vec![(0, 0); roles * 64 * W],
            now: 0,
            oldest: 0,
            touched: Vec::new(),
            next: vec![[0; W]; game.fluents.len()],
            masks: vec![[0; W]; blocks * 64],
            record: MatchRecord::new(0, roles),
        }
    }

    /// One round of all lanes; lanes whose match is over start the next one.
    #[inline(always)]
    fn round(&mut self, sink: &mut dyn FnMut(&MatchRecord), select: impl Fn(u64, u32) -> u32 + Copy) {
        self.words.run(&self.game.compiled, LEGAL);
        let terminal = self.words.get(self.game.terminal);
        for &slot in &self.touched {
            *self.words.slot_mut(slot) = [0; W];
        }
        self.touched.clear();
        let mut over = terminal;
        self.cut(&mut over);
        let mut stuck = [0; W];
        for role in 0..self.game.legal.len() {
            self.choose(role, &mut over, &mut stuck, select);
        }
        if (0..W).any(|word| over[word] & self.active[word] != 0) {
            self.finish(&over, &terminal, &stuck, sink);
        }
        self.now += 1;
        self.words.run(&self.game.compiled, NEXT);
        for (next, &(_, code, _)) in self.next.iter_mut().zip(&self.game.fluents) {
            *next = self.words.get(code);
        }
        for (next, &(slot, _, initial)) in self.next.iter().zip(&self.game.fluents) {
            let start = u64::from(initial).wrapping_neg();
            *self.words.slot_mut(slot) = std::array::from_fn(|word| (next[word] & !over[word]) | (start & over[word]));
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
    fn choose(&mut self, role: usize, over: &mut [u64; W], stuck: &mut [u64; W], select: impl Fn(u64, u32) -> u32) {
        let moves = &self.game.legal[role];
        let blocks = moves.len().div_ceil(64);
        for (block, moves) in moves.chunks(64).enumerate() {
            let rows: &mut [[u64; W]; 64] =
                (&mut self.masks[block * 64..][..64]).try_into().expect("a block has 64 rows");
            let mut any = 0;
            for (row, &(code, _)) in rows.iter_mut().zip(moves) {
                *row = self.words.get(code);
                any |= row.iter().fold(0, |any, word| any | word);
            }
            rows[moves.len()..].fill([0; W]);
            if any != 0 {
                transpose(rows);
            }
        }
        for word in 0..W {
            let mut going = self.active[word] & !over[word];
            while going != 0 {
                let lane = going.trailing_zeros() as usize;
                going &= going - 1;
                let masks = self.masks[lane..].iter().step_by(64).take(blocks).map(|row| row[word]);
                let count: u32 = masks.clone().map(u64::count_ones).sum();
                let (sum, greatest) = &mut self.branching[(role * W + word) * 64 + lane];
                *sum += u64::from(count);
                *greatest = (*greatest).max(count);
                if count == 0 {
                    stuck[word] |= 1 << lane;
                    over[word] |= 1 << lane;
                    continue;
                }
                let mut pick = self.streams[word * 64 + lane].below(count);
                let mut place = 0;
                for mask in masks {
                    let ones = mask.count_ones();
                    if pick < ones {
                        place += select(mask, pick) as usize;
                        break;
                    }
                    pick -= ones;
                    place += 64;
                }
                let slot = moves[place].1;
                if slot != NOWHERE {
                    self.words.slot_mut(slot)[word] |= 1 << lane;
                    self.touched.push(slot);
                }
            }
        }
    }

    /// Reports the matches that are over and starts the next ones in their lanes.
    fn finish(&mut self, over: &[u64; W], terminal: &[u64; W], stuck: &[u64; W], sink: &mut dyn FnMut(&MatchRecord)) {
        self.words.run(&self.game.compiled, GOALS);
        for word in 0..W {
            let mut ending = over[word] & self.active[word];
            while ending != 0 {
                let bit = ending.trailing_zeros() as usize;
                ending &= ending - 1;
                let lane = word * 64 + bit;
                let record = &mut self.record;
                record.restart(self.numbers[lane]);
                record.rounds = (self.now - self.began[lane]) as u32;
                record.terminal = terminal[word] >> bit & 1 == 1;
                record.stuck = stuck[word] >> bit & 1 == 1;
                for (goals, codes) in record.goals.iter_mut().zip(&self.game.goals) {
                    let holding = codes.iter().filter(|(_, code)| self.words.get(*code)[word] >> bit & 1 == 1);
                    goals.extend(holding.map(|(value, _)| *value));
                }
                for (role, branching) in record.branching.iter_mut().enumerate() {
                    *branching = std::mem::take(&mut self.branching[role * 64 * W + lane]);
                }
                sink(record);
                match self.waiting.next() {
                    Some(number) => {
                        self.numbers[lane] = number;
                        self.began[lane] = self.now + 1;
                        self.streams[lane] = Stream::new(self.limits.seed, number);
                    }
                    None => self.active[word] &= !(1 << bit),
                }
            }
        }
    }
}

/// The place of the `rank`-th set bit, counted from 0: a binary search by counting, without branches.
#[inline(always)]
fn select(word: u64, mut rank: u32) -> u32 {
    let mut place = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        let low = (word >> place & ((1 << width) - 1)).count_ones();
        let right = u32::from(rank >= low);
        rank -= low * right;
        place += width * right;
    }
    place
}
