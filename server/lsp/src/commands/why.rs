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

use std::sync::Arc;

use percept_game::Term;
use percept_game::gdl::{Explainer, Explanation, Failure as Failed, Reason, Support};
use percept_game::pogddl;
use percept_game::stepper::Stepper;
use percept_report::editor::{self, Part, WhyAnswer};
use percept_report::names;
use percept_report::place::InEditor;
use percept_syntax::{Syntax, TextRange};
use serde::Deserialize;
use serde_json::Value;

use super::matches::{self, About, Match, versioned};
use crate::games;
use crate::place::{Answer, Failure, Place};
use crate::positions::Encoding;
use crate::snapshot::File;

/// The depth to which supports are explained.
const DEPTH: usize = 4;

#[derive(Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    about: About,
    #[serde(default)]
    role: Option<String>,
    #[serde(flatten)]
    what: What,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Fluent(String),
    Percept(String),
    Move(String),
    Atom(String),
}

/// A question to the rules: an atom of the state after the given number of rounds, with the moves of the next round.
struct Question {
    atom: String,
    round: usize,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let it = match matches::replay(place, &argument.about) {
        Ok(it) => it,
        Err(result) => return Ok(result),
    };
    let file = &it.loaded.files[0];
    let Some(Syntax::Gdl(description)) = file.source().map(|source| &source.syntax) else {
        return in_pogddl(place, &argument, &it);
    };
    let question = question(&argument, &it.stepper)?;
    let explainer = Explainer::new(description).map_err(|_| Failure::Message("the rules have mistakes".into()))?;
    let (fluents, moves) = facts(&it.stepper, question.round);
    let term = question.atom.parse().ok();
    let explanation = term
        .and_then(|term| explainer.explain(&fluents, &moves, &term, DEPTH))
        .ok_or_else(|| Failure::Message(format!("`{}` has names that the rules do not define", question.atom)))?;
    let text = Explanations { file, encoding: place.snapshot.encoding() };
    let why = text.explanation(&explanation);
    Ok(versioned(1, &WhyAnswer { round: question.round, since: since(&it.stepper, &argument.what), why }))
}

fn in_pogddl(place: &Place, argument: &Argument, it: &Match) -> Answer<Value> {
    let files = &it.loaded.files;
    let Some((domain, problem)) = games::halves(files) else {
        return Err(Failure::Message("a domain and a problem are needed".into()));
    };
    let event = match (&argument.what, &argument.role) {
        (What::Percept(name), Some(role)) => format!("(sees {role} {name})"),
        (What::Percept(_), None) => return Err(Failure::Message("`role` is missing".into())),
        (What::Fluent(name) | What::Move(name) | What::Atom(name), _) => name.clone(),
    };
    let explainer = pogddl::Explainer::new(&it.loaded.game, domain, problem)?;
    let why = explainer.explain(&it.stepper, &event)?;
    let encoding = place.snapshot.encoding();
    let parts = why.parts.iter().map(|part| tell(part, files, encoding)).collect();
    let why =
        editor::Explanation { atom: why.says, holds: why.holds, parts: Some(parts), reasons: None, failures: None };
    Ok(versioned(1, &WhyAnswer { round: it.stepper.at(), since: since(&it.stepper, &argument.what), why }))
}

/// The first round after which a fluent has held without interruption up to the current place.
fn since(stepper: &Stepper, what: &What) -> Option<usize> {
    let What::Fluent(name) = what else { return None };
    let fluent = stepper.game().rules.find_fluent(name)?;
    let states = &stepper.states()[..=stepper.at()];
    let held = states.iter().rev().take_while(|state| state.has(fluent)).count();
    (held > 0).then(|| stepper.at() + 1 - held)
}

fn tell(why: &pogddl::Reason, files: &[Arc<File>], encoding: Encoding) -> Part {
    let location = why.place.and_then(|at| Some(files.get(usize::from(at.in_problem))?.place(at.range, encoding)));
    let parts = why.parts.iter().map(|part| tell(part, files, encoding)).collect();
    Part { says: why.says.clone(), holds: why.holds, location, parts }
}

fn question(argument: &Argument, stepper: &Stepper) -> Result<Question, Failure> {
    let at = stepper.at();
    let role = || argument.role.as_deref().ok_or_else(|| Failure::Message("`role` is missing".into()));
    Ok(match &argument.what {
        What::Atom(atom) => Question { atom: atom.clone(), round: at },
        What::Move(name) => Question { atom: format!("(legal {} {name})", role()?), round: at },
        What::Fluent(name) if at == 0 => Question { atom: format!("(init {name})"), round: 0 },
        What::Fluent(name) => Question { atom: format!("(next {name})"), round: at - 1 },
        What::Percept(_) if at == 0 => {
            return Err(Failure::Message("before the first round nothing is perceived".into()));
        }
        What::Percept(name) => Question { atom: format!("(sees {} {name})", role()?), round: at - 1 },
    })
}

/// The fluents of the state after a round, and the moves of the next round if the match continues.
fn facts(stepper: &Stepper, round: usize) -> (Vec<Term>, Vec<(String, Term)>) {
    let game = stepper.game();
    let moves = stepper.rounds().get(round).map(|played| names::made(game, &played.joint));
    (names::fluents(game, &stepper.states()[round]), moves.unwrap_or_default())
}

/// Writes explanations with their places.
struct Explanations<'a> {
    file: &'a Arc<File>,
    encoding: Encoding,
}

impl Explanations<'_> {
    fn explanation(&self, it: &Explanation) -> editor::Explanation {
        editor::Explanation {
            atom: it.atom.clone(),
            holds: it.holds,
            parts: None,
            reasons: Some(it.reasons.iter().map(|reason| self.reason(reason)).collect()),
            failures: Some(it.failures.iter().map(|failure| self.failure(failure)).collect()),
        }
    }

    fn reason(&self, it: &Reason) -> editor::Reason {
        let support = |support: &Support| editor::Support {
            literal: support.literal.clone(),
            location: self.location(support.range),
            why: support.because.as_ref().map(|because| self.explanation(because)),
        };
        editor::Reason {
            rule: self.location(it.rule),
            text: self.text(it.rule),
            bindings: it.bindings.clone(),
            support: it.support.iter().map(support).collect(),
        }
    }

    fn failure(&self, it: &Failed) -> editor::Failure {
        let failed = |(literal, range): &(String, TextRange)| editor::Failed {
            literal: literal.clone(),
            location: self.location(*range),
        };
        editor::Failure {
            rule: self.location(it.rule),
            text: self.text(it.rule),
            bindings: it.bindings.clone(),
            failed: it.failed.iter().map(failed).collect(),
        }
    }

    fn location(&self, range: TextRange) -> InEditor {
        self.file.place(range, self.encoding)
    }

    fn text(&self, range: TextRange) -> String {
        self.file.text()[range.as_usize()].to_string()
    }
}
