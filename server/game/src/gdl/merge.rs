//! Puts together again what a disjunction took apart: rules that differ in one condition only.
//!
//! A rule with `(or (check ?r rook ?x ?y) (check ?r queen ?x ?y))` was multiplied out to two rules, and everything that they
//! share would be in the circuit twice. Where the alternatives are conditions over the same variables they become one
//! helper relation, and the rules one rule that reads it.

use super::helpers::{Helpers, variables_of};
use super::program::{Condition, Literal, Program, Rule};

/// Merges the rules of every statement, as far as that goes.
pub(super) fn merge(program: &mut Program, helpers: &mut Helpers) {
    let mut start = 0;
    // Helpers' rules stand after these.
    let mut rules = program.rules.len();
    while start < rules {
        let statement = program.rules[start].range;
        let mut end = (start..rules).find(|&at| program.rules[at].range != statement).unwrap_or(rules);
        while let Some((alternatives, place)) = alternatives(&program.rules[start..end]) {
            let first = start + alternatives[0];
            let conditions = alternatives.iter().map(|at| program.rules[start + at].body[place].clone()).collect();
            let one = helpers.of_one(program, first, conditions);
            program.rules[first].body[place].condition = Condition::Positive(one);
            alternatives[1..].iter().rev().for_each(|at| drop(program.rules.remove(start + at)));
            end -= alternatives.len() - 1;
            rules -= alternatives.len() - 1;
        }
        start = end;
    }
}

/// Rules that differ in the condition at one place only, and that place; the most there are of the first one that has any.
fn alternatives(rules: &[Rule]) -> Option<(Vec<usize>, usize)> {
    for (at, rule) in rules.iter().enumerate() {
        let of_place = (0..rule.body.len()).map(|place| {
            let others = (at + 1..rules.len()).filter(|&other| differ_in(rule, &rules[other], place));
            (std::iter::once(at).chain(others).collect::<Vec<_>>(), place)
        });
        let most = of_place.max_by_key(|(alternatives, place)| (alternatives.len(), usize::MAX - place));
        if let Some(found) = most.filter(|(alternatives, _)| alternatives.len() > 1) {
            return Some(found);
        }
    }
    None
}

fn differ_in(left: &Rule, right: &Rule, place: usize) -> bool {
    let sorted = |rule: &Rule| {
        let mut variables = variables_of(&rule.body[place].condition);
        variables.sort_unstable();
        variables
    };
    let is_positive = |rule: &Rule| matches!(rule.body[place].condition, Condition::Positive(_));
    let same = |(at, (left, right)): (usize, (&Literal, &Literal))| at == place || left.condition == right.condition;
    left.head == right.head
        && left.body.len() == right.body.len()
        && left.body.iter().zip(&right.body).enumerate().all(same)
        && is_positive(left)
        && is_positive(right)
        && left.variables == right.variables
        && sorted(left) == sorted(right)
}
