//! Solutions of games that are too large for a tree.

use std::sync::Arc;
use std::time::Instant;

use percept_infoset::Budget;

use crate::blocks::Blocks;
use crate::cfr::Bracket;
use crate::descent::minimize;
use crate::options::{Method, Options, Point};
use crate::solution::{DEFAULT_VARIANT, Kind, Origin, Solution, between};
use crate::tree::BuildError;

impl Blocks {
    /// Solves the game by regret minimization.
    ///
    /// # Errors
    /// If the checkpoint does not fit.
    pub fn solve(self, options: &Options, budget: &Budget) -> Result<Solution, BuildError> {
        self.solve_since(options, budget, Instant::now())
    }

    /// Like [`Blocks::solve`], for work that began before.
    pub(crate) fn solve_since(
        self,
        options: &Options,
        budget: &Budget,
        begin: Instant,
    ) -> Result<Solution, BuildError> {
        let variant = match options.method {
            Method::Cfr(variant) => variant,
            _ => DEFAULT_VARIANT,
        };
        let mut pair = self.pair(variant);
        let (curve, stopped) = minimize(&mut pair, self.roles[0], options, budget, begin)?;
        let (iterations, behaviour) = (pair.iterations as u64, self.behaviour(&pair.averages()));
        drop(pair);
        let bracket = curve.last().map_or(Bracket { low: f64::NAN, high: f64::NAN }, |point: &Point| point.bracket);
        Ok(Solution {
            values: between(&self.opposed, self.roles, bracket),
            kind: Kind::ZeroSum(self.opposed.clone()),
            method: variant.name(),
            exploitability: Some(bracket.exploitability()),
            profile: Vec::new(),
            correlated: None,
            iterations,
            seconds: begin.elapsed().as_secs_f64(),
            curve,
            stopped,
            found: Origin::Blocks { blocks: Arc::new(self), behaviour },
        })
    }
}
