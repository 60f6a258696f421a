//! Choices in every lane: counts the legal moves of a role, finds the n-th of them, and makes it.

use super::compile::{Compiled, NOWHERE};
use super::transpose::{apart, transpose};
use super::values::{Aligned, Words, zeros};
use crate::MoveId;

/// The number of moves above which a role's moves are set in the sets that gates read.
pub(super) const MANY_MOVES: usize = 600;

/// The number of blocks of moves that are counted together if a role has many.
const BLOCKS: usize = 16;

/// Up to this number of blocks, counting all is faster than finding the right one.
const FEW_BLOCKS: usize = 4;

/// The same, if all words are counted at once.
const MANY_BLOCKS: usize = 64;

/// The legal moves of one role in all lanes.
pub(crate) struct Choices<const W: usize> {
    /// For each block of 64 moves and lane of a word, the legal moves as bits.
    masks: Aligned<[u64; W]>,
    /// The numbers of legal moves, by [`BLOCKS`] blocks and lane of a word.
    counts: Aligned<[u32; W]>,
    /// The lanes in which the role has a legal move.
    pub(super) some: [u64; W],
    /// The number of groups of [`BLOCKS`] blocks that the role has.
    groups: usize,
    /// The number of blocks of 64 moves that the role has.
    blocks: usize,
}

impl<const W: usize> Choices<W> {
    /// Allocates room for up to `most` moves.
    pub(crate) fn new(most: usize) -> Choices<W> {
        Choices {
            masks: zeros(most.div_ceil(64) * 64),
            counts: zeros(most.div_ceil(64 * BLOCKS) * 64),
            some: [0; W],
            groups: 0,
            blocks: 0,
        }
    }

    /// Reads the legality of each move at its code.
    #[inline(always)]
    pub(crate) fn read(&mut self, words: &Words<W>, codes: &[u32]) {
        (self.groups, self.blocks) = (codes.len().div_ceil(64 * BLOCKS), codes.len().div_ceil(64));
        self.counts[..self.groups * 64].fill([0; W]);
        self.some = [0; W];
        for (block, codes) in codes.chunks(64).enumerate() {
            let rows: &mut [[u64; W]; 64] =
                (&mut self.masks[block * 64..][..64]).try_into().expect("a block has 64 rows");
            let mut any = [0; W];
            for (at, &code) in codes.iter().enumerate() {
                let row = words.get(code);
                (0..W).for_each(|word| any[word] |= row[word]);
                rows[apart(at)] = row;
            }
            rows[codes.len()..].fill([0; W]);
            if any != [0; W] {
                (0..W).for_each(|word| self.some[word] |= any[word]);
                transpose(rows);
                // The moves are counted while they are in the cache, for all lanes of a row at once.
                let counts = &mut self.counts[block / BLOCKS * 64..][..64];
                for lane in 0..64 {
                    let lane = apart(lane);
                    let (counts, row) = (&mut counts[lane], &rows[lane]);
                    (0..W).for_each(|word| counts[word] += row[word].count_ones());
                }
            }
        }
    }

    /// The number of legal moves in a lane of a word.
    // Loops over numbers, here and below: iterators that the compiler does not inline are not compiled for wide words,
    // which made small games a fifth slower.
    #[inline(always)]
    pub(crate) fn count(&self, word: usize, lane: usize) -> u32 {
        let mut count = 0;
        for group in 0..self.groups {
            count += self.counts[group * 64 + lane][word];
        }
        count
    }

    /// The numbers of legal moves in this lane of every word.
    #[inline(always)]
    pub(super) fn counts(&self, lane: usize) -> [u32; W] {
        let mut counts = [0; W];
        for group in 0..self.groups {
            let row = &self.counts[group * 64 + lane];
            (0..W).for_each(|word| counts[word] += row[word]);
        }
        counts
    }

    /// Passes each word in which this lane has a move, and the index of the legal move with number `picks[word]`.
    #[inline(always)]
    pub(super) fn each(
        &self,
        lane: usize,
        counts: &[u32; W],
        picks: &[u32; W],
        select: impl Fn(u64, u32) -> u32,
        mut sink: impl FnMut(usize, usize),
    ) {
        if self.blocks > MANY_BLOCKS {
            for word in 0..W {
                if counts[word] != 0 {
                    sink(word, self.place(word, lane, picks[word], &select));
                }
            }
            return;
        }
        // The block of each pick, without an unpredictable branch.
        let (mut ranks, mut counted, mut blocks) = (*picks, [0; W], [0u32; W]);
        for earlier in 0..self.blocks.saturating_sub(1) {
            let row = &self.masks[earlier * 64 + lane];
            for word in 0..W {
                counted[word] += row[word].count_ones();
                let is_later = counted[word] <= picks[word];
                blocks[word] += u32::from(is_later);
                ranks[word] = if is_later { picks[word] - counted[word] } else { ranks[word] };
            }
        }
        for word in 0..W {
            if counts[word] != 0 {
                let block = blocks[word] as usize;
                sink(word, block * 64 + select(self.masks[block * 64 + lane][word], ranks[word]) as usize);
            }
        }
    }

