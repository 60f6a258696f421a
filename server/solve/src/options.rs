//! The options of a solver, and its progress reports.

use std::sync::Arc;

use crate::cfr::{Bracket, Variant};
use crate::tree::Space;

/// The method to solve a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// The linear program for small games, regret minimization above.
    #[default]
    Auto,
    /// The linear program of the sequence form.
    Lp,
    /// Regret minimization over the whole tree.
    Cfr(Variant),
    /// Regret minimization on sampled histories, without a tree.
    Sampling(Sampling),
}

/// The extent of an iteration of sampling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sampling {
    /// All of a player's own moves if that is quick, else one match.
    #[default]
    Auto,
    /// All of a player's own moves, one of chance and of each other player.
    External,
    /// One match per iteration.
    Outcome,
}

/// A point of the way to a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Since the beginning.
    pub seconds: f64,
    /// The number of iterations of regret minimization.
    pub iterations: u64,
    /// In the first player's goals; of a game without a value, the greatest gain of a deviation lies between.
    pub bracket: Bracket,
}

/// A listener to the progress.
pub(crate) type Watch = Arc<dyn Fn(&Point) + Send + Sync>;

/// The options of a solver, with its limits.
#[derive(Clone)]
pub struct Options {
    /// The method; see [`Method`].
    pub method: Method,
    /// Regret minimization ends at this exploitability, in points of the goals.
    pub target: f64,
    /// The number of iterations after which regret minimization ends.
    pub iterations: Option<u64>,
    /// The limits of the tree.
    pub space: Space,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The listener to the progress.
    pub watch: Option<Watch>,
}

impl Default for Options {
    fn default() -> Options {
        Options { method: Method::Auto, target: 1e-4, iterations: None, space: Space::default(), seed: 0, watch: None }
    }
}
