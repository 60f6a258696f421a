//! `percept.prove`: does every role know its moves, the end and its goal in every match?
//!
//! Argument: `role` and `property` (`legal`, `terminal` or `goal`) narrow it down; `seconds` is for each of them.
//! Result: `{version, findings: [{role, property, verdict, method?, vacuous?, depth?, seconds, witness?}]}`, or
//! `{version, refusals}`. `verdict` is `proved`, `refuted` or `open`; `depth` is the length of the shortest pair, or up
//! to which there is none; `vacuous`, of a proof about goals: whether it says nothing, since no match ever ends (`null`
//! where that is not known). A witness is as in `percept.observe`.
//!
//! What is refuted is also published as findings on the rules that decide it, until one of the game's texts changes.

use std::time::{Duration, Instant};

use percept_game::{Game, RoleId};
use percept_infoset::prove::{Finding, Options, Verdict as Judgement, many};
use percept_infoset::{Control, Property};
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About};
use crate::backend::{Answer, Failure};
use crate::games::Loaded;
use crate::ingress::Place;
use crate::verdicts::{self, Difference, Note};

/// Time for each role and property unless told otherwise.
const SECONDS: f64 = 10.0;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Argument {
    #[serde(flatten)]
    about: About,
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    property: Option<String>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    announce_end: bool,
}

pub fn run(place: &Place, argument: Argument) -> Answer<Value> {
    // The game is meant, whatever match is being looked at.
    let about = About { history: Some(Vec::new()), at: None, ..argument.about };
    let it = match matches::replay(place, &about) {
        Ok(it) => it,
        Err(result) => return Ok(result),
    };
    let game = &it.loaded.game;
    let roles: Vec<RoleId> = match &argument.role {
        Some(name) => vec![matches::role(game, name).map_err(Failure::Message)?],
        None => game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect(),
    };
    let properties: Vec<Property> = match &argument.property {
        None => Property::ALL.to_vec(),
        Some(name) => {
            let unknown = || Failure::Message(format!("there is no property `{name}`: legal, terminal or goal"));
            vec![Property::ALL.into_iter().find(|property| property.name() == name).ok_or_else(unknown)?]
        }
    };
    let seconds = argument.seconds.unwrap_or(SECONDS).clamp(0.01, 600.0);
    let limits = matches::control(place, &it, "Proving what players know", Some(600.0));
    let control = |_| Control { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)), ..limits.clone() };
    let options = Options { announce_end: argument.announce_end, ..Options::default() };
    let questions: Vec<many::Question> =
        roles.iter().flat_map(|&role| properties.iter().map(move |&property| (role, property))).collect();
    let findings = many::all(game, &questions, &options, many::threads(), &control);
    place.check()?;
    let notes = findings.iter().filter_map(|finding| note(&it.loaded, finding)).collect();
    Ok(matches::judged(place, &it.loaded, &findings, |it| finding(game, it), notes))
}

fn finding(game: &Game, finding: &Finding) -> Value {
    let mut out = json!({
        "role": game.roles[finding.role.0 as usize].name,
        "property": finding.property.name(),
        "verdict": finding.verdict.name(),
        "seconds": finding.elapsed.as_secs_f64(),
    });
    match &finding.verdict {
        Judgement::Proved { method, .. } => {
            out["method"] = json!(method);
            if finding.property == Property::Goal {
                out["vacuous"] = json!(finding.vacuous);
            }
        }
        Judgement::Open { depth } => out["depth"] = json!(depth),
        Judgement::Refuted { pair, method } => {
            out["method"] = json!(method);
            out["depth"] = json!(pair.left.len());
            if let Some(pair) = pair.witness(game, finding.role, finding.property) {
                out["witness"] = matches::witness(game, finding.role, &pair);
            }
        }
    }
    out
}

/// A refutation at the rule that decides it.
fn note(loaded: &Loaded, finding: &Finding) -> Option<Note> {
    let game = &loaded.game;
    let Judgement::Refuted { pair, .. } = &finding.verdict else { return None };
    let pair = pair.witness(game, finding.role, finding.property)?;
    let [first, second] = matches::sides(game, finding.role, &pair);
    let message = format!(
        "{} does not always know {}: after {} rounds {first} in one match, {second} in another that looks the same to it; they part in round {}",
        game.roles[finding.role.0 as usize].name,
        verdicts::asked(finding.property),
        pair.first.len(),
        pair.parting(),
    );
    let difference =
        Difference { role: finding.role, property: finding.property, first: &pair.first, second: &pair.second };
    verdicts::note(game, &loaded.files, &difference, message)
}
