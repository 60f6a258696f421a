//! Fluents of which at most one holds at a time, and conditions that become smaller because of them.
//!
//! "The king of `?player` is on `?kx ?ky`, which is not threatened after `?x ?y` is captured" needs a threat for every
//! square of the king and every capture, although there is only one king. If at most one `k` is a `king(k)`, then
//!
//! ```text
//! some k: king(k) and not threatened(k, z)   =   (some k: king(k)) and not (some k: king(k) and threatened(k, z))
//! ```
//!
//! and the last condition is a relation over `z` alone, which [`super::decompose`] splits further: first the threats to
//! the king, whatever is captured, then what a capture leaves of them.
//!
//! Nothing says that there is one king: it is proved by induction over the rounds of a match ([`prove`]). So the rules
//! keep their meaning in every state of a match, but not in states that no match reaches.

mod prove;
mod refute;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use self::prove::Proofs;
use self::refute::Facts;
use super::helpers::variables_of;
use super::limits::{Exceeded, Limits};
use super::program::{Atom, Condition, Literal, Pattern, Program, Relation, RelationId, Rule};
use super::strata::Strata;
use super::table::Table;
use super::unify::Substitution;
use crate::terms::{Sym, TermId, Terms};

/// Lists static relations: see [`super::prepare`].
pub(super) type Listing =
    fn(&mut Program, &Strata, &[RelationId], &Limits) -> (Vec<Table>, Vec<bool>, Option<Exceeded>);

/// The functor of tuples that are compared. No author can write it.
const TUPLE: &str = "(tuple)";
/// Replaced conditions have at most this number of rules: each is written out once more.
const MOST_RULES: usize = 32;

/// A property of fluents: for any values of the arguments `key`, at most one of them holds at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Invariant {
    functor: Sym,
    arity: usize,
    /// The indices of some arguments, ascending.
    key: Vec<usize>,
    /// The values of `key` that the property is about; if empty, it is about all values.
    values: Vec<TermId>,
}

impl Invariant {
    /// The arguments of a fluent that may be one of those that the property is about.
    fn args<'p>(&self, fluent: &'p Pattern, terms: &Terms) -> Option<Vec<std::borrow::Cow<'p, Pattern>>> {
        use std::borrow::Cow;
        match fluent {
            Pattern::Compound(functor, args) if *functor == self.functor && args.len() == self.arity => {
                Some(args.iter().map(Cow::Borrowed).collect())
            }
            Pattern::Ground(term) if terms.functor(*term) == self.functor => {
                let args = terms.args(*term)?;
                (args.len() == self.arity).then(|| args.iter().map(|&arg| Cow::Owned(Pattern::Ground(arg))).collect())
            }
            _ => None,
        }
    }

    /// True if it says that two fluents are the same one.
    fn is_about_both(&self, left: &Pattern, right: &Pattern, terms: &Terms) -> bool {
        let (Some(left), Some(right)) = (self.args(left, terms), self.args(right, terms)) else { return false };
        let is_same = self.key.iter().all(|&at| left[at] == right[at]);
        let mut values = self.key.iter().zip(&self.values);
        is_same && values.all(|(&at, value)| *left[at] == Pattern::Ground(*value))
    }
}

/// A condition that can be replaced.
struct Replaceable {
    rule: usize,
    /// The index of the negated condition.
    at: usize,
    /// The conditions that hold for one value of `unique` at most, by index.
    guard: Vec<usize>,
    /// The variables that they determine.
    unique: Vec<u32>,
}

/// Replaces the negated conditions about something unique.
pub(super) fn narrow(program: &mut Program, strata: &Strata, list: Listing) {
    let definitions = definitions(program, strata);
    let found: Vec<Replaceable> =
        (0..program.rules.len()).flat_map(|rule| candidates(program, strata, &definitions, rule)).collect();
    if found.is_empty() {
        return;
    }
    let proved = proved(program, strata, list, &definitions, found);
    let mut made: FxHashMap<Vec<Condition>, Atom> = FxHashMap::default();
    for it in &proved {
        replace(program, &definitions, it, &mut made);
    }
}

