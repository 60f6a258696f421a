//! The game, the role and the history variables that a question is about.

use percept_game::{Game, Ground, MoveId, RoleId};

/// The game data that the encodings need.
pub(crate) struct Setting<'a> {
    pub game: &'a Game,
    pub ground: &'a Ground,
    pub role: RoleId,
    /// The history variables.
    pub made: &'a [(RoleId, MoveId)],
}
