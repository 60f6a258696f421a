//! `percept.pair`: two histories that a role cannot tell apart, as boards side by side.
//!
//! Argument: `uri`, `role`, `first` and `second`, each for every round the moves of all roles by name. Result:
//! `{version, legend, frames}`, a frame for every round from the start on: `round`, `first` and `second` (`moves`,
//! `boards`, `only`: fluents on no board that hold on this side only, `terminal`), `differs` (board, row and column of
//! the cells that differ), `told` (the role's move and percepts in both histories).

use percept_report::pair::{Frames, frames, history};
use serde::Deserialize;
use serde_json::Value;
use tower_lsp::lsp_types::Url;

use super::matches;
use crate::games::Loaded;
use crate::place::{Answer, Failure, Place};

#[derive(Deserialize)]
pub(super) struct Argument {
    uri: Url,
    role: String,
    first: Vec<Vec<String>>,
    second: Vec<Vec<String>>,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let loaded = match matches::load(place, &argument.uri) {
        Ok(loaded) => loaded,
        Err(instead) => return instead.answer(),
    };
    let frames = board_frames(&loaded, &argument.role, &argument.first, &argument.second)?;
    match matches::sound(place, &loaded) {
        Ok(()) => Ok(matches::versioned(1, &frames)),
        Err(instead) => instead.answer(),
    }
}

/// Two histories as boards, round by round.
pub(super) fn board_frames(loaded: &Loaded, role: &str, one: &[Vec<String>], other: &[Vec<String>]) -> Answer<Frames> {
    let game = &loaded.game;
    let role = game.role_named(role)?;
    let (first, second) = (history(game, one), history(game, other));
    if first.len() < one.len() || second.len() < other.len() {
        return Err(Failure::Message("one of the two histories is no longer possible: the rules have changed".into()));
    }
    Ok(frames(game, loaded.layout(), role, &first, &second))
}
