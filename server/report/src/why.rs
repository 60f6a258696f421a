//! The reasons why an atom holds at a place of a match, or why it does not.

use percept_game::Term;
use percept_game::gdl::{Explainer, Explanation, Failure as Failed, Reason, Support};
use percept_game::pogddl;
use percept_game::stepper::Stepper;
use percept_syntax::gdl::Description;
use percept_syntax::{Source, Syntax, TextRange};

use crate::editor::{self, Part, Question, WhyAnswer};
use crate::names;
use crate::place::InEditor;

/// The depth to which supports are explained.
const DEPTH: usize = 4;

/// The explanation of an atom at the stepper's place. `sources` are the game's texts; `locate` gives the place of a
/// range in one of them, by its index.
///
/// # Errors
/// The reason why there is nothing to explain, in words.
pub fn why(
    stepper: &Stepper,
    sources: &[&Source],
    question: &Question,
    locate: &dyn Fn(usize, TextRange) -> InEditor,
) -> Result<WhyAnswer, String> {
    let (round, why) = match sources {
        [source, ..] if let Syntax::Gdl(description) = &source.syntax => {
            gdl(stepper, source, description, question, locate)?
        }
        _ => (stepper.at(), in_pogddl(stepper, sources, question, locate)?),
    };
    Ok(WhyAnswer { round, since: since(stepper, question), why })
}

fn gdl(
    stepper: &Stepper,
    source: &Source,
    description: &Description,
    question: &Question,
    locate: &dyn Fn(usize, TextRange) -> InEditor,
) -> Result<(usize, editor::Explanation), String> {
    let (atom, round) = atom_and_round(question, stepper)?;
    let explainer = Explainer::new(description).map_err(|_| "the rules have mistakes")?;
    let (fluents, moves) = facts(stepper, round);
    let explanation = atom.parse().ok().and_then(|atom| explainer.explain(&fluents, &moves, &atom, DEPTH));
    let explanation = explanation.ok_or_else(|| format!("`{atom}` has names that the rules do not define"))?;
    Ok((round, Texts { source, locate }.explanation(&explanation)))
}

fn in_pogddl(
    stepper: &Stepper,
    sources: &[&Source],
    question: &Question,
    locate: &dyn Fn(usize, TextRange) -> InEditor,
) -> Result<editor::Explanation, String> {
    let source = |at: usize| sources.get(at).copied();
    let (Some(domain), Some(problem)) = (source(0).and_then(Source::domain), source(1).and_then(Source::problem))
    else {
        return Err("a domain and a problem are needed".into());
    };
    let query = match question {
        Question { percept: Some(name), role: Some(role), .. } => format!("(sees {role} {name})"),
        Question { percept: Some(_), .. } => return Err("`role` is missing".into()),
        Question { fluent, r#move, atom, .. } => {
            fluent.clone().or(r#move.clone()).or(atom.clone()).ok_or("the question has no atom")?
        }
    };
    let explainer = pogddl::Explainer::new(stepper.game(), domain, problem).map_err(|error| error.to_string())?;
    let why = explainer.explain(stepper, &query).map_err(|error| error.to_string())?;
    let parts = why.parts.iter().map(|it| part(it, locate)).collect();
    Ok(editor::Explanation { atom: why.says, holds: why.holds, parts: Some(parts), reasons: None, failures: None })
}

fn part(why: &pogddl::Reason, locate: &dyn Fn(usize, TextRange) -> InEditor) -> Part {
    let location = why.place.map(|at| locate(usize::from(at.in_problem), at.range));
    let parts = why.parts.iter().map(|it| part(it, locate)).collect();
    Part { says: why.says.clone(), holds: why.holds, location, parts }
}

/// The first round after which a fluent has held without interruption up to the current place.
fn since(stepper: &Stepper, question: &Question) -> Option<usize> {
    let fluent = stepper.game().rules.find_fluent(question.fluent.as_ref()?)?;
    let states = &stepper.states()[..=stepper.at()];
    let held = states.iter().rev().take_while(|state| state.has(fluent)).count();
    (held > 0).then(|| stepper.at() + 1 - held)
}

/// The question to the rules: an atom of the state after the returned number of rounds, with the moves of the next one.
fn atom_and_round(question: &Question, stepper: &Stepper) -> Result<(String, usize), String> {
    let at = stepper.at();
    let role = || question.role.as_deref().ok_or("`role` is missing");
    Ok(match question {
        Question { fluent: Some(name), .. } if at == 0 => (format!("(init {name})"), 0),
        Question { fluent: Some(name), .. } => (format!("(next {name})"), at - 1),
        Question { percept: Some(_), .. } if at == 0 => {
            return Err("before the first round nothing is perceived".into());
        }
        Question { percept: Some(name), .. } => (format!("(sees {} {name})", role()?), at - 1),
        Question { r#move: Some(name), .. } => (format!("(legal {} {name})", role()?), at),
        // After the last round there are no moves yet, so questions about a round are about the one that led there.
        Question { atom: Some(atom), .. } => {
            let is_of_a_round = atom.starts_with("(next") || atom.starts_with("(sees");
            (atom.clone(), if is_of_a_round && at == stepper.len() { at.saturating_sub(1) } else { at })
        }
        _ => return Err("the question has no atom".into()),
    })
}

/// The fluents of the state after a round, and the moves of the next round if the match continues.
fn facts(stepper: &Stepper, round: usize) -> (Vec<Term>, Vec<(String, Term)>) {
    let game = stepper.game();
    let moves = stepper.rounds().get(round).map(|played| names::made(game, &played.joint));
    (names::fluents(game, &stepper.states()[round]), moves.unwrap_or_default())
}

/// Writes explanations with their places.
struct Texts<'a> {
    source: &'a Source,
    locate: &'a dyn Fn(usize, TextRange) -> InEditor,
}

impl Texts<'_> {
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
            location: (self.locate)(0, support.range),
            why: support.because.as_ref().map(|because| self.explanation(because)),
        };
        editor::Reason {
            rule: (self.locate)(0, it.rule),
            text: self.source.text[it.rule.as_usize()].to_string(),
            bindings: it.bindings.clone(),
            support: it.support.iter().map(support).collect(),
        }
    }

    fn failure(&self, it: &Failed) -> editor::Failure {
        let failed = |(literal, range): &(String, TextRange)| editor::Failed {
            literal: literal.clone(),
            location: (self.locate)(0, *range),
        };
        editor::Failure {
            rule: (self.locate)(0, it.rule),
            text: self.source.text[it.rule.as_usize()].to_string(),
            bindings: it.bindings.clone(),
            failed: it.failed.iter().map(failed).collect(),
        }
    }
}