/// For each relation, its rules, if they can be written in the place of a condition on it.
fn definitions(program: &Program, strata: &Strata) -> Vec<Vec<usize>> {
    let mut definitions = vec![Vec::new(); program.relations.len()];
    for component in strata.components.iter().filter(|component| !component.recursive) {
        let [relation] = component.relations[..] else { continue };
        let is_made_up = [RelationId::TRUE, RelationId::DOES].contains(&relation);
        if !is_made_up && !strata.is_static(relation) && component.rules.len() <= MOST_RULES {
            definitions[relation.index()].clone_from(&component.rules);
        }
    }
    definitions
}

/// The negated conditions of a rule about something that may be unique.
fn candidates(program: &Program, strata: &Strata, definitions: &[Vec<usize>], index: usize) -> Vec<Replaceable> {
    let rule = &program.rules[index];
    let mut head = Vec::new();
    rule.head.variables(&mut |variable| head.push(variable));
    let mut found = Vec::new();
    for (at, literal) in rule.body.iter().enumerate() {
        let Condition::Negative(atom) = &literal.condition else { continue };
        if definitions[atom.relation.index()].is_empty() {
            continue;
        }
        let variables = variables_of(&literal.condition);
        for (place, other) in rule.body.iter().enumerate() {
            let Condition::Positive(fluent) = &other.condition else { continue };
            if fluent.relation != RelationId::TRUE {
                continue;
            }
            let own: Vec<u32> =
                variables_of(&other.condition).into_iter().filter(|variable| !head.contains(variable)).collect();
            // Something has to remain, or the condition is small already.
            let remain = variables.iter().any(|variable| !own.contains(variable));
            if !remain || !variables.iter().any(|variable| own.contains(variable)) {
                continue;
            }
            let is_beside = |it: &usize| match &rule.body[*it].condition {
                Condition::Positive(atom) if strata.is_static(atom.relation) => {
                    let variables = variables_of(&rule.body[*it].condition);
                    variables.iter().any(|it| own.contains(it))
                        && variables.iter().all(|it| own.contains(it) || head.contains(it))
                }
                _ => false,
            };
            let beside: Vec<usize> = (0..rule.body.len()).filter(is_beside).collect();
            let guard = [&[place][..], &beside].concat();
            found.push(Replaceable { rule: index, at, guard, unique: own });
        }
    }
    found
}

/// Those of which it can be proved.
fn proved(
    program: &mut Program,
    strata: &Strata,
    list: Listing,
    definitions: &[Vec<usize>],
    found: Vec<Replaceable>,
) -> Vec<Replaceable> {
    let is_read = |rule: &Rule| [RelationId::NEXT, RelationId::LEGAL].contains(&rule.head.relation);
    let rules = program.rules.iter().filter(|rule| is_read(rule)).chain(found.iter().map(|it| &program.rules[it.rule]));
    let atoms = rules.flat_map(|rule| rule.body.iter().filter_map(|literal| literal.condition.atom()));
    let mut read: Vec<RelationId> = atoms.map(|atom| atom.relation).filter(|it| strata.is_static(*it)).collect();
    read.push(RelationId::INIT);
    read.sort_unstable();
    read.dedup();
    let (tables, unlisted, _) = list(program, strata, &read, &Limits::OF_PROOFS);
    let is_listed: Vec<bool> =
        (0..unlisted.len()).map(|at| !unlisted[at] && read.contains(&RelationId(at as u32))).collect();
    if !is_listed[RelationId::INIT.index()] {
        return Vec::new();
    }
    let of = |relation: RelationId| -> Vec<usize> {
        let component = strata.components.iter().find(|component| component.relations.contains(&relation));
        component.map_or(Vec::new(), |it| {
            it.rules.iter().copied().filter(|&rule| program.rules[rule].head.relation == relation).collect()
        })
    };
    let (legal, next) = (of(RelationId::LEGAL), of(RelationId::NEXT));
    let facts = Facts { program, tables: &tables, is_listed: &is_listed, definitions, legal, next };
    let mut proofs = Proofs::new(&facts);
    let mut proved: Vec<Replaceable> = Vec::new();
    for it in found {
        let is_done = proved.iter().any(|other| (other.rule, other.at) == (it.rule, it.at));
        if !is_done && proofs.is_unique(&guard_of(program, &it), &it.unique) {
            proved.push(it);
        }
    }
    proved
}

fn guard_of(program: &Program, found: &Replaceable) -> Vec<Condition> {
    found.guard.iter().map(|&at| program.rules[found.rule].body[at].condition.clone()).collect()
}

