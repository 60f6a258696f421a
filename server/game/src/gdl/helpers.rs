//! Relations that the author did not write: for conditions that are evaluated on their own.
//!
//! The same conditions, up to the names of their variables, share one relation across all rules.

use std::sync::Arc;

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::program::{Atom, Condition, Literal, Pattern, Program, Relation, RelationId, Rule};

/// The condition under which a helper relation holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Holds if all conditions hold.
    All,
    /// Holds if one of the conditions holds. Each has all the variables.
    One,
    /// Like [`Kind::All`], but only to list values to try (see [`Relation::domain`]).
    Domain,
}

/// The first rule that a helper is made for.
pub(super) struct Origin {
    pub relation: RelationId,
    pub variables: Arc<[SmolStr]>,
    pub range: TextRange,
}

impl Origin {
    pub(super) fn of(rule: &Rule) -> Origin {
        Origin { relation: rule.head.relation, variables: rule.variables.clone(), range: rule.range }
    }
}

/// The definition of a helper relation, with variables numbered by first occurrence.
#[derive(PartialEq, Eq, Hash)]
struct Meaning {
    conditions: Vec<Condition>,
    kind: Kind,
    /// The number of variables that are arguments of the relation; these are numbered first.
    arity: usize,
}

/// The helper relations made so far.
#[derive(Default)]
pub(super) struct Helpers {
    helpers: FxHashMap<Meaning, RelationId>,
}

impl Helpers {
    /// The atom over `variables` of a rule that holds if the conditions hold for some values of the other variables.
    pub(super) fn atom(
        &mut self,
        program: &mut Program,
        origin: &Origin,
        variables: &[u32],
        conditions: Vec<Literal>,
        kind: Kind,
    ) -> Atom {
        // In the order of the conditions, because the numbers of variables have no meaning.
        let mut order: Vec<u32> = Vec::new();
        for variable in conditions.iter().flat_map(|literal| variables_of(&literal.condition)) {
            if !order.contains(&variable) {
                order.push(variable);
            }
        }
        order.sort_by_key(|variable| !variables.contains(variable));
        let number = |variable: u32| order.iter().position(|it| *it == variable).map_or(variable, |at| at as u32);
        let renamed = conditions.iter().map(|literal| renamed(&literal.condition, &number)).collect();
        let args: Box<[Pattern]> = order[..variables.len()].iter().map(|&it| Pattern::Variable(it)).collect();
        let next = RelationId(program.relations.len() as u32);
        let meaning = Meaning { conditions: renamed, kind, arity: args.len() };
        let head = Atom { relation: *self.helpers.entry(meaning).or_insert(next), args };
        if head.relation == next {
            define(program, origin, &head, conditions, kind);
        }
        head
    }
}

/// Adds a new relation with its rules, which have the source range of the rule it is made for.
fn define(program: &mut Program, origin: &Origin, head: &Atom, conditions: Vec<Literal>, kind: Kind) {
    let name = program.relations[origin.relation.index()].name;
    let head_range = conditions[0].range;
    program.relations.push(Relation { name, arity: head.args.len(), helper: true, domain: kind == Kind::Domain });
    let bodies = match kind {
        Kind::One => conditions.into_iter().map(|it| vec![it]).collect(),
        Kind::All | Kind::Domain => vec![conditions],
    };
    program.rules.extend(bodies.into_iter().map(|body| {
        let (head, variables) = (head.clone(), origin.variables.clone());
        Rule { head, body, variables, range: origin.range, head_range, whole: None }
    }));
}

/// The variables of a condition, in the order of their first occurrence.
pub(super) fn variables_of(condition: &Condition) -> Vec<u32> {
    let mut result = Vec::new();
    condition.variables(&mut |variable| {
        if !result.contains(&variable) {
            result.push(variable);
        }
    });
    result
}

pub(super) fn renamed(condition: &Condition, number: &dyn Fn(u32) -> u32) -> Condition {
    let pattern = |it: &Pattern| renamed_pattern(it, number);
    let atom = |it: &Atom| Atom { relation: it.relation, args: it.args.iter().map(pattern).collect() };
    match condition {
        Condition::Positive(it) => Condition::Positive(atom(it)),
        Condition::Negative(it) => Condition::Negative(atom(it)),
        Condition::Distinct(left, right) => Condition::Distinct(pattern(left), pattern(right)),
    }
}

fn renamed_pattern(pattern: &Pattern, number: &dyn Fn(u32) -> u32) -> Pattern {
    match pattern {
        Pattern::Variable(variable) => Pattern::Variable(number(*variable)),
        Pattern::Ground(term) => Pattern::Ground(*term),
        Pattern::Compound(functor, args) => {
            Pattern::Compound(*functor, args.iter().map(|it| renamed_pattern(it, number)).collect())
        }
    }
}
