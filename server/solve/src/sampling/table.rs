//! The results of sampling so far, by view.

use percept_game::{MoveId, RoleId};
use rand::Rng;
use rustc_hash::FxHashMap;

use crate::tree::Views;

/// One information set: regrets, the sums of the strategies played, and the recent values of moves.
pub(crate) struct Node {
    pub legal: Box<[MoveId]>,
    pub regrets: Box<[f32]>,
    pub sums: Box<[f32]>,
    /// The baselines of outcome sampling; NaN for a move that was never tried.
    pub baselines: Box<[f32]>,
}

impl Node {
    pub(super) fn new(legal: &[MoveId], baselines: bool) -> Node {
        let zeros = vec![0.0; legal.len()];
        let baselines = vec![f32::NAN; if baselines { legal.len() } else { 0 }];
        Node { legal: legal.into(), regrets: zeros.clone().into(), sums: zeros.into(), baselines: baselines.into() }
    }

    /// The bytes of a node with this number of moves.
    pub(super) fn bytes(legal: usize, baselines: bool) -> usize {
        200 + legal * if baselines { 20 } else { 15 }
    }

    /// Regret matching: the probability of a move is proportional to its regret, if that is above zero.
    pub(super) fn matched(&self) -> Vec<f64> {
        let sum: f64 = self.regrets.iter().map(|&regret| f64::from(regret.max(0.0))).sum();
        match sum > 0.0 {
            true => self.regrets.iter().map(|&regret| f64::from(regret.max(0.0)) / sum).collect(),
            false => vec![1.0 / self.regrets.len() as f64; self.regrets.len()],
        }
    }

    /// The average of the strategies played.
    pub(crate) fn average(&self) -> Vec<f64> {
        let sum: f64 = self.sums.iter().map(|&sum| f64::from(sum)).sum();
        match sum > 0.0 {
            true => self.sums.iter().map(|&it| f64::from(it) / sum).collect(),
            false => vec![1.0 / self.sums.len() as f64; self.sums.len()],
        }
    }
}

/// The results of one player.
#[derive(Clone)]
pub(crate) struct Table {
    pub role: RoleId,
    pub views: Views,
    pub nodes: FxHashMap<u32, std::sync::Arc<Node>>,
    /// The moves at views with only one move.
    pub only: FxHashMap<u32, MoveId>,
}

impl Table {
    /// The bytes of an entry in `only`.
    pub(super) const ONLY: usize = 10;

    /// The moves at a view, if it was met.
    pub(super) fn legal(&self, view: u32) -> Option<&[MoveId]> {
        match self.nodes.get(&view) {
            Some(node) => Some(&node.legal),
            None => self.only.get(&view).map(std::slice::from_ref),
        }
    }
}

/// Draws an index with these probabilities.
pub(super) fn draw(probabilities: &[f64], rng: &mut impl Rng) -> usize {
    let mut rest: f64 = rng.random();
    for (at, probability) in probabilities.iter().enumerate() {
        rest -= probability;
        if rest < 0.0 {
            return at;
        }
    }
    probabilities.len() - 1
}
