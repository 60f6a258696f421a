//! From the statements of a description to rules: the second reading of GDL.
//!
//! It works on the text as trees of words ([`tree`]). A body becomes cases ([`cases`]): `not` moves inwards to atoms
//! ([`negation`]), `or` makes cases. Each case is one rule ([`rule`]), in which equations, the meaning of `(not
//! (distinct ...))`, replace variables ([`equal`]). Numbers come last ([`number`]).
//!
//! The papers leave the meaning of some rules open. It is the same here as in play:
//! - a variable of a negated atom that no positive condition of its case binds: the atom holds for no value of it;
//! - a variable that occurs only in a negated conjunction: the conjunction holds for no value of it;
//! - an unbound role in a head of `legal`, `sees` and `goal`: every role;
//! - an invalid rule for `base`, `input` or `percept`: it is left out, unless a rule reads that relation.

mod cases;
mod equal;
mod negation;
mod number;
mod rule;
mod tree;

use percept_syntax::TextRange;
use percept_syntax::gdl::{Description, Statement};

use super::program::Program;
use crate::GameError;
use rule::Rule;

/// The most cases of one body.
const MOST_CASES: usize = 10_000;
/// The depth to which formulas and terms may nest.
const MOST_DEPTH: usize = 200;

fn wrong(range: TextRange, message: impl Into<String>) -> GameError {
    GameError { message: message.into(), range, in_problem: false }
}

/// The rules of a description.
///
/// # Errors
/// Statements without a meaning, each with its place: statements without a head, keywords with the wrong number of
/// arguments, `true` and `does` as heads, unbound variables.
pub(super) fn program(description: &Description) -> Result<Program, Vec<GameError>> {
    let mut rules: Vec<Rule> = Vec::new();
    let (mut errors, mut left_out) = (Vec::new(), Vec::new());
    let mut reader = rule::Reader::default();
    for statement in description.statements.each() {
        match (reader.statement(&statement), declared(&statement)) {
            (Ok(of_it), _) => rules.extend(of_it),
            (Err(why), Some(relation)) => left_out.push((relation, why)),
            (Err(why), None) => errors.push(why),
        }
    }
    let is_read = |relation: &str| rules.iter().any(|rule| rule.reads(relation));
    errors.extend(left_out.into_iter().filter(|(relation, _)| is_read(relation)).map(|(_, why)| why));
    if errors.is_empty() { Ok(number::numbered(&rules)) } else { Err(errors) }
}

/// The declaring keyword of the statement, if it is a declaration.
fn declared(statement: &Statement) -> Option<&'static str> {
    let word = statement.head.as_ref()?.name.text.as_str();
    ["base", "input", "percept"].into_iter().find(|relation| *relation == word)
}
