//! A strategy file beside the moves, with the probability of each.

use std::path::Path;

use percept_game::stepper::Stepper;
use percept_game::{Game, RoleId, trace};
use percept_report::files;
use percept_solve::Strategy;

use crate::failure::Failure;
use crate::limits;

/// Longest strategy file with an entry for each view that is read, in bytes.
const MAX_BYTES: usize = 256 << 20;
/// The most bytes of a table without `--memory`.
const MEMORY: usize = 2 << 30;

/// The tables of a strategy file.
pub(crate) struct Followed(Strategy);

impl Followed {
    /// Reads a file written by `percept solve --strategy`.
    ///
    /// # Errors
    /// If it cannot be read, is not a strategy, or belongs to another game.
    pub(crate) fn read(game: &Game, path: &Path) -> Result<Followed, Failure> {
        let reader = files::lines(path)?;
        let space = limits::memory().map_or(MEMORY, |it| it / 2);
        let strategy = Strategy::from_lines(reader, MAX_BYTES, space)
            .map_err(|error| Failure::new(format!("{} is not a strategy: {error}", path.display())))?;
        for (name, moves) in strategy.roles() {
            let has_moves = |role: RoleId| moves.iter().all(|name| game.rules.find_move(role, name).is_some());
            if !game.role(name).is_some_and(has_moves) {
                let message = format!("{} is a strategy of another game", path.display());
                return Err(Failure::new(message).note(format!("its strategy for `{name}` does not fit this game")));
            }
        }
        Ok(Followed(strategy))
    }

    /// The tables themselves.
    pub(crate) fn strategy(&self) -> &Strategy {
        &self.0
    }

    /// The probability of each legal move of a role at the stepper's place; `None` if the file has none, for example
    /// for a role without a choice.
    pub(crate) fn here(&self, stepper: &Stepper, role: RoleId) -> Option<Vec<f64>> {
        let game = stepper.game();
        let view = trace::view_of(game, &stepper.joints(), role, stepper.at());
        let moves = self.0.at(game, &view)?;
        let probability = |mv| {
            let named = moves.iter().find(|(name, _)| game.rules.find_move(role, name) == Some(mv));
            named.map_or(0.0, |(_, probability)| *probability)
        };
        Some(stepper.legal(role).into_iter().map(probability).collect())
    }
}

/// A move with its probability: `bet 33.3 %`.
pub(crate) fn weighed(name: &str, probability: f64) -> String {
    format!("{name} {:.1} %", probability * 100.0)
}
