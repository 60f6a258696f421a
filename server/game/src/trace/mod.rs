//! Traces: matches and views as text, checked against a game.
//!
//! In: text in any of these forms (the form is recognised, not declared), and a [`Game`]. Out: a [`Trace`], every move
//! of which is legal in the state it is made in.
//!
//! - **rounds**: joint moves in KIF, one move per role in the order of the roles, `((mark 1 1) (mark 2 3) noop)`, a
//!   round a line (the outer parentheses may be left out) or all rounds in one list;
//! - **match**: JSON as ggp-base writes it; `moves` is read, in the order of `gameRoleNames` if the record has it;
//! - **plan**: for games in which one role moves at a time, one action a line, `(bid1 c03 s11)`; a leading step number
//!   (`0:`) and a trailing cost (`[1]`) are allowed, as planners write them;
//! - **view**: the messages to one role, `(play id turn move percepts)` and `(stop ...)`, as in chapter 17 of "General
//!   Game Playing"; a preceding `(start id role ...)` names the role. If all of it names moves of the game, it is a
//!   plan.
//!
//! `;` starts a comment. All four are written, too: [`write_rounds`], [`write_match`], [`write_plan`], [`write_view`].
//!
//! Never known here: files (callers read them), and alternative histories (`percept-infoset`).

#[cfg(feature = "json")]
mod json;
mod read;
mod write;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use percept_syntax::TextRange;

use crate::view::Round;
use crate::{Game, JointMove, RoleId, State, sexpr};

pub use crate::view::View;
#[cfg(feature = "json")]
pub use write::{write_for, write_match};
pub use write::{write_plan, write_rounds, write_trace, write_view};

/// Largest trace that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Greatest number of rounds in a trace.
pub const MAX_ROUNDS: usize = 100_000;

/// The content of a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Trace {
    /// A match, with every move of every role.
    Match(Vec<JointMove>),
    /// One role's own moves and percepts.
    View(View),
}

/// The reason why a text is not a trace of this game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TraceError {
    /// The message, with the round and the role if there are any, and the correct form.
    pub message: String,
    /// The place in the text, in bytes.
    pub range: TextRange,
    /// The round of the error, from 1.
    pub round: Option<usize>,
    /// The role whose move it is about.
    pub role: Option<RoleId>,
    /// The names of the legal moves, if a move was not legal.
    pub legal: Vec<String>,
}

impl From<sexpr::Unread> for TraceError {
    fn from(error: sexpr::Unread) -> TraceError {
        TraceError::at(error.range, error.message)
    }
}

impl TraceError {
    pub(crate) fn at(range: TextRange, message: impl Into<String>) -> TraceError {
        TraceError { message: message.into(), range, round: None, role: None, legal: Vec::new() }
    }
}

/// Reads a trace of `game` from `bytes`.
///
/// # Errors
/// If the text is not a trace of the game. The error has the place; for an illegal move also the round, the role and
/// the legal moves.
pub fn read(game: &Game, bytes: &[u8]) -> Result<Trace, TraceError> {
    read_for(game, bytes, None)
}

/// Like [`read()`]; `viewer` is the role a view belongs to when the text does not say.
///
/// # Errors
/// Like [`read()`]; also if neither names the role of a view.
pub fn read_for(game: &Game, bytes: &[u8], viewer: Option<RoleId>) -> Result<Trace, TraceError> {
    if bytes.len() > MAX_BYTES {
        let mib = MAX_BYTES >> 20;
        return Err(TraceError::at(TextRange::at(0), format!("the trace is larger than {mib} MiB")));
    }
    let text = text_of(bytes).map_err(|error| {
        let at = TextRange::at(error.valid_up_to() as u32);
        TraceError::at(at, "this is not text (not UTF-8), so it is not a trace")
    })?;
    let text = &*text;
    if text.contains('\0') {
        return Err(TraceError::at(TextRange::at(0), "this is a binary file, not a trace"));
    }
    #[cfg(feature = "json")]
    if text.trim_start().starts_with(['{', '[']) {
        return Ok(Trace::Match(json::read(game, text)?));
    }
    read::read(game, text, viewer)
}

/// The place of the first own move in the messages of a view. In a game whose roles do not know their own moves
/// ([`Game::knows_own_moves`]), own moves are read but do not count.
pub fn first_own_move(bytes: &[u8]) -> Option<TextRange> {
    read::first_own_move(&text_of(bytes).ok()?)
}

fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, std::str::Utf8Error> {
    let text = std::str::from_utf8(bytes)?;
    // A byte order mark is as wide as three blanks, so that places stay right.
    Ok(text.strip_prefix('\u{feff}').map_or(Cow::Borrowed(text), |rest| format!("   {rest}").into()))
}

/// The states of a match: the initial one and one after each round.
pub fn states(game: &Game, rounds: &[JointMove]) -> Vec<State> {
    let mut at = game.start();
    let mut states = vec![at.state().clone()];
    for joint in rounds {
        at.step(joint);
        states.push(at.state().clone());
    }
    states
}

/// The knowledge of `role` after the first `until` rounds of a match.
pub fn view_of(game: &Game, rounds: &[JointMove], role: RoleId, until: usize) -> View {
    let mut at = game.start();
    let seen = rounds[..until.min(rounds.len())].iter().map(|joint| {
        let round = Round::of(game, &mut *at, joint, role);
        at.step(joint);
        round
    });
    View { role, rounds: seen.collect() }
}
