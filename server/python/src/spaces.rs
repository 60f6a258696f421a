//! All possible moves and percepts of a game, numbered: learners need them for arrays of a fixed size.

use std::sync::Arc;

use percept_game::batch::Numbers;
use percept_game::{Game, Scope};

/// The moves and percepts of every role. The index in these lists is the number used in Python.
pub struct Spaces {
    pub numbers: Arc<Numbers>,
    /// The least and the greatest goal of each role; `None` if goals are computed from numbers without known bounds.
    pub goals: Vec<Option<(i64, i64)>>,
}

impl Spaces {
    /// Collects them from the ground game.
    ///
    /// # Errors
    /// The game is too large to ground.
    pub fn new(game: &Game) -> Result<Spaces, String> {
        let ground = game.rules.ground(&Scope::default()).map_err(|error| error.to_string())?;
        let roles = game.roles.len();
        let goals = (0..roles).map(|role| {
            let values = ground.goals.get(role).map(Vec::as_slice).unwrap_or_default().iter().map(|(value, _)| *value);
            let numbers = ground.goal_numbers.get(role).is_some_and(|numbers| !numbers.is_empty());
            if numbers { None } else { values.clone().min().zip(values.max()) }
        });
        Ok(Spaces { goals: goals.collect(), numbers: Arc::new(Numbers::new(&ground, roles)) })
    }
}
