//! Chances that the writers of games take.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng, rngs::SmallRng};

/// Always the same ones for a seed.
pub struct Dice(SmallRng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(SmallRng::seed_from_u64(seed))
    }

    /// True in so large a share of cases.
    pub fn flip(&mut self, share: f64) -> bool {
        self.0.random_bool(share)
    }

    /// One of a list.
    ///
    /// # Panics
    /// Where the list is empty.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list.choose(&mut self.0).expect("something to pick").clone()
    }

    /// A number from 0 to `most`, both included.
    pub fn up_to(&mut self, most: usize) -> usize {
        self.0.random_range(0..=most)
    }
}
