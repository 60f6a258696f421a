//! Numbers in slices: bit `b` of the number of each lane is in row `b`. A few instructions count the legal moves of all
//! lanes, or find the move with a given number in each.

use super::choices::Effects;
use super::compile::NEVER;
use super::values::Words;

/// A bit of every lane.
type Lanes<const W: usize> = [u64; W];

/// The bits of a number.
pub(super) const BITS: usize = 8;

/// The greatest number.
pub(super) const MOST: usize = (1 << BITS) - 1;

/// The number of words that are counted together: more of them do not stay in the registers.
const PART: usize = 4;

/// A number of every lane.
pub(super) type Numbers<const W: usize> = [Lanes<W>; BITS];

/// Four moves that are counted together, in their order.
struct Four<const W: usize> {
    legal: [Lanes<W>; 4],
    /// The number of the first two that are legal.
    pair: [Lanes<W>; 2],
    /// The number of all that are legal.
    all: [Lanes<W>; 3],
}

impl<const W: usize> Four<W> {
    /// Reads the words from `from` on.
    #[inline(always)]
    fn read<const ALL: usize>(words: &Words<ALL>, codes: [u32; 4], from: usize) -> Four<W> {
        let [a, b, c, d] = codes;
        let legal: [Lanes<W>; 4] = [words.part(a, from), words.part(b, from), words.part(c, from), words.part(d, from)];
        let [a, b, c, d] = &legal;
        let (mut pair, mut all) = ([[0; W]; 2], [[0; W]; 3]);
        for word in 0..W {
            let (one, two) = (a[word] ^ b[word], a[word] & b[word]);
            let (other_one, other_two) = (c[word] ^ d[word], c[word] & d[word]);
            (pair[0][word], pair[1][word]) = (one, two);
            all[0][word] = one ^ other_one;
            all[1][word] = two ^ other_two ^ (one & other_one);
            all[2][word] = two & other_two;
        }
        Four { legal, pair, all }
    }

    /// For each move, the lanes among `here` in which it is the legal one with number `rank` among these four.
    #[inline(always)]
    fn chosen(&self, here: &Lanes<W>, rank: [&Lanes<W>; 2]) -> [Lanes<W>; 4] {
        let mut chosen = [[0; W]; 4];
        for word in 0..W {
            let [a, b, c, d] = [self.legal[0][word], self.legal[1][word], self.legal[2][word], self.legal[3][word]];
            let (one, two) = (self.pair[0][word], self.pair[1][word]);
            let (low, high) = (rank[0][word], rank[1][word]);
            let is = |low_before: u64, high_before: u64| here[word] & !(low ^ low_before) & !(high ^ high_before);
            chosen[0][word] = a & is(0, 0);
            chosen[1][word] = b & is(a, 0);
            chosen[2][word] = c & is(one, two);
            chosen[3][word] = d & is(one ^ c, two | (one & c));
        }
        chosen
    }
}

/// The codes of moves in fours; codes that never hold fill up the last four.
#[inline(always)]
fn fours(codes: &[u32]) -> (&[[u32; 4]], [u32; 4]) {
    let (fours, rest) = codes.as_chunks::<4>();
    let mut last = [NEVER; 4];
    last[..rest.len()].copy_from_slice(rest);
    (fours, last)
}

/// The number of these codes that hold, at most [`MOST`].
#[inline(always)]
pub(super) fn count<const W: usize>(words: &Words<W>, codes: &[u32]) -> Numbers<W> {
    let mut sums = [[0; W]; BITS];
    match W {
        ..PART => count_part::<W, W>(words, codes, 0, &mut sums),
        _ => {
            for from in (0..W).step_by(PART) {
                count_part::<PART, W>(words, codes, from, &mut sums);
            }
        }
    }
    sums
}

/// The same for the words from `from` on.
#[inline(always)]
fn count_part<const W: usize, const ALL: usize>(
    words: &Words<ALL>,
    codes: &[u32],
    from: usize,
    sums: &mut Numbers<ALL>,
) {
    let mut sum = [[0; W]; BITS];
    let (fours, last) = fours(codes);
    for &codes in fours {
        add(&mut sum, &Four::read(words, codes, from).all);
    }
    add(&mut sum, &Four::read(words, last, from).all);
    for bit in 0..BITS {
        sums[bit][from..from + W].copy_from_slice(&sum[bit]);
    }
}

/// Adds a number. The sum is at most [`MOST`].
#[inline(always)]
fn add<const W: usize>(sum: &mut Numbers<W>, other: &[Lanes<W>; 3]) {
    let mut carry = [0; W];
    for bit in 0..3 {
        for word in 0..W {
            let (old, other) = (sum[bit][word], other[bit][word]);
            sum[bit][word] = old ^ other ^ carry[word];
            carry[word] = (old & other) | (carry[word] & (old | other));
        }
    }
    for sum in &mut sum[3..] {
        for word in 0..W {
            let old = sum[word];
            sum[word] = old ^ carry[word];
            carry[word] &= old;
        }
    }
}

/// Subtracts a number; returns the lanes in which it is greater.
#[inline(always)]
fn subtract<const W: usize>(rank: &mut Numbers<W>, other: &[Lanes<W>; 3]) -> Lanes<W> {
    let mut borrow = [0; W];
    for bit in 0..3 {
        for word in 0..W {
            let (old, other) = (rank[bit][word], other[bit][word]);
            rank[bit][word] = old ^ other ^ borrow[word];
            borrow[word] = (!old & (other | borrow[word])) | (other & borrow[word]);
        }
    }
    for rank in &mut rank[3..] {
        for word in 0..W {
            let old = rank[word];
            rank[word] = old ^ borrow[word];
            borrow[word] &= !old;
        }
    }
    borrow
}