/// Replaces a condition by one that includes the guard and leaves out what that determines.
fn replace(
    program: &mut Program,
    definitions: &[Vec<usize>],
    found: &Replaceable,
    made: &mut FxHashMap<Vec<Condition>, Atom>,
) {
    let rule = program.rules[found.rule].clone();
    let literal = &rule.body[found.at];
    let Some(atom) = literal.condition.atom() else { return };
    let guard: Vec<Literal> = found.guard.iter().map(|&at| rule.body[at].clone()).collect();
    let conditions: Vec<Condition> = guard.iter().map(|literal| literal.condition.clone()).collect();
    let (key, order) = numbered(&[&conditions[..], &[Condition::Positive(atom.clone())]].concat());
    let number = |variable: u32| order.iter().position(|it| *it == variable).map_or(variable, |at| at as u32);
    let back = |variable: u32| order[variable as usize];
    let new = match made.get(&key) {
        Some(atom) => renamed(atom, &back),
        None => {
            let of_both = conditions.iter().flat_map(variables_of).chain(variables_of(&literal.condition));
            let mut args: Vec<u32> = Vec::new();
            for variable in of_both.filter(|variable| !found.unique.contains(variable)) {
                if !args.contains(&variable) {
                    args.push(variable);
                }
            }
            let new = define(program, definitions, &rule, &guard, atom, &args);
            made.insert(key, renamed(&new, &number));
            new
        }
    };
    program.rules[found.rule].body[found.at] = Literal { condition: Condition::Negative(new), range: literal.range };
}

/// Makes a relation over `args` that holds if the guard and the atom hold.
fn define(
    program: &mut Program,
    definitions: &[Vec<usize>],
    rule: &Rule,
    guard: &[Literal],
    atom: &Atom,
    args: &[u32],
) -> Atom {
    let relation = RelationId(program.relations.len() as u32);
    let name = program.relations[atom.relation.index()].name;
    program.relations.push(Relation { name, arity: args.len(), helper: true, domain: false });
    let new = Atom { relation, args: args.iter().map(|&it| Pattern::Variable(it)).collect() };
    let offset = rule.variables.len() as u32;
    for &of in &definitions[atom.relation.index()] {
        let definition = program.rules[of].clone();
        let head = definition.head.shifted(offset);
        let mut substitution = Substitution::default();
        let mut pairs = atom.args.iter().zip(&head.args);
        if !pairs.all(|(left, right)| substitution.unify(&program.terms, left, right)) {
            continue;
        }
        let body = definition
            .body
            .iter()
            .map(|literal| Literal { condition: literal.condition.shifted(offset), range: literal.range });
        let terms = &mut program.terms;
        let mut substituted = |literal: Literal| Literal {
            condition: substitution.condition(terms, &literal.condition),
            range: literal.range,
        };
        let body = guard.iter().cloned().chain(body).map(&mut substituted).collect();
        let head = substitution.atom(terms, &new);
        let variables = rule.variables.iter().chain(definition.variables.iter()).cloned().collect();
        let Rule { range, head_range, .. } = definition;
        program.rules.push(Rule { head, body, variables, range, head_range, whole: None });
    }
    new
}

/// Conditions with variables numbered by first occurrence, and the variables in that order.
fn numbered(conditions: &[Condition]) -> (Vec<Condition>, Vec<u32>) {
    let mut order: Vec<u32> = Vec::new();
    for variable in conditions.iter().flat_map(variables_of) {
        if !order.contains(&variable) {
            order.push(variable);
        }
    }
    let number = |variable: u32| order.iter().position(|it| *it == variable).map_or(variable, |at| at as u32);
    let positive = |condition: &Condition| Some(Condition::Positive(renamed(condition.atom()?, &number)));
    (conditions.iter().filter_map(positive).collect(), order)
}

fn renamed(atom: &Atom, number: &dyn Fn(u32) -> u32) -> Atom {
    fn pattern(it: &Pattern, number: &dyn Fn(u32) -> u32) -> Pattern {
        match it {
            Pattern::Variable(variable) => Pattern::Variable(number(*variable)),
            Pattern::Ground(term) => Pattern::Ground(*term),
            Pattern::Compound(functor, args) => {
                Pattern::Compound(*functor, args.iter().map(|it| pattern(it, number)).collect())
            }
        }
    }
    Atom { relation: atom.relation, args: atom.args.iter().map(|it| pattern(it, number)).collect() }
}
