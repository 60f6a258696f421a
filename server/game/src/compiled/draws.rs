//! Random choices, in all lanes at once.

use super::choices::{Choices, Effects};
use super::sliced::{self, BITS, MOST, Numbers};
use super::transpose::{apart, transpose};
use super::values::{Aligned, Words, zeros};
use crate::play::Streams;

/// The random streams of matches in lanes, and what they chose from. A lane has a bit in every word.
pub(super) struct Draws<const W: usize> {
    /// The legal moves of a role with more than [`MOST`]: fewer instructions find them one lane after the other.
    choices: Choices<W>,
    /// The numbers of legal moves of any other role.
    few: Numbers<W>,
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
            few: [[0; W]; BITS],
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
        if codes.len() > MOST {
            self.choices.read(words, codes);
            return self.choices.some;
        }
        self.few = sliced::count(words, codes);
        let mut some = [0; W];
        for bits in &self.few {
            for word in 0..W {
                some[word] |= bits[word];
            }
        }
        some
    }

    /// Chooses one of the moves that were read in each of the lanes `going` that has one, and sets its slots.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        words: &mut Words<W>,
        codes: &[u32],
        (effects, role): (&Effects, usize),
        going: &[u64; W],
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        if codes.len() <= MOST {
            let ranks = self.ranks(role, going);
            return sliced::choose(words, codes, (effects, role), going, &ranks);
        }
        let single = effects.single(role);
        for lane in 0..64 {
            let lane = apart(lane);
            let mut counts = self.choices.counts(lane);
            for word in 0..W {
                counts[word] &= ((going[word] >> lane & 1) as u32).wrapping_neg();
            }
            self.record(role, lane, &counts);
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

    /// In the lanes `going`, a number below the number of legal moves.
    #[inline(always)]
    fn ranks(&mut self, role: usize, going: &[u64; W]) -> Numbers<W> {
        let mut rows = self.few;
        for bits in &mut rows {
            for word in 0..W {
                bits[word] &= going[word];
            }
        }
        // A row has one after the other the numbers of the lanes that leave the same rest.
        transpose(&mut rows);
        let mut ranks = [[0; W]; BITS];
        for shift in (0..64).step_by(BITS) {
            for row in 0..BITS {
                let lane = apart(shift + row);
                let (numbers, ranks) = (&rows[row], &mut ranks[row]);
                let mut counts = [0; W];
                for word in 0..W {
                    counts[word] = (numbers[word] >> shift) as u32 & MOST as u32;
                }
                self.record(role, lane, &counts);
                let picks = self.streams.below(lane, &counts);
                for word in 0..W {
                    ranks[word] |= u64::from(picks[word]) << shift;
                }
            }
        }
        transpose(&mut ranks);
        ranks
    }

    /// Adds the numbers of legal moves of a role in this lane of every word.
    #[inline(always)]
    fn record(&mut self, role: usize, lane: usize, counts: &[u32; W]) {
        let (sums, greatest) = (&mut self.sums[role * 64 + lane], &mut self.greatest[role * 64 + lane]);
        for word in 0..W {
            sums[word] += u64::from(counts[word]);
            greatest[word] = greatest[word].max(counts[word]);
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
