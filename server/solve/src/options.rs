//! The options of a solver, and its progress reports.

use std::sync::Arc;

use percept_game::RoleId;

use crate::cfr::{Bracket, Variant};
use crate::checkpoint::Checkpoint;
use crate::tree::Space;

/// A method to solve a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// The linear program for small games, regret minimization for larger ones.
    #[default]
    Auto,
    /// The linear program of the sequence form.
    Lp,
    /// Regret minimization over the whole tree.
    Cfr(Variant),
    /// Regret minimization on sampled histories, without a tree.
    Sampling(Sampling),
}

/// The part of the game that one iteration of sampling visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sampling {
    /// All moves of a player if that is fast, else one match.
    #[default]
    Auto,
    /// All moves of a player, and one move of chance and of each other player.
    External,
    /// One match per iteration.
    Outcome,
}

/// A point in the convergence of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The seconds since the beginning.
    pub seconds: f64,
    /// The number of iterations of regret minimization.
    pub iterations: u64,
    /// The bounds of the value, in the goals of the role `of`. In a game without a value, bounds of twice the greatest
    /// gain of a deviation.
    pub bracket: Bracket,
    /// The role whose value is bounded; `None` for the gain of a deviation.
    pub of: Option<RoleId>,
}

/// A listener to the progress.
pub(crate) type Watch = Arc<dyn Fn(&Point) + Send + Sync>;

/// The options of a solver, with its limits.
#[derive(Clone)]
pub struct Options {
    /// The method; see [`Method`].
    pub method: Method,
    /// The exploitability at which regret minimization ends, in points of the goals.
    pub target: f64,
    /// The number of iterations after which regret minimization ends.
    pub iterations: Option<u64>,
    /// True if sampling is followed by best responses to its strategies, which bound the values. They take half of the
    /// time.
    pub bounds: bool,
    /// True if a game of two players whose tree takes much memory is solved as [`crate::blocks`], without a tree.
    pub blocks: bool,
    /// The place where the state of regret minimization between two players is kept.
    pub checkpoint: Option<Checkpoint>,
    /// The limits of the tree.
    pub space: Space,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The listener to the progress.
    pub watch: Option<Watch>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::Auto,
            target: 1e-4,
            iterations: None,
            bounds: false,
            blocks: false,
            checkpoint: None,
            space: Space::default(),
            seed: 0,
            watch: None,
        }
    }
}
