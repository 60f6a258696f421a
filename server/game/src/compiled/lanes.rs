//! Random matches in the lanes of words: one sweep of the circuit moves `64 * W` matches on by a round.
//!
//! A lane plays one match after the other; every match has a random stream of its own, so results do not depend on
//! which lane or thread played it.

use std::ops::Range;

use super::compile::{Compiled, NOWHERE, Segment};
use super::transpose::transpose;
use super::values::Words;
use crate::circuit::{Lit, Node};
use crate::play::{Limits, MatchRecord, Stream};
use crate::rebuild::mark_live;
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
        let mut lanes = Lanes::<W>::new(self, matches, limits);
        while lanes.active > 0 {
            lanes.round(sink);
        }
    }
}

/// A match under way.
struct Lane {
    record: MatchRecord,
    stream: Stream,
    active: bool,
}

struct Lanes<'a, const W: usize> {
    game: &'a Playouts,
    limits: &'a Limits,
    words: Words<W>,
    lanes: Vec<Lane>,
    waiting: Range<u64>,
    active: usize,
    /// Move slots that are not zero.
    touched: Vec<u32>,
    next: Vec<[u64; W]>,
    /// Legal moves of one role: by lane and block of 64 moves.
    masks: Vec<u64>,
}

impl<'a, const W: usize> Lanes<'a, W> {
    fn new(game: &'a Playouts, mut waiting: Range<u64>, limits: &'a Limits) -> Self {
        let mut words = Words::new(&game.compiled);
        for &(slot, _, initial) in &game.fluents {
            *words.slot_mut(slot) = [u64::from(initial).wrapping_neg(); W];
        }
        let lanes: Vec<Lane> = (0..64 * W)
            .map(|_| {
                let number = waiting.next();
                Lane {
                    record: MatchRecord::new(number.unwrap_or(0), game.legal.len()),
                    stream: Stream::new(limits.seed, number.unwrap_or(0)),
                    active: number.is_some(),
                }
            })
            .collect();
        let blocks = game.legal.iter().map(|moves| moves.len().div_ceil(64)).max().unwrap_or(0);
        Lanes {
            game,
            limits,
            words,
            active: lanes.iter().filter(|lane| lane.active).count(),
            lanes,
            waiting,
            touched: Vec::new(),
            next: vec![[0; W]; game.fluents.len()],
            masks: vec![0; blocks * 64 * W],
        }
    }

    /// One round of all lanes; lanes whose match is over start the next one.
    fn round(&mut self, sink: &mut dyn FnMut(&MatchRecord)) {
        self.words.run(&self.game.compiled, LEGAL);
        let mut over = self.words.get(self.game.terminal);
        for &slot in &self.touched {
            *self.words.slot_mut(slot) = [0; W];
        }
        self.touched.clear();
        let late = self.limits.is_late();
        if late {
            self.waiting = 0..0;
        }
        for (index, lane) in self.lanes.iter_mut().enumerate() {
            let bit = 1u64 << (index % 64);
            if over[index / 64] & bit != 0 {
                lane.record.terminal = true;
            } else if late || lane.record.rounds >= self.limits.max_rounds {
                over[index / 64] |= bit;
            }
        }
        for role in 0..self.game.legal.len() {
            self.choose(role, &mut over);
        }
        for (index, lane) in self.lanes.iter_mut().enumerate() {
            lane.record.rounds += u32::from(over[index / 64] >> (index % 64) & 1 == 0);
        }
        if over != [0; W] {
            self.finish(&over, sink);
        }
        self.words.run(&self.game.compiled, NEXT);
        for (next, &(_, code, _)) in self.next.iter_mut().zip(&self.game.fluents) {
            *next = self.words.get(code);
        }
        for (next, &(slot, _, initial)) in self.next.iter().zip(&self.game.fluents) {
            let start = u64::from(initial).wrapping_neg();
            *self.words.slot_mut(slot) = std::array::from_fn(|word| (next[word] & !over[word]) | (start & over[word]));
        }
    }

    /// Chooses a move for a role in every lane that goes on; a lane without a legal move is over.
    fn choose(&mut self, role: usize, over: &mut [u64; W]) {
        let moves = &self.game.legal[role];
        let blocks = moves.len().div_ceil(64);
        let lanes = 64 * W;
        for (block, moves) in moves.chunks(64).enumerate() {
            for word in 0..W {
                let mut rows = [0u64; 64];
                let mut any = 0;
                for (row, &(code, _)) in rows.iter_mut().zip(moves) {
                    *row = self.words.get(code)[word];
                    any |= *row;
                }
                if any != 0 {
                    transpose(&mut rows);
                }
                self.masks[block * lanes + word * 64..][..64].copy_from_slice(&rows);
            }
        }
        for (index, lane) in self.lanes.iter_mut().enumerate() {
            let bit = 1u64 << (index % 64);
            if !lane.active || over[index / 64] & bit != 0 {
                continue;
            }
            let count: u32 = (0..blocks).map(|block| self.masks[block * lanes + index].count_ones()).sum();
            lane.record.saw(role, count);
            if count == 0 {
                lane.record.stuck = true;
                over[index / 64] |= bit;
                continue;
            }
            let mut pick = lane.stream.below(count);
            let mut block = 0;
            let place = loop {
                let mask = self.masks[block * lanes + index];
                let ones = mask.count_ones();
                if pick < ones {
                    break block * 64 + select(mask, pick) as usize;
                }
                pick -= ones;
                block += 1;
            };
            let slot = moves[place].1;
            if slot != NOWHERE {
                let word = &mut self.words.slot_mut(slot)[index / 64];
                *word |= bit;
                self.touched.push(slot);
            }
        }
    }

    /// Reports the matches that are over and starts the next ones in their lanes.
    fn finish(&mut self, over: &[u64; W], sink: &mut dyn FnMut(&MatchRecord)) {
        self.words.run(&self.game.compiled, GOALS);
        for index in 0..self.lanes.len() {
            let bit = 1u64 << (index % 64);
            let lane = &mut self.lanes[index];
            if over[index / 64] & bit == 0 {
                continue;
            }
            if lane.active {
                for (goals, codes) in lane.record.goals.iter_mut().zip(&self.game.goals) {
                    let holding = codes.iter().filter(|(_, code)| self.words.get(*code)[index / 64] & bit != 0);
                    goals.extend(holding.map(|(value, _)| *value));
                }
                sink(&lane.record);
            }
            match self.waiting.next() {
                Some(number) => {
                    lane.record.restart(number);
                    lane.stream = Stream::new(self.limits.seed, number);
                }
                None => {
                    self.active -= usize::from(lane.active);
                    lane.active = false;
                    lane.record.restart(0);
                }
            }
        }
    }
}

/// The place of the `rank`-th set bit, counted from 0.
fn select(mut word: u64, rank: u32) -> u32 {
    for _ in 0..rank {
        word &= word - 1;
    }
    word.trailing_zeros()
}
