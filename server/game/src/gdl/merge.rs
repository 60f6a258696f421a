//! Merges the rules that a disjunction was split into: rules that differ in one condition only.
//!
//! A rule with `(or (check ?r rook ?x ?y) (check ?r queen ?x ?y))` was multiplied out to two rules, and all their
//! shared conditions would be in the circuit twice. If the alternatives are conditions over the same variables, they
//! become one helper relation, and the rules become one rule that reads it. Rules are merged one condition index at a
//! time, so thousands of rules, which several disjunctions produce, are merged in a few passes.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::helpers::{Helpers, Kind, Origin, variables_of};
use super::program::{Condition, Literal, Program, Rule};

/// Merges the rules of every statement as far as possible.
pub(super) fn merge(program: &mut Program, helpers: &mut Helpers) {
    let mut rules = std::mem::take(&mut program.rules);
    // The helpers' rules are added to the program meanwhile; they are moved to the end. The others are moved forward in
    // place, because facts may take much memory.
    let (mut from, mut to) = (0, 0);
    while let Some(first) = rules.get(from) {
        let count = rules[from..].iter().take_while(|rule| rule.range == first.range).count();
        if count == 1 {
            rules.swap(from, to);
            to += 1;
        } else {
            for rule in of_statement(rules[from..from + count].to_vec(), program, helpers) {
                rules[to] = rule;
                to += 1;
            }
        }
        from += count;
    }
    rules.truncate(to);
    rules.append(&mut program.rules);
    program.rules = rules;
}

fn of_statement(mut rules: Vec<Rule>, program: &mut Program, helpers: &mut Helpers) -> Vec<Rule> {
    let places = rules.iter().map(|rule| rule.body.len()).max().unwrap_or(0);
    loop {
        let before = rules.len();
        for place in 0..places {
            rules = at_place(rules, place, program, helpers);
        }
        if rules.len() == before {
            return rules;
        }
    }
}

/// Merges the rules that differ only in the condition at index `place`.
fn at_place(rules: Vec<Rule>, place: usize, program: &mut Program, helpers: &mut Helpers) -> Vec<Rule> {
    // The first rule of each group with its alternatives. A hash collision keeps some rules apart, which does no harm.
    let mut groups: Vec<(Rule, Vec<Literal>)> = Vec::with_capacity(rules.len());
    let mut group_of: FxHashMap<u64, usize> = FxHashMap::default();
    for rule in rules {
        match group_of.get(&hash_but(&rule, place)).map(|&at| &mut groups[at]) {
            Some((first, alternatives)) if differ_in(first, &rule, place) => {
                alternatives.push(rule.body[place].clone())
            }
            _ => {
                group_of.insert(hash_but(&rule, place), groups.len());
                let alternatives = rule.body.get(place).cloned().into_iter().collect();
                groups.push((rule, alternatives));
            }
        }
    }
    let merged = groups.into_iter().map(|(mut rule, alternatives)| {
        if alternatives.len() > 1 {
            let variables = variables_of(&alternatives[0].condition);
            let one = helpers.atom(program, &Origin::of(&rule), &variables, alternatives, Kind::One);
            rule.body[place].condition = Condition::Positive(one);
        }
        rule
    });
    merged.collect()
}

/// A hash of the common parts of alternatives at index `place`: all other conditions, and the variables of this one.
fn hash_but(rule: &Rule, place: usize) -> u64 {
    let mut hasher = FxHasher::default();
    let others = rule.body.iter().enumerate().filter(|(at, _)| *at != place);
    others.for_each(|(_, literal)| literal.condition.hash(&mut hasher));
    rule.body.get(place).map(|literal| alternative(&literal.condition)).hash(&mut hasher);
    hasher.finish()
}

/// The variables of a condition that may be an alternative.
fn alternative(condition: &Condition) -> Option<Vec<u32>> {
    matches!(condition, Condition::Positive(_)).then(|| {
        let mut variables = variables_of(condition);
        variables.sort_unstable();
        variables
    })
}

fn differ_in(left: &Rule, right: &Rule, place: usize) -> bool {
    let of = |rule: &Rule| rule.body.get(place).and_then(|literal| alternative(&literal.condition));
    let same = |(at, (left, right)): (usize, (&Literal, &Literal))| at == place || left.condition == right.condition;
    left.head == right.head
        && left.variables == right.variables
        && left.body.len() == right.body.len()
        && left.body.iter().zip(&right.body).enumerate().all(same)
        && of(left).is_some_and(|variables| of(right) == Some(variables))
}
