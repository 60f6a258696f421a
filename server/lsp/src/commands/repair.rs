//! `percept.repair`: the percepts with which a role would know its moves, the end or its goal.
//!
//! Argument: `uri`, `role`, `property` (`legal`, `terminal`, `goal` or `own`), `seconds`. Result: `{version, role,
//! property, known, repairs}`. `known` is true if no repair is needed, and `null` if that was not decided. A repair is
//! `{says, text, bits, worth, method, edits: [{uri, range, newText}]}`; the one that reveals least comes first. `bits`
//! is the reduction of the role's information set, `worth` the increase in the role's value of the game; both are
//! `null` if they were not computed.
//!
//! The results are also offered as repairs of the finding, until one of the game's texts changes.

use percept_game::Game;
use percept_infoset::Budget;
use percept_infoset::prove::{self, Options, Prover};
use percept_report::editor::{self, Edit, Repairs};
use percept_report::place::InEditor;
use percept_report::repair::{Insertion, Repair, RepairQuery, repairs};
use percept_report::verdict::refutation;
use percept_report::words;
use percept_solve::Space;
use percept_solve::worth::bounds;
use percept_syntax::TextRange;
use serde::Deserialize;
use serde_json::Value;

use super::matches::{self, About, Instead, Match, versioned};
use crate::games;
use crate::place::{Answer, Place};
use crate::verdicts::{Insert, Note};

/// The default time for the whole command.
const SECONDS: f64 = 30.0;
/// The memory, in bytes, for the tree of a game to compute its value.
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
    // The query is about the game, independent of the current match.
    let Argument { about, role, property, seconds } = argument;
    let about = about.at_the_start();
    matches::work(place, &about, "Looking for a repair", Some(seconds.unwrap_or(SECONDS)), |it, budget| {
        Ok(versioned(1, &repairs_for(place, it, role, property, budget)?))
    })
}

/// The repairs for a role and a property, which are also published.
pub(super) fn repairs_for(
    place: &Place,
    it: &Match,
    role_name: String,
    property_name: String,
    budget: &Budget,
) -> Result<Repairs, Instead> {
    let game = &it.loaded.game;
    let role = game.role_named(&role_name)?;
    let property = matches::property(&property_name)?;
    let finding = Prover::new(game).prove(role, property, &Options::default(), &budget.share(3));
    place.check()?;
    let is_known = match &finding.verdict {
        prove::Verdict::Proved { .. } => Some(true),
        prove::Verdict::Refuted { .. } => Some(false),
        prove::Verdict::Open { .. } => None,
    };
    let Some(witness) = refutation(game, &finding) else {
        return Ok(Repairs { role: role_name, property: property_name, known: is_known, repairs: Vec::new() });
    };
    let sources = games::sources(&it.loaded.files);
    let terminal = games::terminal(&place.snapshot, &it.loaded.files[0]);
    let solving = percept_solve::Options { space: Space { bytes: MEMORY }, ..percept_solve::Options::default() };
    let value = |game: &Game, role, budget: &Budget| bounds(game, role, &solving, budget);
    let terminal = Some(terminal);
    let query = RepairQuery { game, sources, terminal, role, property, witness: &witness, value: Some(&value) };
    let found = repairs(&query, budget);
    place.check()?;
    matches::sound(place, &it.loaded)?;
    let blame = it.loaded.blamer().blame(role, property, &witness);
    let insert = |repair: &Repair| Insert {
        title: format!("{} (then it always knows {})", repair.title(), words::knowledge(property)),
        edits: repair.edits.clone(),
    };
    let note = Note::new(words::refuted(game, role, property, &witness), &blame).about(&role_name, property);
    let note = Note { repairs: Some(found.iter().map(insert).collect()), ..note };
    place.shared.remember_repairs(&it.loaded.files, note);
    place.state.look_again();
    let encoding = place.snapshot.encoding();
    let edit = |edit: &Insertion| {
        let InEditor { uri, range } = it.loaded.files[edit.file].place(TextRange::at(edit.at), encoding);
        Edit { uri, range, new_text: edit.text.clone() }
    };
    let shown = |repair: &Repair| editor::Repair {
        says: repair.title(),
        text: repair.text(),
        bits: repair.bits,
        worth: repair.worth,
        method: repair.method,
        edits: repair.edits.iter().map(edit).collect(),
    };
    let repairs = found.iter().map(shown).collect();
    Ok(Repairs { role: role_name, property: property_name, known: is_known, repairs })
}
