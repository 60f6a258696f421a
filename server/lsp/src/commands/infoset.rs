//! `percept.infoset`: the histories that a role cannot tell from the current one.
//!
//! Result: `{version, ...}` with [`Members`], or `{version, refusals}`.

use percept_infoset::{Options, Wanted};
use percept_report::members::Members;
use percept_report::replay;
use serde::Deserialize;
use serde_json::Value;

use super::matches::{self, About};
use crate::place::{Answer, Place};

/// The default number of members listed.
const LISTED: usize = 60;

#[derive(Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    about: About,
    role: String,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    seconds: Option<f64>,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    matches::work(place, &argument.about, "Looking for histories", argument.seconds, |it, budget| {
        let game = &it.loaded.game;
        let role = game.role_named(&argument.role)?;
        let seen = replay::view(&it.stepper, role, it.stepper.at());
        let options =
            Options { wanted: Wanted::All, limit: argument.limit.unwrap_or(LISTED).min(10_000), ..Options::default() };
        let report = percept_infoset::infoset(game, &seen, &options, budget);
        let report = report.map_err(|error| format!("no member was found: {error}"))?;
        Ok(matches::versioned(1, &Members::of(game, it.loaded.layout(), &seen, &report)))
    })
}
