//! The lanes that play: each is in a position of some kind.

use std::ops::Range;

use super::{GOALS, Kind, Kinds, LEGAL, NEXT};
use crate::compiled::choices::ones;
use crate::compiled::draws::Draws;
use crate::compiled::transpose::{apart, transpose};
use crate::compiled::values::{Aligned, Words, zeros};
use crate::play::{Limits, MatchRecord};

/// New matches are begun when one lane of this number is free.
const FREE: usize = 8;

/// The lanes, of which a round advances those of one kind.
pub(super) struct Lanes<'a, const W: usize> {
    game: &'a Kinds,
    limits: &'a Limits,
    words: Words<W>,
    /// The value of every fact.
    facts: Aligned<[u64; W]>,
    waiting: Range<u64>,
    /// For each kind, the lanes in a position of this kind, and their number.
    pub(super) masks: Vec<[u64; W]>,
    counts: Vec<u32>,
    /// The lanes without a match.
    free: [u64; W],
    /// For each bit and word of a lane, the number of its match, and the rounds played.
    numbers: Vec<[u64; W]>,
    played: Vec<[u32; W]>,
    draws: Draws<W>,
    /// The match that is being reported.
    record: MatchRecord,
}

impl<'a, const W: usize> Lanes<'a, W> {
    pub(super) fn new(game: &'a Kinds, waiting: Range<u64>, limits: &'a Limits) -> Self {
        let most = game.kinds.iter().flat_map(|kind| &kind.legal).map(|(_, codes)| codes.len()).max().unwrap_or(0);
        Lanes {
            game,
            limits,
            // One more, for moves that set nothing (`Effects`).
            words: Words::of_size(game.kinds.iter().map(|kind| kind.compiled.slots + 1).max().unwrap_or(1)),
            facts: zeros(game.initial.len()),
            waiting,
            masks: vec![[0; W]; game.kinds.len()],
            counts: vec![0; game.kinds.len()],
            free: [!0; W],
            numbers: vec![[0; W]; 64],
            played: vec![[0; W]; 64],
            draws: Draws::new(game.roles, most),
            record: MatchRecord::new(0, game.roles),
        }
    }

    /// The kind with the most lanes.
    #[inline(always)]
    pub(super) fn fullest(&self) -> Option<usize> {
        let fullest = (0..self.counts.len()).max_by_key(|&kind| self.counts[kind])?;
        (self.counts[fullest] > 0).then_some(fullest)
    }

    /// Begins matches in the lanes that have none, once there are enough of them.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let free: u32 = self.free.iter().map(|word| word.count_ones()).sum();
        if (free as usize) < 64 * W / FREE && self.counts.iter().any(|&count| count > 0) {
            return;
        }
        let mut fresh = [0; W];
        'lanes: for (word, fresh) in fresh.iter_mut().enumerate() {
            for bit in ones(self.free[word]) {
                let Some(number) = self.waiting.next() else { break 'lanes };
                self.numbers[bit][word] = number;
                self.played[bit][word] = 0;
                self.draws.begin(bit, word, self.limits.seed, number);
                *fresh |= 1 << bit;
            }
        }
        for (fact, &initial) in self.facts.iter_mut().zip(&self.game.initial) {
            (0..W).for_each(|word| fact[word] = (fact[word] & !fresh[word]) | if initial { fresh[word] } else { 0 });
        }
        (0..W).for_each(|word| self.free[word] &= !fresh[word]);
        self.sort(&fresh);
    }

    /// The signature of one lane's position.
    pub(super) fn signature_of(&self, word: usize, bit: usize) -> u64 {
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
    pub(super) fn round(
        &mut self,
        at: usize,
        sink: &mut dyn FnMut(&MatchRecord),
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        let kind = &self.game.kinds[at];
        let lanes = self.masks[at];
        for &(fact, slot) in &kind.reads {
            *self.words.slot_mut(slot) = self.facts[fact as usize];
        }
        self.words.run(&kind.compiled, LEGAL);
        let terminal = self.words.get(kind.terminal);
        self.words.clear(&kind.compiled.move_slots);
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
        let some = self.draws.read(&self.words, codes);
        let most = self.limits.max_rounds;
        let mut going: [u64; W] = std::array::from_fn(|word| lanes[word] & !over[word] & some[word]);
        let mut late = [0; W];
        for bit in 0..64 {
            let played = &mut self.played[apart(bit)];
            for word in 0..W {
                let plays = going[word] >> bit & 1;
                let is_late = u64::from(played[word] >= most) & plays;
                late[word] |= is_late << bit;
                played[word] += (plays & !is_late) as u32;
            }
        }
        for word in 0..W {
            over[word] |= late[word];
            going[word] &= !late[word];
        }
        self.draws.choose(&mut self.words, codes, (&kind.effects, *role), &going, select);
    }

    /// Reports the matches that are over.
    fn finish(&mut self, kind: &Kind, over: &[u64; W], terminal: &[u64; W], sink: &mut dyn FnMut(&MatchRecord)) {
        self.words.run(&kind.compiled, GOALS);
        for word in 0..W {
            self.free[word] |= over[word];
            for bit in ones(over[word]) {
                let record = &mut self.record;
                record.restart(self.numbers[bit][word]);
                record.rounds = self.played[bit][word];
                record.terminal = terminal[word] >> bit & 1 == 1;
                let mut sums = kind.goals.iter().map(|codes| {
                    let holding = codes.iter().filter(|(_, code)| self.words.holds(*code, word, bit));
                    holding.map(|(value, _)| *value).sum::<i64>()
                });
                record.goals.iter_mut().zip(&mut sums).for_each(|(goals, sum)| goals.push(sum));
                record.stuck = sums.next().is_some_and(|sum| sum != 0);
                for (role, branching) in record.branching.iter_mut().enumerate() {
                    *branching = self.draws.take(role, bit, word);
                }
                sink(record);
            }
        }
    }
}
