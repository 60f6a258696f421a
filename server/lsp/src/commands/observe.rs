//! `percept.observe`: does every role know its moves, the end and its goal along the match?
//!
//! Result: `{version, findings: [{role, round, property, verdict, method, agreed?, witness?}]}`, or `{version,
//! refusals}`. `property` is `legal`, `terminal` or `goal`; `verdict` is `known`, `unknown` or `undecided`. A witness
//! has two histories the role cannot tell apart, `first` and `second` (per round a move of each role),
//! `firstIsMatch`, the `parting` round (from 1), and what the role would know in each (`firstValue`, `secondValue`).

use percept_game::{Game, RoleId};
use percept_infoset::{Finding, ObserveOptions, Value as Known, Verdict, Witness};
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About};
use crate::backend::{Answer, Failure};
use crate::ingress::Place;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Argument {
    #[serde(flatten)]
    about: About,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    announce_end: bool,
}

pub fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let it = match matches::replay(place, &argument.about) {
        Ok(it) => it,
        Err(result) => return Ok(result),
    };
    let game = &it.loaded.game;
    let options = ObserveOptions { announce_end: argument.announce_end, ..ObserveOptions::default() };
    let control = matches::control(place, argument.seconds);
    let observed = percept_infoset::observe(game, &it.stepper.joints(), &options, &control);
    if place.token.is_cancelled() {
        return Err(Failure::Cancelled);
    }
    let findings = observed.map_err(|error| Failure::Message(error.to_string()))?.findings;
    Ok(json!({ "version": 1, "findings": findings.iter().map(|it| finding(game, it)).collect::<Vec<_>>() }))
}

fn finding(game: &Game, finding: &Finding) -> Value {
    let mut out = json!({
        "role": game.roles[finding.role.0 as usize].name,
        "round": finding.round,
        "property": finding.property.name(),
        "verdict": finding.verdict.name(),
        "method": finding.method,
    });
    match &finding.verdict {
        Verdict::Known => {}
        Verdict::Unknown(pair) => out["witness"] = witness(game, finding.role, pair),
        Verdict::Undecided { agreed, why } => {
            out["agreed"] = json!(agreed);
            out["why"] = json!(why.to_string());
        }
    }
    out
}

fn witness(game: &Game, role: RoleId, pair: &Witness) -> Value {
    json!({
        "first": matches::names(game, &pair.first),
        "second": matches::names(game, &pair.second),
        "firstIsMatch": pair.first_is_match,
        "parting": pair.parting(),
        "firstValue": known(game, role, &pair.first_value),
        "secondValue": known(game, role, &pair.second_value),
    })
}

/// A property's value in words.
fn known(game: &Game, role: RoleId, value: &Known) -> String {
    match value {
        Known::Legal(moves) => {
            let names: Vec<String> = moves.iter().map(|&mv| game.rules.move_name(role, mv)).collect();
            names.join(" ")
        }
        Known::Terminal(true) => "the match is over".into(),
        Known::Terminal(false) => "the match goes on".into(),
        Known::Goal(values) => values.iter().map(i64::to_string).collect::<Vec<_>>().join(" "),
    }
}
