//! All moves and percepts that a game may ever have, numbered: what learners need for arrays of a fixed size.

use percept_game::{Game, MoveId, PerceptId, RoleId, Scope};
use rayon::prelude::*;

/// The moves and percepts of every role. A place in these lists is the number that Python knows.
pub struct Spaces {
    /// By role, in ascending order; `noop` of POGDDL is last.
    pub moves: Vec<Vec<MoveId>>,
    pub percepts: Vec<Vec<PerceptId>>,
    /// By role: the least and greatest goal; `None` where goals are computed from numbers without known bounds.
    pub goals: Vec<Option<(i64, i64)>>,
}

impl Spaces {
    /// From the ground game.
    ///
    /// # Errors
    /// Where the game is too large to ground.
    pub fn new(game: &Game) -> Result<Spaces, String> {
        let ground = game.rules.ground(&Scope::default()).map_err(|error| error.to_string())?;
        let roles = game.roles.len();
        let mut moves: Vec<Vec<MoveId>> =
            ground.moves.iter().map(|moves| moves.iter().map(|(mv, _)| *mv).collect()).collect();
        let mut percepts: Vec<Vec<PerceptId>> =
            ground.sees.iter().map(|sees| sees.iter().map(|(percept, _)| *percept).collect()).collect();
        (moves.resize(roles, Vec::new()), percepts.resize(roles, Vec::new()));
        moves.par_iter_mut().for_each(|moves| {
            moves.sort_unstable();
            moves.dedup();
        });
        percepts.par_iter_mut().for_each(|percepts| {
            percepts.sort_unstable();
            percepts.dedup();
        });
        let goals = (0..roles).map(|role| {
            let values = ground.goals.get(role).map(Vec::as_slice).unwrap_or_default().iter().map(|(value, _)| *value);
            let numbers = ground.goal_numbers.get(role).is_some_and(|numbers| !numbers.is_empty());
            if numbers { None } else { values.clone().min().zip(values.max()) }
        });
        Ok(Spaces { moves, percepts, goals: goals.collect() })
    }

    /// The number of a move.
    pub fn move_index(&self, role: RoleId, mv: MoveId) -> Option<usize> {
        self.moves[role.0 as usize].binary_search(&mv).ok()
    }

    /// The number of a percept.
    pub fn percept_index(&self, role: RoleId, percept: PerceptId) -> Option<usize> {
        self.percepts[role.0 as usize].binary_search(&percept).ok()
    }
}