/// In each of the lanes `open`, sets the slots of the code that holds and has number `rank` among those that hold.
#[inline(always)]
pub(super) fn choose<const W: usize>(
    words: &mut Words<W>,
    codes: &[u32],
    effects: (&Effects, usize),
    open: &Lanes<W>,
    ranks: &Numbers<W>,
) {
    match W {
        ..PART => choose_part::<W, W>(words, codes, effects, (open, ranks), 0),
        _ => {
            for from in (0..W).step_by(PART) {
                choose_part::<PART, W>(words, codes, effects, (open, ranks), from);
            }
        }
    }
}

/// The same for the words from `from` on.
#[inline(always)]
fn choose_part<const W: usize, const ALL: usize>(
    words: &mut Words<ALL>,
    codes: &[u32],
    (effects, role): (&Effects, usize),
    (open, ranks): (&Lanes<ALL>, &Numbers<ALL>),
    from: usize,
) {
    let (mut left, mut rank) = ([0; W], [[0; W]; BITS]);
    left.copy_from_slice(&open[from..from + W]);
    for bit in 0..BITS {
        rank[bit].copy_from_slice(&ranks[bit][from..from + W]);
    }
    let (fours, last) = fours(codes);
    let single = effects.single(role);
    for at in 0..fours.len() + 1 {
        let codes = if at < fours.len() { fours[at] } else { last };
        let chosen = chosen(words, codes, from, &mut left, &mut rank);
        match single {
            Some(slots) => {
                let slots = &slots[at * 4..];
                for place in 0..slots.len().min(4) {
                    words.set_part(slots[place], from, &chosen[place]);
                }
            }
            None => {
                for place in at * 4..effects.len(role).min(at * 4 + 4) {
                    for &slot in effects.of(role, place) {
                        words.set_part(slot, from, &chosen[place % 4]);
                    }
                }
            }
        }
    }
}

/// For each of these codes, the lanes among `left` in which it is chosen, which are not left then.
#[inline(always)]
fn chosen<const W: usize, const ALL: usize>(
    words: &Words<ALL>,
    codes: [u32; 4],
    from: usize,
    left: &mut Lanes<W>,
    rank: &mut Numbers<W>,
) -> [Lanes<W>; 4] {
    let four: Four<W> = Four::read(words, codes, from);
    let (low, high) = (rank[0], rank[1]);
    let greater = subtract(rank, &four.all);
    let mut here = [0; W];
    for word in 0..W {
        here[word] = left[word] & greater[word];
        left[word] &= !greater[word];
    }
    four.chosen(&here, [&low, &high])
}

#[cfg(test)]
mod tests {
    use super::{BITS, Effects, MOST, Numbers, choose, count};
    use crate::compiled::transpose::transpose;
    use crate::compiled::values::Words;

    /// Counts and chooses among this number of moves, one of which holds nowhere, in lanes of `W` words.
    fn check<const W: usize>(moves: u32) {
        let mut seed = u64::from(moves) + 1;
        let mut bits = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed ^ seed >> 29
        };
        // The leaves of moves, then their effects; every other move is read negated, and two have one effect.
        let mut words = Words::<W>::of_size(1 + 2 * moves);
        let codes: Vec<u32> = (0..moves).map(|at| (2 * (1 + at)) | (at & 1)).collect();
        let slots: Vec<u32> = (0..moves).map(|at| 1 + moves + at.max(1) % moves).collect();
        let effects = Effects::of_slots(&slots, moves.is_multiple_of(2));
        for &code in &codes {
            *words.slot_mut(code >> 1) = std::array::from_fn(|_| bits());
        }
        if let Some(&code) = codes.first() {
            *words.slot_mut(code >> 1) = [0; W];
        }
        let holding: Vec<Vec<usize>> = (0..W * 64)
            .map(|at| (0..codes.len()).filter(|&code| words.holds(codes[code], at / 64, at % 64)).collect())
            .collect();
        let number = |numbers: &Numbers<W>, at: usize| {
            numbers.iter().rev().fold(0, |sum, bit| sum * 2 + (bit[at / 64] >> (at % 64) & 1) as usize)
        };
        let counts = count(&words, &codes);
        let ranks: Numbers<W> = {
            let mut rows = [[0; W]; BITS];
            for (at, holding) in holding.iter().enumerate().filter(|(_, holding)| !holding.is_empty()) {
                rows[at % BITS][at / 64] |= (bits() % holding.len() as u64) << (at % 64 / BITS * BITS);
            }
            transpose(&mut rows);
            rows
        };
        let open: [u64; W] = std::array::from_fn(|_| bits());
        choose(&mut words, &codes, (&effects, 0), &open, &ranks);
        for (at, holding) in holding.iter().enumerate() {
            assert_eq!(number(&counts, at), holding.len(), "{moves} moves, lane {at}");
            let is_open = open[at / 64] >> (at % 64) & 1 == 1;
            let expected = holding.get(number(&ranks, at)).filter(|_| is_open).map(|&place| slots[place]);
            let set = (1 + moves..1 + 2 * moves).filter(|slot| words.holds(slot << 1, at / 64, at % 64));
            assert_eq!(set.collect::<Vec<u32>>(), Vec::from_iter(expected), "{moves} moves, lane {at}");
        }
    }

    #[test]
    fn every_lane_counts_and_chooses_as_if_it_were_alone() {
        for moves in (0..20).chain([63, 64, 65, 254, MOST as u32]) {
            check::<1>(moves);
            check::<4>(moves);
            check::<16>(moves);
        }
    }
}
