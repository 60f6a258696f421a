//! Random choices, in all lanes at once.

use super::choices::{Choices, Effects};
use super::transpose::apart;
use super::values::{Aligned, Words, zeros};
use crate::play::Streams;

/// The random streams of matches in lanes, and what they chose from. A lane has a bit in every word.
pub(super) struct Draws<const W: usize> {
    choices: Choices<W>,
    streams: Streams<W>,
    /// For each role and lane, the sum of the numbers of legal moves so far, and their maximum.
    sums: Aligned<[u64; W]>,
    greatest: Aligned<[u32; W]>,
}

impl<const W: usize> Draws<W> {
    /// Room for matches of this number of roles, none of which ever has more than `most` moves.
    pub(super) fn new(roles: usize, most: usize) -> Draws<W> {
        Draws {
            choices: Choices::new(most),
            streams: Streams::new(),
            sums: zeros(roles * 64),
            greatest: zeros(roles * 64),
        }
    }

    /// Begins match `number` under `seed` in a lane.
    pub(super) fn begin(&mut self, lane: usize, word: usize, seed: u64, number: u64) {
        self.streams.start(lane, word, seed, number);
    }

    /// Reads the legality of each move at its code. Returns the lanes that have a legal one.
    #[inline(always)]
    pub(super) fn read(&mut self, words: &Words<W>, codes: &[u32]) -> [u64; W] {
        self.choices.read(words, codes);
        self.choices.some
    }

    /// Chooses one of the moves that were read in each of the lanes `going` that has one, and sets its slots.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        words: &mut Words<W>,
        effects: &Effects,
        role: usize,
        going: &[u64; W],
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        let single = effects.single(role);
        for lane in 0..64 {
            let lane = apart(lane);
            let mut counts = self.choices.counts(lane);
            let (sums, greatest) = (&mut self.sums[role * 64 + lane], &mut self.greatest[role * 64 + lane]);
            for word in 0..W {
                counts[word] &= ((going[word] >> lane & 1) as u32).wrapping_neg();
                sums[word] += u64::from(counts[word]);
                greatest[word] = greatest[word].max(counts[word]);
            }
            let picks = self.streams.below(lane, &counts);
            match single {
                Some(slots) => self.choices.each(lane, &counts, &picks, select, |word, place| {
                    words.slot_mut(slots[place])[word] |= 1 << lane;
                }),
                None => self.choices.each(lane, &counts, &picks, select, |word, place| {
                    for &slot in effects.of(role, place) {
                        words.slot_mut(slot)[word] |= 1 << lane;
                    }
                }),
            }
        }
    }

    /// Counts a move that was the only one.
    pub(super) fn count_forced(&mut self, role: usize, lane: usize, word: usize) {
        self.sums[role * 64 + lane][word] += 1;
        let greatest = &mut self.greatest[role * 64 + lane][word];
        *greatest = (*greatest).max(1);
    }

    /// The sum of the numbers of legal moves of a role in a lane, and their maximum; both are 0 afterwards.
    pub(super) fn take(&mut self, role: usize, lane: usize, word: usize) -> (u64, u32) {
        let (sums, greatest) = (&mut self.sums[role * 64 + lane], &mut self.greatest[role * 64 + lane]);
        (std::mem::take(&mut sums[word]), std::mem::take(&mut greatest[word]))
    }
}
