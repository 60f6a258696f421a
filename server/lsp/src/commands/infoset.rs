//! `percept.infoset`: the histories a role cannot tell from the one that is looked at.
//!
//! Result: `{version, role, round, method, complete, histories, states, stopped?, members: [{moves, probability,
//! state}]}`, or `{version, refusals}`. `histories` is a decimal string, exact where `complete`; `probability` is
//! that of the listed members among themselves under chance and uniformly random opponents.

use percept_game::Game;
use percept_game::stepper::shown;
use percept_infoset::{Member, Options, Report, Wanted};
use percept_report::board::Layout;
use percept_report::names;
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About};
use crate::backend::Answer;
use crate::ingress::Place;

/// Members listed unless asked otherwise.
const LISTED: usize = 60;

#[derive(Deserialize)]
pub struct Argument {
    #[serde(flatten)]
    about: About,
    role: String,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    seconds: Option<f64>,
}

pub fn run(place: &Place, argument: Argument) -> Answer<Value> {
    matches::work(place, &argument.about, "Looking for histories", argument.seconds, |it, control| {
        let game = &it.loaded.game;
        let role = matches::role(game, &argument.role)?;
        let rounds = &it.stepper.joints()[..it.stepper.at()];
        let seen = percept_game::trace::view_of(game, rounds, role, rounds.len());
        let options =
            Options { wanted: Wanted::All, limit: argument.limit.unwrap_or(LISTED).min(10_000), ..Options::default() };
        let report = percept_infoset::infoset(game, &seen, &options, control);
        let report = report.map_err(|error| format!("no member was found: {error}"))?;
        Ok(json!({
            "version": 1,
            "role": game.roles[role.0 as usize].name,
            "round": rounds.len(),
            "method": report.method,
            "why": report.why,
            "complete": report.complete,
            "histories": report.histories.to_string(),
            "states": report.states,
            "stopped": report.stopped.map(|stop| stop.to_string()),
            "seconds": report.seconds,
            "members": members(game, it.loaded.layout(), &report),
        }))
    })
}

fn members(game: &Game, layout: &Layout, report: &Report) -> Vec<Value> {
    let member = |(it, probability): (&Member, f64)| {
        json!({
            "moves": names::history(game, &it.moves),
            "probability": probability,
            "state": layout.picture(&shown(game, &it.state)),
        })
    };
    report.members.iter().zip(report.chances()).map(member).collect()
}
