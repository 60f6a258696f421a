//! `percept.beginTest`: an `expected.toml` beside a game that has none, from what holds in the saved game.
//!
//! Argument: `uri` (a description or a problem), `seconds` (the limit for each expectation, 20). Result: `{version, uri,
//! text}`: the new file, which is written, and its text. An error of the command if there is such a file, or if the game
//! cannot be read; its message is for the user.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::lsp_types::Url;

use crate::place::{Answer, Failure, Place};

/// The default time limit for each expectation, in seconds.
const SECONDS: f64 = 20.0;

#[derive(Deserialize)]
pub(super) struct Argument {
    uri: Url,
    #[serde(default)]
    seconds: Option<f64>,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let game = argument.uri.to_file_path();
    let game = game.map_err(|()| Failure::Message("save the game first: the expectations are beside it".into()))?;
    let time = Duration::from_secs_f64(argument.seconds.unwrap_or(SECONDS).clamp(0.1, 600.0));
    let begun = (place.shared.program.begin_test)(&game, time).map_err(Failure::Message)?;
    let path = begun.path.canonicalize().unwrap_or(begun.path);
    let uri = Url::from_file_path(path).map_err(|()| Failure::Message("the file has no address".into()))?;
    Ok(json!({ "version": 1, "uri": uri, "text": begun.text }))
}
