//! `percept.prove`: does every role know its moves, the end and its goal in every match?
//!
//! Argument: `role` and `property` (`legal`, `terminal`, `goal` or `own`) restrict the queries; `seconds` applies to
//! each. Result: `{version, findings}` with a [`GameVerdict`] each, or `{version, refusals}`.
//!
//! Refuted knowledge is also published as findings on the rules that could have revealed it, until one of the game's
//! texts changes.

use std::time::{Duration, Instant};

use percept_game::RoleId;
use percept_infoset::prove::{Options, many};
use percept_infoset::{Budget, Property};
use percept_report::place::InEditor;
use percept_report::verdict::{GameVerdict, refutation};
use percept_report::words;
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About, Instead, Match};
use crate::place::{Answer, Place};
use crate::verdicts::Note;

/// The default time for each role and property.
const SECONDS: f64 = 10.0;

#[derive(Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    about: About,
    #[serde(flatten)]
    wanted: Wanted,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wanted {
    #[serde(default)]
    pub role: Option<String>,
    #[serde(default)]
    pub property: Option<String>,
    #[serde(default)]
    pub seconds: Option<f64>,
    #[serde(default)]
    pub announce_end: bool,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    // The query is about the game, independent of the current match.
    let about = argument.about.at_the_start();
    matches::work(place, &about, "Proving what players know", Some(600.0), |it, limits| {
        Ok(json!({ "version": 2, "findings": verdicts(place, it, &argument.wanted, limits)? }))
    })
}

/// The verdicts on every match, which are also published.
pub(super) fn verdicts(
    place: &Place,
    it: &Match,
    wanted: &Wanted,
    limits: &Budget,
) -> Result<Vec<GameVerdict<InEditor>>, Instead> {
    let (game, speech) = (&it.loaded.game, &it.loaded.layout().speech);
    let roles: Vec<RoleId> = match &wanted.role {
        Some(name) => vec![game.role_named(name)?],
        None => game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect(),
    };
    let wanted_property: Option<Property> = wanted.property.as_deref().map(matches::property).transpose()?;
    let seconds = wanted.seconds.unwrap_or(SECONDS).clamp(0.01, 600.0);
    let budget = |_| Budget { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)), ..limits.clone() };
    let options = Options { announce_end: wanted.announce_end, ..Options::default() };
    let findings = match wanted_property {
        None => {
            let questions = many::questions(game, roles);
            many::worth_saying(many::all(game, &questions, &options, many::threads(), &budget))
        }
        Some(property) => {
            let questions: Vec<many::Question> = roles.into_iter().map(|role| (role, property)).collect();
            many::all(game, &questions, &options, many::threads(), &budget)
        }
    };
    place.check()?;
    let (blamer, located) = (it.loaded.blamer(), it.loaded.locate(place.snapshot.encoding()));
    let (mut verdicts, mut notes) = (Vec::<GameVerdict<InEditor>>::new(), Vec::new());
    for finding in &findings {
        let mut verdict = GameVerdict::new(game, speech, finding);
        if let Some(witness) = refutation(game, finding) {
            let blame = blamer.blame(finding.role, finding.property, &witness);
            let note = Note::new(words::refuted(game, speech, finding.role, finding.property, &witness), &blame);
            notes.push(note.about(&game.roles[finding.role.0 as usize].name, finding.property));
            verdict.witness = verdict.witness.map(|pair| pair.blaming(&blame, &located));
        }
        verdicts.push(verdict);
    }
    matches::judged(place, &it.loaded, verdicts, notes)
}
