//! Strategies of players as opponents in the training matches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use percept_game::{Game, MoveId, RoleId};
use percept_infoset::View;
use percept_learn::sample::{Strategy as Opponent, Uniform};
use percept_players::{Briefing, Clock, Clocks, Seat, Strategy};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::commands::matches::program;
use crate::failure::Failure;

/// The number of queries for a strategy's move in one position. The shares of the answers approximate its
/// probabilities.
const ASKED: usize = 4;

/// The opponent with this name, and its name in files. `simulations` limits each move instead of a clock, so that the
/// same seed gives the same matches.
///
/// # Errors
/// If it is not a strategy, or cannot be queried for single moves.
pub(super) fn of(
    name: &str,
    game: &Arc<Game>,
    simulations: u64,
    single: bool,
) -> Result<(String, Box<dyn Opponent>), Failure> {
    let strategy = program(name)?;
    let title = match strategy {
        Strategy::Random => return Ok((name.into(), Box::new(Uniform))),
        Strategy::Human(_) | Strategy::Remote(_) => {
            return Err(Failure::new(format!("`{name}` cannot play the hundreds of matches that training needs")));
        }
        Strategy::Legal | Strategy::Equilibrium(_) => name.to_string(),
        _ => format!("{name}, {simulations} simulations"),
    };
    let clocks = Clocks { simulations: Some(simulations), ..Clocks::default() };
    // A strategy without random numbers always gives the same answer.
    let queries = if single || matches!(strategy, Strategy::Legal | Strategy::Table(_)) { 1 } else { ASKED };
    Ok((title, Box::new(QueriedStrategy { strategy, briefing: Briefing::of_game(game.clone()), clocks, queries })))
}

/// A strategy that receives a view and returns its move, as if it had just joined the match.
struct QueriedStrategy {
    strategy: Strategy,
    briefing: Briefing,
    clocks: Clocks,
    queries: usize,
}

impl QueriedStrategy {
    /// Its move; `None` if it has no answer.
    fn answer(&self, view: &View, seed: u64) -> Option<MoveId> {
        let seat = Seat {
            briefing: self.briefing.clone(),
            role: RoleId(view.role.0),
            clocks: self.clocks,
            id: "learn".into(),
            seed,
        };
        let cancel = Arc::new(AtomicBool::new(false));
        let clock = Clock::starts(None, self.clocks.simulations, &cancel);
        let mut player = self.strategy.sit(&seat);
        // It is queried even if its preparation failed, as in a match.
        let _ = player.prepare(&clock);
        player.choose(view, &clock).ok()
    }
}

impl Opponent for QueriedStrategy {
    fn weights(&self, view: &View, legal: &[MoveId], seed: u64) -> Vec<f64> {
        if legal.len() < 2 {
            return vec![1.0; legal.len()];
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = vec![0.0; legal.len()];
        for _ in 0..self.queries {
            let answer = self.answer(view, rng.random());
            // Without an answer, or with an illegal one, a random move is made, as in a match.
            let place = answer.and_then(|mv| legal.iter().position(|it| *it == mv));
            weights[place.unwrap_or_else(|| rng.random_range(0..legal.len()))] += 1.0;
        }
        weights
    }
}
