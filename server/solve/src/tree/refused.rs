//! The reasons why a game has no tree.

use percept_game::{Game, MoveId, RoleId};
use percept_infoset::Stop;
use percept_syntax::words::rounds;

use super::count::Size;

/// The reason why a game has no extensive form.
#[derive(Clone, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum BuildError {
    #[error(
        "the tree is too large: after round {round} it has {positions} positions, which fill the memory budget of \
         {} MiB; in all there are {} histories in {} rounds over {} states",
        .space >> 20, .size.shown(), .size.rounds, .size.states
    )]
    TooLarge { round: usize, positions: u64, space: usize, size: Size },
    #[error("the tree is too large, with {} histories; without a tree: {why}", .size.shown())]
    TooLargeWithout { size: Size, why: String },
    #[error("{role} does not know its legal moves after {}: either {} or {}", rounds(*.round), .one, .other)]
    UnknownMoves { role: String, round: usize, one: String, other: String },
    #[error(
        "{role} forgets its own moves: before its move in round {} it does not know {}; no strategy can be computed for a \
         player without memory", .round + 1, .what
    )]
    Forgets { role: String, round: usize, what: String },
    #[error("{role} has no legal move after {}, and the match is not over", rounds(*.round))]
    Stuck { role: String, round: usize },
    #[error("{role} has {} in a match that is over after {}", some_goals(.goals), rounds(*.round))]
    Goals { role: String, round: usize, goals: Vec<i64> },
    #[error("a match can last longer than {} rounds, or for ever; such a tree is not built", .0)]
    Endless(usize),
    #[error("the rules cannot be followed in some state: {0}")]
    Incomplete(String),
    #[error("the game has no role but chance")]
    NoPlayers,
    #[error("the checkpoint does not fit: it belongs to another game, method or version of the program, or is damaged")]
    Checkpoint,
    #[error("no bounds: {0}")]
    Unbounded(String),
    #[error("only a game of two players with opposed goals is solved in parts")]
    NotOpposed,
    #[error("{0}")]
    Elsewhere(String),
    #[error("{0} before the game's tree was complete")]
    Stopped(#[from] Stop),
}

impl BuildError {
    /// The error that a role has different moves in states that look the same to it.
    pub(crate) fn unknown_moves(
        game: &Game,
        role: RoleId,
        round: usize,
        one: &[MoveId],
        other: &[MoveId],
    ) -> BuildError {
        let name = game.roles[role.0 as usize].name.clone();
        BuildError::UnknownMoves {
            role: name,
            round,
            one: some_moves(game, role, one),
            other: some_moves(game, role, other),
        }
    }
}

/// The names of the first of these moves, for a message.
pub(crate) fn some_moves(game: &Game, role: RoleId, moves: &[MoveId]) -> String {
    let mut names: Vec<String> =
        moves.iter().take(5).map(|&mv| format!("`{}`", game.rules.move_name(role, mv))).collect();
    if moves.len() > 5 {
        names.push(format!("{} more", moves.len() - 5));
    }
    names.join(", ")
}

pub(crate) fn some_goals(goals: &[i64]) -> String {
    match goals {
        [] => "no goal".into(),
        many => format!("{} goals", many.len()),
    }
}
