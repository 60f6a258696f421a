//! Regret minimization with its payoffs on many machines. The product of a plan with the payoffs is a number for each
//! sequence of a player, so each machine keeps the payoffs of a share of the sequences. Regrets and plans are in one
//! place: a share can be made again at any time. Every number is computed in the same order as on one machine.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use percept_game::Game;
use percept_infoset::Budget;

use crate::cfr::{Coupling, Pair};
use crate::descent::minimize;
use crate::opposed::best;
use crate::options::{Method, Options};
use crate::plan;
use crate::solution::{DEFAULT_VARIANT, Kind, Origin, Solution, between};
use crate::tree::{BuildError, Space, Tree, build};
use crate::zero_sum::{Matrix, Opposed, Payoffs, commonest, opposed};

/// The payoffs of a share of the sequences of both players.
pub struct Share {
    parts: [Matrix; 2],
}

impl Share {
    /// The share with this number of `of` shares of about the same size.
    ///
    /// # Errors
    /// If the game has no tree, or its two players do not have opposed goals.
    pub fn new(game: &Game, number: usize, of: usize, space: &Space, budget: &Budget) -> Result<Share, BuildError> {
        let (tree, _) = tree(game, space, budget)?;
        let Payoffs { by_first, by_second, .. } = Payoffs::new(&tree, 0, 1, &|goals| goals[0]);
        let part = |matrix: Matrix| matrix.slice(rows(&matrix, number, of));
        Ok(Share { parts: [by_first, by_second].map(part) })
    }

    /// The gains of the sequences of this share of a player (0 or 1), against a plan of the other.
    pub fn gains(&self, player: usize, against: &[f64]) -> Vec<f64> {
        let part = &self.parts[player];
        let mut gains = vec![0.0; part.rows()];
        part.times(against, &mut gains);
        if player == 1 {
            gains.iter_mut().for_each(|gain| *gain = -*gain);
        }
        gains
    }
}

/// The rows of a share, so that all shares have about the same number of entries.
fn rows(matrix: &Matrix, number: usize, of: usize) -> Range<usize> {
    let begin = |number: usize| match number {
        0 => 0,
        _ if number == of => matrix.rows(),
        _ => matrix.row_of_entry(matrix.len() * number / of),
    };
    begin(number)..begin(number + 1)
}

fn tree(game: &Game, space: &Space, budget: &Budget) -> Result<(Tree, Opposed), BuildError> {
    let tree = build(game, space, budget)?;
    let map = if tree.players.len() == 2 { opposed(&tree, 0, 1) } else { None };
    let map = map.ok_or(BuildError::NotOpposed)?;
    Ok((tree, map))
}

/// The gains of all sequences of a player (0 or 1) against a plan of the other: those of all shares, one after the other.
pub type Gains<'a> = dyn Fn(usize, &[f64]) -> Result<Vec<f64>, String> + Sync + 'a;

struct Elsewhere<'a> {
    gains: &'a Gains<'a>,
    offset: i64,
    failure: Mutex<Option<String>>,
    failed: Arc<AtomicBool>,
}

impl Elsewhere<'_> {
    fn fail(&self, why: String) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
        self.failed.store(true, Ordering::Relaxed);
    }
}

impl Coupling for Elsewhere<'_> {
    fn gains(&self, player: usize, against: &[f64], gains: &mut [f64]) {
        if self.failed.load(Ordering::Relaxed) {
            return;
        }
        match (self.gains)(player, against) {
            Ok(found) if found.len() == gains.len() => gains.copy_from_slice(&found),
            Ok(found) => self.fail(format!("the shares have {} sequences, not {}", found.len(), gains.len())),
            Err(why) => self.fail(why),
        }
    }

    fn offset(&self) -> f64 {
        self.offset as f64
    }
}

/// Solves a game of two players with opposed goals by regret minimization, with the payoffs in shares elsewhere.
///
/// # Errors
/// Those of [`crate::solve()`]; [`BuildError::Elsewhere`] if `gains` fails.
pub fn solve_apart(game: &Game, options: &Options, gains: &Gains<'_>, budget: &Budget) -> Result<Solution, BuildError> {
    let begin = Instant::now();
    let (tree, map) = tree(game, &options.space, budget)?;
    let variant = match options.method {
        Method::Cfr(variant) => variant,
        _ => DEFAULT_VARIANT,
    };
    let plexes = [&tree.players[0], &tree.players[1]];
    let offset = commonest(&tree, &|goals| goals[0]);
    let failed = Arc::new(AtomicBool::new(false));
    let elsewhere = Elsewhere { gains, offset, failure: Mutex::new(None), failed: failed.clone() };
    let budget = Budget { decided: Some(failed), ..budget.clone() };
    let mut pair = Pair::of(plexes.map(Into::into), &elsewhere, variant);
    let (curve, stopped) = minimize(&mut pair, plexes[0].role, options, &budget, begin)?;
    let (plans, bracket) = (pair.averages(), pair.bracket());
    let behaviour = |player: usize| {
        let mut worth = vec![0.0; plexes[player].sequences()];
        elsewhere.gains(player, &plans[1 - player], &mut worth);
        plan::behaviour(plexes[player], &plans[player], &best(plexes[player], worth))
    };
    let behaviour = vec![behaviour(0), behaviour(1)];
    if let Some(why) = elsewhere.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(BuildError::Elsewhere(why));
    }
    Ok(Solution {
        kind: Kind::ZeroSum(map.clone()),
        method: variant.name(),
        values: between(&map, [plexes[0].role, plexes[1].role], bracket),
        exploitability: Some(bracket.exploitability()),
        profile: Vec::new(),
        correlated: None,
        iterations: pair.iterations as u64,
        seconds: begin.elapsed().as_secs_f64(),
        curve,
        stopped,
        found: Origin::Tree { fractions: vec![None, None], behaviour, tree },
    })
}
