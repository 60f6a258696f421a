//! From what a description says to rules: the second reading of GDL.
//!
//! It works on what is written, as trees of words ([`tree`]). A body becomes cases ([`cases`]): `not` moves inwards to
//! atoms ([`negation`]), `or` makes cases. Each case is one rule ([`rule`]), where equations, which is what `(not (distinct ...))`
//! says, replace variables ([`equal`]). Numbers come last ([`number`]).
//!
//! What rules mean that the papers leave open, here as in play:
//! - a variable of a negated atom that no positive condition of its case binds: the atom holds for no value of it;
//! - a variable that stands nowhere but in a negated conjunction: the conjunction holds for no value of it;
//! - a role in a head that nothing binds, of `legal`, `sees` and `goal`: every role;
//! - a wrong rule for `base`, `input` or `percept`: it is left out, unless something reads that relation.

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
/// How deep formulas and terms may nest.
const MOST_DEPTH: usize = 200;

fn wrong(range: TextRange, message: impl Into<String>) -> GameError {
    GameError { message: message.into(), range, in_problem: false }
}

/// The rules of a description.
///
/// # Errors
/// What has no meaning, each at its place: statements without a head, keywords with other arguments than they take, `true`
/// and `does` as heads, variables that nothing binds.
pub(super) fn program(description: &Description) -> Result<Program, Vec<GameError>> {
    let mut rules: Vec<Rule> = Vec::new();
    let (mut errors, mut left_out) = (Vec::new(), Vec::new());
    let mut reader = rule::Reader::default();
    for statement in description.statements.iter() {
        match (reader.statement(statement), declared(statement)) {
            (Ok(of_it), _) => rules.extend(of_it),
            (Err(why), Some(relation)) => left_out.push((relation, why)),
            (Err(why), None) => errors.push(why),
        }
    }
    let is_read = |relation: &str| rules.iter().any(|rule| rule.reads(relation));
    errors.extend(left_out.into_iter().filter(|(relation, _)| is_read(relation)).map(|(_, why)| why));
    if errors.is_empty() { Ok(number::numbered(&rules)) } else { Err(errors) }
}

/// What the statement declares with, if it is a declaration.
fn declared(statement: &Statement) -> Option<&str> {
    let word = statement.head.as_ref()?.name.text.as_str();
    ["base", "input", "percept"].contains(&word).then_some(word)
}
