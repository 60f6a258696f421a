//! `percept.repair`: what a role would have to be told so that it knows its moves, the end or its goal.
//!
//! Argument: `uri`, `role`, `property` (`legal`, `terminal` or `goal`), `seconds`. Result: `{version, role, property, known,
//! repairs}`: `known` says that nothing has to be repaired (or nothing was found out: `null`); a repair is `{says, text,
//! bits, worth, method, edits: [{uri, range, newText}]}`, what tells least first. `bits`: by how much the role's information set
//! shrinks, `worth`: by how much the game is worth more to the role then; `null` where that was not found out.
//!
//! What was found is offered as a repair of the finding, until one of the game's texts changes.

use percept_game::Game;
use percept_infoset::Budget;
use percept_infoset::prove::{self, Options, Prover};
use percept_report::repair::{Asked, Insertion, Repair, repairs};
use percept_report::verdict::refutation;
use percept_report::words;
use percept_solve::Space;
use percept_solve::worth::bounds;
use percept_syntax::TextRange;
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::{self, About};
use crate::games;
use crate::place::{Answer, Place};
use crate::verdicts::{Insert, Note};

/// For all of it, unless asked otherwise.
const SECONDS: f64 = 30.0;
/// Bytes for the tree of a game whose value is asked for.
const MEMORY: usize = 64 << 20;

#[derive(Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    about: About,
    role: String,
    property: String,
    #[serde(default)]
    seconds: Option<f64>,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    // The game is meant, whatever match is being looked at.
    let about = argument.about.at_the_start();
    matches::work(place, &about, "Looking for a repair", Some(argument.seconds.unwrap_or(SECONDS)), |it, budget| {
        let game = &it.loaded.game;
        let role = matches::role(game, &argument.role)?;
        let property = matches::property(&argument.property)?;
        let finding = Prover::new(game).prove(role, property, &Options::default(), &budget.share(3));
        place.check()?;
        let known = match &finding.verdict {
            prove::Verdict::Proved { .. } => Some(true),
            prove::Verdict::Refuted { .. } => Some(false),
            prove::Verdict::Open { .. } => None,
        };
        let Some(witness) = refutation(game, &finding) else {
            return Ok(json!({ "version": 1, "role": argument.role, "property": argument.property, "known": known,
                "repairs": [] }));
        };
        let sources = games::sources(&it.loaded.files);
        let terminal = games::terminal(&place.snapshot, &it.loaded.files[0]);
        let solving = percept_solve::Options { space: Space { bytes: MEMORY }, ..percept_solve::Options::default() };
        let value = |game: &Game, role, budget: &Budget| bounds(game, role, &solving, budget);
        let terminal = Some(terminal);
        let asked = Asked { game, sources, terminal, role, property, witness: &witness, value: Some(&value) };
        let found = repairs(&asked, budget);
        place.check()?;
        matches::sound(place, &it.loaded)?;
        let blame = it.loaded.blamer().blame(role, property, &witness);
        let insert = |repair: &Repair| Insert {
            title: format!("{} (then it always knows {})", repair.says, words::known(property)),
            edits: repair.edits.clone(),
        };
        let note = Note::new(words::refuted(game, role, property, &witness), &blame).about(&argument.role, property);
        let note = Note { repairs: Some(found.iter().map(insert).collect()), ..note };
        place.shared.remember_repairs(&it.loaded.files, note);
        place.state.look_again();
        let encoding = place.snapshot.encoding();
        let edit = |edit: &Insertion| {
            let file = &it.loaded.files[edit.file];
            json!({ "uri": file.uri, "range": file.range(TextRange::at(edit.at), encoding), "newText": edit.text })
        };
        let shown = |repair: &Repair| {
            let edits: Vec<_> = repair.edits.iter().map(edit).collect();
            json!({ "says": repair.says, "text": repair.text(), "bits": repair.bits, "worth": repair.worth,
                "method": repair.method, "edits": edits })
        };
        Ok(json!({ "version": 1, "role": argument.role, "property": argument.property, "known": known,
            "repairs": found.iter().map(shown).collect::<Vec<_>>() }))
    })
}
