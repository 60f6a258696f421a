//! How a game is to be solved, and what is told on the way.

use std::sync::Arc;

use crate::cfr::{Bracket, Variant};
use crate::tree::Space;

/// How a game is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// The linear program where it is small, regret minimization above.
    #[default]
    Auto,
    /// The linear program of the sequence form.
    Lp,
    /// Regret minimization over the whole tree.
    Cfr(Variant),
    /// Regret minimization on sampled histories, without a tree.
    Sampling(Sampling),
}

/// What an iteration of sampling visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sampling {
    /// All of a player's own moves where that is soon done, else one match.
    #[default]
    Auto,
    /// All of a player's own moves, one of chance and of each other player.
    External,
    /// One match.
    Outcome,
}

/// A point of the way to a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Since the beginning.
    pub seconds: f64,
    /// Of regret minimization.
    pub iterations: u64,
    /// In the first player's goals; of a game without a value, the greatest gain of a deviation lies between.
    pub bracket: Bracket,
}

/// Who is told how far it is.
pub(crate) type Watch = Arc<dyn Fn(&Point) + Send + Sync>;

/// What is to be done, and how much it may take.
#[derive(Clone)]
pub struct Options {
    /// See [`Method`].
    pub method: Method,
    /// Regret minimization ends at this exploitability, in points of the goals.
    pub target: f64,
    /// Regret minimization ends after so many iterations.
    pub iterations: Option<u64>,
    /// How large the tree may become.
    pub space: Space,
    /// Of everything random.
    pub seed: u64,
    /// Is told how far it is.
    pub watch: Option<Watch>,
}

impl Default for Options {
    fn default() -> Options {
        Options { method: Method::Auto, target: 1e-4, iterations: None, space: Space::default(), seed: 0, watch: None }
    }
}
