//! `percept.repair`: the percepts with which a role would know its moves, the end or its goal. If others lack the same,
//! a repair is for all of them, where one is found.
//!
//! Argument: `uri`, `role`, `property` (`legal`, `terminal`, `goal` or `own`), `seconds`. Result: `{version, role,
//! property, known, repairs}`. `known` is true if no repair is needed, and `null` if that was not decided. A repair is
//! `{says, measures, text, bits, worth, gives: [{role, bits, worth}], method, edits: [{uri, range, newText}]}`; the one
//! that reveals least comes first. `bits` is the reduction of a role's information set, `worth` the increase in a role's
//! value of the game; both are `null` if they were not computed. Outside `gives`, `bits` is the most of any role, and
//! `worth` that of a repair for one role.
//!
//! The results are also offered as repairs of the findings about these roles, until one of the game's texts changes.

use percept_game::Game;
use percept_infoset::{Budget, Property};
use percept_report::editor::{self, Edit, Repairs};
use percept_report::place::InEditor;
use percept_report::repair::{Insertion, Pair, Repair, RepairQuery, for_first, lacking};
use percept_report::{names, words};
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
    let lacking = lacking(game, role, property, &budget.share(3));
    place.check()?;
    let none = Repairs { role: role_name, property: property_name, known: lacking.known, repairs: Vec::new() };
    if lacking.needs.is_empty() {
        return Ok(none);
    }
    let sources = games::sources(&it.loaded.files);
    let terminal = games::terminal(&place.snapshot, &it.loaded.files[0]);
    let solving = percept_solve::Options { space: Space { bytes: MEMORY }, ..percept_solve::Options::default() };
    let value = |game: &Game, role, budget: &Budget| bounds(game, role, &solving, budget);
    let terminal = Some(terminal);
    let needs = lacking.needs;
    let query = RepairQuery { game, sources, terminal, property, needs, value: Some(&value) };
    let found = for_first(&query, budget);
    place.check()?;
    matches::sound(place, &it.loaded)?;
    for need in &found.needs {
        remember(place, it, property, need, &found.repairs);
    }
    let found = found.repairs;
    place.state.look_again();
    let encoding = place.snapshot.encoding();
    let edit = |edit: &Insertion| {
        let InEditor { uri, range } = it.loaded.files[edit.file].place(TextRange::at(edit.at), encoding);
        Edit { uri, range, new_text: edit.text.clone() }
    };
    let shown = |repair: &Repair| editor::Repair {
        says: repair.title(),
        measures: repair.measures(),
        text: repair.text(),
        bits: repair.bits,
        worth: repair.worth,
        gives: repair.gives.clone(),
        method: repair.method,
        edits: repair.edits.iter().map(edit).collect(),
    };
    Ok(Repairs { repairs: found.iter().map(shown).collect(), ..none })
}

/// Offers the repairs at the finding about one of their roles.
fn remember(place: &Place, it: &Match, property: Property, need: &Pair, repairs: &[Repair]) {
    let game = &it.loaded.game;
    let blame = it.loaded.blamer().blame(need.role, property, &need.witness);
    let insert = |repair: &Repair| Insert {
        title: match repair.gives.len() {
            1 => format!("{} (then it always knows {})", repair.title(), words::knowledge(property)),
            roles => format!("{} (then they always know {})", repair.title(), words::knowledge_of(roles, property)),
        },
        edits: repair.edits.clone(),
    };
    let message = words::refuted(game, &it.loaded.layout().speech, need.role, property, &need.witness);
    let note = Note::new(message, &blame).about(names::role(game, need.role), property);
    let note = Note { repairs: Some(repairs.iter().map(insert).collect()), ..note };
    place.shared.remember_repairs(&it.loaded.files, note);
}
