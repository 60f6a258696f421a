//! `percept.askable`: what can be asked for its reasons, whether it holds or not.
//!
//! Argument: the match (see [`matches::About`]). Result: `{version, atoms}`: an atom is `{says, holds, question}`, the question
//! as `percept.why` takes it. What holds comes first; at most 3,000 of what does not.

use percept_report::askable::{Atom, What, atoms};
use serde_json::{Value, json};

use super::matches::{self, About};
use crate::place::{Answer, Place};

pub(super) fn run(place: &Place, about: About) -> Answer<Value> {
    matches::on(place, &about, |it| {
        let game = &it.loaded.game;
        let shown = |atom: &Atom| {
            let question = match &atom.what {
                What::Fluent => json!({ "fluent": atom.name }),
                What::Percept(role) => json!({ "percept": atom.name, "role": role }),
                What::Move(role) => json!({ "move": atom.name, "role": role }),
                What::Other => json!({ "atom": atom.name }),
            };
            json!({ "says": atom.says, "holds": atom.holds, "question": question })
        };
        let atoms = atoms(game, &it.stepper);
        Ok(json!({ "version": 1, "atoms": atoms.iter().map(shown).collect::<Vec<_>>() }))
    })
}
