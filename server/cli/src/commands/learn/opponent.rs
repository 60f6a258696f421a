//! Any strategy of players as the opponent in the matches that are learned from.

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

/// The number of queries for a strategy's move in one place: the shares of the answers approximate its behaviour there.
const ASKED: usize = 4;

/// The opponent with this name, and its name in files. `simulations` limits each move in place of a clock, so that the
/// same seed gives the same matches.
///
/// # Errors
/// If it is not a strategy, or one that cannot be asked for single moves.
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
            return Err(Failure::new(format!("`{name}` cannot be asked for the moves of some hundred matches")));
        }
        Strategy::Legal | Strategy::Equilibrium(_) => name.to_string(),
        _ => format!("{name}, {simulations} simulations"),
    };
    let clocks = Clocks { simulations: Some(simulations), ..Clocks::default() };
    // A strategy without dice answers the same however often it is asked.
    let asked = if single || matches!(strategy, Strategy::Legal | Strategy::Table(_)) { 1 } else { ASKED };
    Ok((title, Box::new(QueriedStrategy { strategy, briefing: Briefing::of_game(game.clone()), clocks, asked })))
}

/// A strategy that is handed a view, and asked for its move, as if it had just sat down.
struct QueriedStrategy {
    strategy: Strategy,
    briefing: Briefing,
    clocks: Clocks,
    asked: usize,
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
        // It is asked all the same when it could not get ready, as the manager of a match does.
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
        for _ in 0..self.asked {
            let answer = self.answer(view, rng.random());
            // No answer, or one that is not legal: a random move, as the manager of a match makes it.
            let place = answer.and_then(|mv| legal.iter().position(|it| *it == mv));
            weights[place.unwrap_or_else(|| rng.random_range(0..legal.len()))] += 1.0;
        }
        weights
    }
}
