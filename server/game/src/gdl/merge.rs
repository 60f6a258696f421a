//! Puts together again what a disjunction took apart: rules that differ in one condition only.
//!
//! A rule with `(or (check ?r rook ?x ?y) (check ?r queen ?x ?y))` was multiplied out to two rules, and everything that they
//! share would be in the circuit twice. Where the alternatives are conditions over the same variables they become one
//! helper relation, and the rules one rule that reads it.

use super::decompose::{helper, variables_of};
use super::program::{Condition, Literal, Program, Rule};

/// Merges the rules of every statement, as far as that goes.
pub(super) fn merge(program: &mut Program) {
    // What was merged before, with the relation for it: rules that differ in two conditions are merged twice.
    let mut known: Vec<(Vec<Literal>, Condition)> = Vec::new();
    let mut start = 0;
    let mut rules = program.rules.len();
    while start < rules {
        let statement = program.rules[start].range;
        let end = (start..rules).find(|&at| program.rules[at].range != statement).unwrap_or(rules);
        let mut end = end;
        known.clear();
        while let Some((alternatives, place)) = alternatives(&program.rules[start..end]) {
            let first = start + alternatives[0];
            let literals: Vec<Literal> =
                alternatives.iter().map(|at| program.rules[start + at].body[place].clone()).collect();
            let condition = match known.iter().find(|(merged, _)| *merged == literals) {
                Some((_, condition)) => condition.clone(),
                None => one_of(program, first, &literals),
            };
            program.rules[first].body[place].condition = condition.clone();
            known.push((literals, condition));
            // The helper's rules stand at the end; those that were merged go.
            alternatives[1..].iter().rev().for_each(|at| drop(program.rules.remove(start + at)));
            end -= alternatives.len() - 1;
            rules -= alternatives.len() - 1;
        }
        start = end;
    }
}

/// A relation that holds where one of the conditions does, which are over the same variables.
fn one_of(program: &mut Program, rule: usize, literals: &[Literal]) -> Condition {
    let mut variables = variables_of(&literals[0].condition);
    variables.sort_unstable();
    let range = literals[0].range;
    let head = helper(program, rule, &variables, vec![literals[0].clone()], range, false);
    for literal in &literals[1..] {
        let rule = program.rules.last().expect("the first alternative's");
        let rule = Rule { body: vec![literal.clone()], head_range: literal.range, ..rule.clone() };
        program.rules.push(rule);
    }
    Condition::Positive(head)
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
