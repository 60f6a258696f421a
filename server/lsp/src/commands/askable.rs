//! `percept.askable`: the atoms that can be explained, whether they hold or not.
//!
//! Argument: the match (see [`matches::About`]). Result: `{version, atoms}`: an atom is `{says, holds, question}`, the
//! question in the form that `percept.why` takes. Atoms that hold come first; at most 3,000 others are listed.

use percept_report::atoms::atoms;
use percept_report::editor::Askable;
use serde_json::Value;

use super::matches::{self, About, versioned};
use crate::place::{Answer, Place};

pub(super) fn run(place: &Place, about: About) -> Answer<Value> {
    matches::on(place, &about, |it| {
        let atoms = atoms(&it.loaded.game, &it.stepper).into_iter().map(Into::into).collect();
        Ok(versioned(1, &Askable { atoms }))
    })
}
