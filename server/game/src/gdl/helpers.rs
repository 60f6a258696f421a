//! Relations that the author did not write: for conditions that are evaluated on their own.
//!
//! The same conditions, whatever their variables are called, have one relation, whichever rules they stand in.

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;

use super::program::{Atom, Condition, Literal, Pattern, Program, Relation, RelationId, Rule};

/// What a helper relation holds for, in variables numbered as they come.
#[derive(PartialEq, Eq, Hash)]
struct Meaning {
    /// Conditions of which all hold, or one does.
    conditions: Vec<Condition>,
    is_one: bool,
    /// How many of the variables, which are numbered first, it tells of.
    arity: usize,
    domain: bool,
}

/// The helper relations that there are.
#[derive(Default)]
pub(super) struct Helpers {
    known: FxHashMap<Meaning, RelationId>,
}

impl Helpers {
    /// The atom over `variables` of rule `index` that holds where some values of the others make all conditions hold.
    pub fn of_all(
        &mut self,
        program: &mut Program,
        index: usize,
        variables: &[u32],
        body: Vec<Literal>,
        head_range: TextRange,
    ) -> Atom {
        self.atom(program, index, variables, body, head_range, false, false)
    }

    /// The same of one condition, for a list of values to try (see [`Relation::domain`]).
    pub fn domain(
        &mut self,
        program: &mut Program,
        index: usize,
        variables: &[u32],
        source: Literal,
        range: TextRange,
    ) -> Atom {
        self.atom(program, index, variables, vec![source], range, false, true)
    }

    /// The atom over all variables of the conditions, which each have the same ones, that holds where one of them does.
    pub fn of_one(&mut self, program: &mut Program, index: usize, conditions: Vec<Literal>) -> Atom {
        let variables = variables_of(&conditions[0].condition);
        let range = conditions[0].range;
        self.atom(program, index, &variables, conditions, range, true, false)
    }

    #[expect(clippy::too_many_arguments, reason = "what a relation means, and where it stands")]
    fn atom(
        &mut self,
        program: &mut Program,
        index: usize,
        variables: &[u32],
        conditions: Vec<Literal>,
        head_range: TextRange,
        is_one: bool,
        domain: bool,
    ) -> Atom {
        // In the order of the conditions: the numbers say nothing.
        let mut order: Vec<u32> = Vec::new();
        for literal in &conditions {
            order.extend(
                variables_of(&literal.condition).into_iter().filter(|it| !order.contains(it)).collect::<Vec<_>>(),
            );
        }
        order.sort_by_key(|variable| !variables.contains(variable));
        let number = |variable: u32| order.iter().position(|it| *it == variable).map_or(variable, |at| at as u32);
        let meaning = Meaning {
            conditions: conditions.iter().map(|literal| renamed(&literal.condition, &number)).collect(),
            is_one,
            arity: variables.len(),
            domain,
        };
        let args: Box<[Pattern]> = order[..variables.len()].iter().map(|&it| Pattern::Variable(it)).collect();
        let next = RelationId(program.relations.len() as u32);
        let relation = *self.known.entry(meaning).or_insert(next);
        let head = Atom { relation, args };
        if relation == next {
            let rule = &program.rules[index];
            let name = program.relations[rule.head.relation.index()].name;
            let (names, range) = (rule.variables.clone(), rule.range);
            program.relations.push(Relation { name, arity: variables.len(), helper: true, domain });
            let bodies = if is_one { conditions.into_iter().map(|it| vec![it]).collect() } else { vec![conditions] };
            program.rules.extend(bodies.into_iter().map(|body| {
                let (head, variables) = (head.clone(), names.clone());
                Rule { head, body, variables, range, head_range, whole: None }
            }));
        }
        head
    }
}

/// The variables of a condition, as they come.
pub(super) fn variables_of(condition: &Condition) -> Vec<u32> {
    let mut result = Vec::new();
    condition.variables(&mut |variable| {
        if !result.contains(&variable) {
            result.push(variable);
        }
    });
    result
}

fn renamed(condition: &Condition, number: &dyn Fn(u32) -> u32) -> Condition {
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
