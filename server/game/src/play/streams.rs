//! Random streams side by side.

use aligned_vec::{AVec, ConstAlign};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use super::stream::mixed;

/// `64 * W` streams, which draw like [`Stream`](super::Stream), `W` of them at once. A lane has a stream in every word.
pub(crate) struct Streams<const W: usize>(AVec<[[u64; W]; 4], ConstAlign<64>>);

impl<const W: usize> Streams<W> {
    /// Room for the streams, which must be started.
    pub(crate) fn new() -> Streams<W> {
        Streams(AVec::from_iter(64, std::iter::repeat_n([[0; W]; 4], 64)))
    }

    /// Starts a stream: that of match `number` under `seed`.
    pub(crate) fn start(&mut self, lane: usize, word: usize, seed: u64, number: u64) {
        let mut seeds = SplitMix64::seed_from_u64(mixed(seed, number));
        self.0[lane].iter_mut().for_each(|state| state[word] = seeds.next_u64());
    }

    /// A number below each bound, as [`Stream::below`](super::Stream::below) gives. Draws nothing from a stream if there is
    /// no choice.
    // xoshiro256++ (Blackman and Vigna, 2019). The crate's generator keeps one state; 1024 of them, drawn one by one, take
    // a quarter of the time of random matches.
    #[inline(always)]
    pub(crate) fn below(&mut self, lane: usize, bounds: &[u32; W]) -> [u32; W] {
        let [a, b, c, d] = &mut self.0[lane];
        let mut below = [0; W];
        for word in 0..W {
            let bound = u64::from(bounds[word]);
            let draws = u64::from(bound > 1).wrapping_neg();
            let old = [a[word], b[word], c[word], d[word]];
            let drawn = old[0].wrapping_add(old[3]).rotate_left(23).wrapping_add(old[0]);
            let (third, fourth) = (old[2] ^ old[0], old[3] ^ old[1]);
            let new = [old[0] ^ fourth, old[1] ^ third, third ^ (old[1] << 17), fourth.rotate_left(45)];
            let kept = |at: usize| (new[at] & draws) | (old[at] & !draws);
            (a[word], b[word], c[word], d[word]) = (kept(0), kept(1), kept(2), kept(3));
            // The upper half of the product of `drawn` and `bound`. One number is below 1, and none is below 0.
            below[word] = (((drawn >> 32) * bound + (((drawn & 0xFFFF_FFFF) * bound) >> 32)) >> 32) as u32;
        }
        below
    }
}

#[cfg(test)]
mod tests {
    use super::Streams;
    use crate::play::Stream;

    #[test]
    fn streams_side_by_side_draw_as_one_by_one() {
        let mut streams = Streams::<4>::new();
        let mut singles: Vec<Stream> = (0..4).map(|number| Stream::new(7, number)).collect();
        (0..4).for_each(|word| streams.start(5, word, 7, word as u64));
        for turn in 0..2000u32 {
            let bounds: [u32; 4] = std::array::from_fn(|word| match (turn + word as u32) % 5 {
                0 => 0,
                1 => 1,
                2 => u32::MAX - turn,
                3 => 1 << (turn % 32),
                _ => turn,
            });
            let expected: [u32; 4] = std::array::from_fn(|word| singles[word].below(bounds[word]));
            assert_eq!(streams.below(5, &bounds), expected, "{bounds:?}");
        }
    }
}
