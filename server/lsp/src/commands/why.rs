//! `percept.why`: why an atom holds at a place of a match, or why it does not.
//!
//! Argument: the match (see [`matches::About`]) and one of
//! - `fluent`: of the current state; explained in the round that led there, or in the initial state;
//! - `percept` and `role`: after the last round;
//! - `move` and `role`: of the current state;
//! - `atom`: any atom in KIF, such as `(goal white 100)` or `terminal`, of the current state.
//!
//! Result: `{version, round, since, why}`, or `{version, refusals}`. `round` is the number of rounds before the
//! explained state. `since` is, for a fluent that holds, the round since which it has held (0: the initial state), else
//! `null`. `why` is `{atom, holds, reasons, failures}`. A reason is `{rule, text, bindings: [[variable, value]],
//! support: [{literal, location, why?}]}`: a rule instance that makes the atom true, with its literals, each explained
//! in turn if rules define it. A failure is `{rule, text, bindings, failed: [{literal, location}]}`: a rule that could
//! have made it true, with the literals that did not hold. `rule` and `location` are places in the text.
//!
//! In POGDDL `why` is `{atom, holds, parts: [{says, holds, location?, parts}]}`: the support, down to facts.

use percept_report::editor::{Question, WhyAnswer};
use serde::Deserialize;
use serde_json::Value;

use super::matches::{self, About, Match, versioned};
use crate::games;
use crate::place::{Answer, Place};

#[derive(Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    about: About,
    #[serde(flatten)]
    question: Question,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    match matches::replay(place, &argument.about) {
        Ok(it) => Ok(versioned(1, &explain(place, &it, &argument.question)?)),
        Err(instead) => instead.answer(),
    }
}

/// The explanation at the place of a match.
pub(super) fn explain(place: &Place, it: &Match, question: &Question) -> Result<WhyAnswer, String> {
    let (files, encoding) = (&it.loaded.files, place.snapshot.encoding());
    let locate = |file: usize, range| files[file.min(files.len() - 1)].place(range, encoding);
    percept_report::why::why(&it.stepper, &games::sources(files), question, &locate)
}
