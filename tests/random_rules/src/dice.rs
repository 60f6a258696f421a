//! The random choices of the writers of games.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng, rngs::SmallRng};

/// A random number generator with a fixed sequence for each seed.
pub struct Dice(SmallRng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(SmallRng::seed_from_u64(seed))
    }

    /// Returns true with probability `share`.
    pub fn flip(&mut self, share: f64) -> bool {
        self.0.random_bool(share)
    }

    /// Picks one element of a list.
    ///
    /// # Panics
    /// The list is empty.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list.choose(&mut self.0).expect("something to pick").clone()
    }

    /// A number from 0 to `most`, both included.
    pub fn up_to(&mut self, most: usize) -> usize {
        self.0.random_range(0..=most)
    }
}
