//! The random stream of one match.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// Random choices that depend on a seed and a match's number only.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of match `number` under `seed`.
    pub fn new(seed: u64, number: u64) -> Stream {
        Stream(Xoshiro256PlusPlus::seed_from_u64(mixed(seed, number)))
    }

    /// A number below `bound`, all equally likely (except for less than one part in 2^32). Draws nothing if there is no
    /// choice.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u32
    }
}

/// The seed of a generator. Distinct pairs give distinct ones, for numbers below 2^63.
pub(super) fn mixed(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17) ^ number.wrapping_mul(0xD134_2543_DE82_EF95)
}