    /// The index among all moves of the legal move with number `pick`, counted from 0.
    #[inline(always)]
    pub(crate) fn place(&self, word: usize, lane: usize, mut pick: u32, select: impl Fn(u64, u32) -> u32) -> usize {
        if self.blocks <= FEW_BLOCKS {
            return self.place_among_few(word, lane, pick, select);
        }
        let mut group = 0;
        while group < self.groups {
            let count = self.counts[group * 64 + lane][word];
            if pick < count {
                break;
            }
            pick -= count;
            group += 1;
        }
        let mut place = group * BLOCKS * 64;
        while place + lane < self.masks.len() {
            let mask = self.masks[place + lane][word];
            let ones = mask.count_ones();
            if pick < ones {
                place += select(mask, pick) as usize;
                break;
            }
            pick -= ones;
            place += 64;
        }
        place
    }

    /// The indices of all legal moves in a lane of a word, ascending.
    pub(crate) fn places(&self, word: usize, lane: usize) -> impl Iterator<Item = usize> {
        let masks = self.masks[lane..].iter().step_by(64).take(self.blocks).map(move |row| row[word]);
        masks.enumerate().flat_map(|(block, mask)| ones(mask).map(move |bit| block * 64 + bit))
    }

    /// Like [`Choices::place`], without an unpredictable branch on the block of the move.
    #[inline(always)]
    fn place_among_few(&self, word: usize, lane: usize, pick: u32, select: impl Fn(u64, u32) -> u32) -> usize {
        let (mut before, mut counted, mut block) = (0, 0, 0);
        for earlier in 0..self.blocks - 1 {
            counted += self.masks[earlier * 64 + lane][word].count_ones();
            let is_later = counted <= pick;
            block += usize::from(is_later);
            before = if is_later { counted } else { before };
        }
        block * 64 + select(self.masks[block * 64 + lane][word], pick - before) as usize
    }
}

/// The places of the ones in a word, ascending.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}

/// The slots that each move sets.
#[derive(Debug)]
pub(super) struct Effects {
    /// For each role and move, the start of its slots in `slots`; one more entry marks the end.
    starts: Vec<Vec<u32>>,
    slots: Vec<u32>,
    /// For each role of which every move sets at most one slot, these slots. A move that sets none has a slot that
    /// nothing reads: the first one after those of the circuit.
    single: Vec<Option<Vec<u32>>>,
}

impl Effects {
    /// The effects of these moves of every role, in their order.
    pub(super) fn new(compiled: &Compiled, roles: impl Iterator<Item = impl Iterator<Item = MoveId>>) -> Effects {
        let mut effects = Effects { starts: Vec::new(), slots: Vec::new(), single: Vec::new() };
        for (role, moves) in roles.enumerate() {
            let mut starts = Vec::new();
            for mv in moves {
                starts.push(effects.slots.len() as u32);
                let own = compiled.moves.get(role).and_then(|slots| slots.get(mv.0 as usize));
                effects.slots.extend(own.filter(|slot| **slot != NOWHERE));
                let sets = compiled.sets_of.get(role).and_then(|sets| sets.get(mv.0 as usize));
                effects.slots.extend(sets.into_iter().flatten());
            }
            starts.push(effects.slots.len() as u32);
            let single = starts.windows(2).all(|ends| ends[1] - ends[0] <= 1).then(|| {
                let slot = |ends: &[u32]| effects.slots[ends[0] as usize..ends[1] as usize].first().copied();
                starts.windows(2).map(|ends| slot(ends).unwrap_or(compiled.slots)).collect()
            });
            effects.single.push(single);
            effects.starts.push(starts);
        }
        effects
    }

    /// Effects of one role, each move of which sets one of these slots.
    #[cfg(test)]
    pub(super) fn of_slots(slots: &[u32], single: bool) -> Effects {
        let starts = vec![(0..=slots.len() as u32).collect()];
        Effects { starts, slots: slots.to_vec(), single: vec![single.then(|| slots.to_vec())] }
    }

    /// The slot of each move of a role, if every move has one.
    #[inline(always)]
    pub(super) fn single(&self, role: usize) -> Option<&[u32]> {
        self.single[role].as_deref()
    }

    /// The number of moves of a role.
    pub(super) fn len(&self, role: usize) -> usize {
        self.starts[role].len() - 1
    }

    /// The slots of the move at index `place`.
    #[inline(always)]
    pub(super) fn of(&self, role: usize, place: usize) -> &[u32] {
        let starts = &self.starts[role];
        &self.slots[starts[place] as usize..starts[place + 1] as usize]
    }
}

/// True if this processor has 256-bit words and bit counting.
#[cfg(target_arch = "x86_64")]
pub(super) fn is_wide() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// True if this processor has 512-bit words and counts their bits, too.
#[cfg(target_arch = "x86_64")]
pub(super) fn is_widest() -> bool {
    is_wide()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// The position of the `rank`-th set bit, counted from 0: a binary search by counting, without branches.
#[inline(always)]
pub(crate) fn select(word: u64, mut rank: u32) -> u32 {
    let mut place = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        let low = (word >> place & ((1 << width) - 1)).count_ones();
        let right = u32::from(rank >= low);
        rank -= low * right;
        place += width * right;
    }
    place
}
