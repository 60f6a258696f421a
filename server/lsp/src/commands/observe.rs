//! `percept.observe`: does every role know its moves, the end and its goal along the match?
//!
//! Result: `{version, findings: [{role, round, property, verdict, method, agreed?, witness?}]}`, or `{version,
//! refusals}`. `property` is `legal`, `terminal` or `goal`; `verdict` is `known`, `unknown` or `undecided`. A witness
//! has two histories the role cannot tell apart, `first` and `second` (per round a move of each role),
//! `firstIsMatch`, the `parting` round (from 1), and what the role would know in each (`firstValue`, `secondValue`).
//!
//! What is not known is also published as findings on the rules that decide it, until one of the game's texts changes.

use percept_game::{Game, RoleId};
use percept_infoset::{Finding, ObserveOptions, Verdict as Judgement, Witness};
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About};
use crate::backend::{Answer, Failure};
use crate::games::Loaded;
use crate::ingress::Place;
use crate::verdicts::{self, Difference, Note, Verdict, known};

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
    let control = matches::control(place, &it, "Checking observability", argument.seconds);
    let observed = percept_infoset::observe(game, &it.stepper.joints(), &options, &control);
    place.check()?;
    if let Err(result) = matches::sound(place, &it.loaded) {
        return Ok(result);
    }
    let findings = observed.map_err(|error| Failure::Message(error.to_string()))?.findings;
    let notes = notes(&it.loaded, &findings);
    place.shared.remember_verdict(Verdict::new(it.loaded.files.clone(), notes));
    place.state.look_again();
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
        Judgement::Known => {}
        Judgement::Unknown(pair) => out["witness"] = witness(game, finding.role, pair),
        Judgement::Undecided { agreed, why } => {
            out["agreed"] = json!(agreed);
            out["why"] = json!(why.to_string());
        }
    }
    out
}

pub(super) fn witness(game: &Game, role: RoleId, pair: &Witness) -> Value {
    json!({
        "first": matches::names(game, &pair.first),
        "second": matches::names(game, &pair.second),
        "firstIsMatch": pair.first_is_match,
        "parting": pair.parting(),
        "firstValue": known(game, role, &pair.first_value),
        "secondValue": known(game, role, &pair.second_value),
    })
}

/// For every role and property the first round after which it is not known, at the rule that decides it.
fn notes(loaded: &Loaded, findings: &[Finding]) -> Vec<Note> {
    let game = &loaded.game;
    let mut noted = Vec::new();
    let mut notes = Vec::new();
    for finding in findings {
        let Judgement::Unknown(pair) = &finding.verdict else { continue };
        let (role, property) = (finding.role, finding.property);
        if noted.contains(&(role, property)) {
            continue;
        }
        noted.push((role, property));
        let value = |value| match known(game, role, value) {
            text if text.is_empty() => "none".to_string(),
            text => text,
        };
        let message = format!(
            "{} cannot know {} after round {}: {} in one history, {} in another that looks the same to it; they part in round {}",
            game.roles[role.0 as usize].name,
            verdicts::asked(property),
            finding.round,
            value(&pair.first_value),
            value(&pair.second_value),
            pair.parting(),
        );
        let difference = Difference { role, property, first: &pair.first, second: &pair.second };
        notes.extend(verdicts::note(game, &loaded.files, &difference, message));
    }
    notes
}
