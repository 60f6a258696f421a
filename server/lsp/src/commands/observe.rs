//! `percept.observe`: does every role know its moves, the end and its goal along the match?
//!
//! Result: `{version, findings: [{role, round, property, verdict, method, agreed?, witness?}]}`, or `{version,
//! refusals}`. `property` is `legal`, `terminal` or `goal`; `verdict` is `known`, `unknown` or `undecided`. A witness
//! has two histories the role cannot tell apart, `first` and `second` (per round a move of each role),
//! `firstIsMatch`, the `parting` round (from 1), and what the role would know in each (`firstValue`, `secondValue`).
//!
//! What is not known is also published as findings on the rules that decide it, until one of the game's texts changes.

use percept_game::Game;
use percept_infoset::{Finding, ObserveOptions, Verdict as Judgement};
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About};
use crate::backend::{Answer, Failure};
use crate::games::Loaded;
use crate::ingress::Place;
use crate::verdicts::{self, Difference, Note};

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
    let findings = observed.map_err(|error| Failure::Message(error.to_string()))?.findings;
    let notes = notes(&it.loaded, &findings);
    Ok(matches::judged(place, &it.loaded, &findings, |it| finding(game, it), notes))
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
        Judgement::Unknown(pair) => out["witness"] = matches::witness(game, finding.role, pair),
        Judgement::Undecided { agreed, why } => {
            out["agreed"] = json!(agreed);
            out["why"] = json!(why.to_string());
        }
    }
    out
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
        let [first, second] = matches::sides(game, role, pair);
        let message = format!(
            "{} cannot know {} after round {}: {first} in one history, {second} in another that looks the same to it; they part in round {}",
            game.roles[role.0 as usize].name,
            verdicts::asked(property),
            finding.round,
            pair.parting(),
        );
        let difference = Difference { role, property, first: &pair.first, second: &pair.second };
        notes.extend(verdicts::note(game, &loaded.files, &difference, message));
    }
    notes
}
