//! `percept.infoset`: the histories that a role cannot tell from the current one.
//!
//! Result: `{version, ...}` with [`Members`], or `{version, refusals}`.

use percept_game::RoleId;
use percept_infoset::{Budget, Options, Wanted};
use percept_report::members::Members;
use percept_report::replay;
use serde::Deserialize;
use serde_json::Value;

use super::matches::{self, About, Match};
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
        let role = it.loaded.game.role_named(&argument.role)?;
        Ok(matches::versioned(1, &members(it, role, argument.limit.unwrap_or(LISTED), budget)?))
    })
}

/// The histories that a role cannot tell from the match, at most `limit`.
pub(super) fn members(it: &Match, role: RoleId, limit: usize, budget: &Budget) -> Result<Members, String> {
    let game = &it.loaded.game;
    let seen = replay::view(&it.stepper, role, it.stepper.at());
    let options = Options { wanted: Wanted::All, limit: limit.min(10_000), ..Options::default() };
    let report = percept_infoset::infoset(game, &seen, &options, budget);
    let report = report.map_err(|error| format!("no member was found: {error}"))?;
    Ok(Members::of(game, it.loaded.layout(), &seen, &report))
}
