//! `percept.observe`: does every role know its moves, the end and its goal along the match?
//!
//! Result: `{version, findings}` with a [`MatchVerdict`] each, or `{version, refusals}`.
//!
//! Missing knowledge is also published as findings on the rules that could have revealed it, until one of the game's
//! texts changes.

use percept_infoset::{Budget, ObserveOptions};
use percept_report::place::InEditor;
use percept_report::verdict::{MatchVerdict, first_unknown};
use percept_report::words;
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About, Instead, Match};
use crate::place::{Answer, Place};
use crate::verdicts::Note;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Argument {
    #[serde(flatten)]
    about: About,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    announce_end: bool,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    matches::work(place, &argument.about, "Checking observability", argument.seconds, |it, budget| {
        Ok(json!({ "version": 2, "findings": verdicts(place, it, argument.announce_end, budget)? }))
    })
}

/// The verdicts on the whole match, which are also published.
pub(super) fn verdicts(
    place: &Place,
    it: &Match,
    announce_end: bool,
    budget: &Budget,
) -> Result<Vec<MatchVerdict<InEditor>>, Instead> {
    let (game, speech) = (&it.loaded.game, &it.loaded.layout().speech);
    let options = ObserveOptions { announce_end, ..ObserveOptions::default() };
    let observed = percept_infoset::observe(game, &it.stepper.joints(), &options, budget);
    place.check()?;
    let findings = observed.map_err(|error| error.to_string())?.findings;
    let (blamer, located) = (it.loaded.blamer(), it.loaded.locate(place.snapshot.encoding()));
    let mut verdicts: Vec<MatchVerdict<InEditor>> =
        findings.iter().map(|finding| MatchVerdict::new(game, speech, finding)).collect();
    let mut notes = Vec::new();
    for (at, (finding, witness)) in first_unknown(&findings) {
        let blame = blamer.blame(finding.role, finding.property, witness);
        let note = Note::new(words::unknown(game, speech, finding.role, finding.property, witness), &blame);
        notes.push(note.about(&game.roles[finding.role.0 as usize].name, finding.property));
        let pair = &mut verdicts[at].witness;
        *pair = pair.take().map(|pair| pair.blaming(&blame, &located));
    }
    matches::judged(place, &it.loaded, verdicts, notes)
}
