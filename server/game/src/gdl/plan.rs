//! Plans for rule bodies: the order in which their conditions are matched.
//!
//! Greedily, the next condition is the one with the fewest rows, given the bound variables, as measured if its table
//! exists already. That goes wrong if the smallest table is a bad start (`(different-cells ?cx ?cy ?u ?v)` has 65,280
//! rows and restricts nearly nothing). So each of the smaller ones is tried as the first, and the order that tries the
//! fewest combinations is chosen.

use rustc_hash::FxHashSet;

use super::join::{Match, Plan, Step};
use super::program::{Condition, Pattern, RelationId, Rule};
use super::table::{Shape, Table};
use crate::terms::Terms;

/// The requirements for a plan.
pub(super) struct Goal<'a> {
    /// The body literal to match first (the delta of semi-naive evaluation).
    pub first: Option<usize>,
    /// The variables that have a value at the start.
    pub bound: &'a [u32],
    /// Stops at the first solution for each value of the head's variables.
    pub heads_only: bool,
    /// Negative literals over these relations are ignored (taken as true).
    pub ignore_negative: &'a dyn Fn(RelationId) -> bool,
}

/// The assumed size of a relation that is still empty when the plan is made.
const UNKNOWN_SIZE: f64 = 200.0;

/// The number of conditions that are tried as the first.
const STARTS: usize = 6;

/// Makes a plan: filters as soon as they are ground, the other conditions in order of their cost. Its indexes must be
/// completed ([`Plan::complete`]) if tables have grown since.
pub(super) fn plan(rule: &Rule, goal: &Goal<'_>, terms: &Terms, tables: &mut [Table]) -> Plan {
    let mut planning = Planning::new(rule, goal, terms, tables);
    let order = match goal.first {
        Some(first) => planning.from(Some(first)),
        None => {
            let mut orders: Vec<Order> =
                planning.starts().into_iter().map(|first| planning.from(Some(first))).collect();
            orders.insert(0, planning.from(None));
            orders
                .into_iter()
                .reduce(|best, next| if next.cost < best.cost { next } else { best })
                .expect("one at least")
        }
    };
    let mut bound = goal.bound.iter().copied().collect();
    let steps = order.literals.iter().map(|&literal| step(rule, literal, &mut bound, tables)).collect();
    let Order { existential_from, cost, .. } = order;
    Plan { existential_from, last_first: false, steps, variables: rule.variables.len(), cost }
}

/// An order of a body's literals.
struct Order {
    literals: Vec<usize>,
    existential_from: usize,
    /// The estimated number of combinations tried.
    cost: f64,
}

/// A rule whose plan is being made.
struct Planning<'a> {
    rule: &'a Rule,
    goal: &'a Goal<'a>,
    terms: &'a Terms,
    tables: &'a mut [Table],
    /// The literals to be ordered.
    literals: Vec<usize>,
    head_variables: FxHashSet<u32>,
}

impl<'a> Planning<'a> {
    fn new(rule: &'a Rule, goal: &'a Goal<'a>, terms: &'a Terms, tables: &'a mut [Table]) -> Planning<'a> {
        let counts = |index: &usize| match &rule.body[*index].condition {
            Condition::Negative(atom) => !(goal.ignore_negative)(atom.relation),
            _ => true,
        };
        let mut head = Vec::new();
        rule.head.variables(&mut |variable| head.push(variable));
        let literals = (0..rule.body.len()).filter(counts).collect();
        Planning { rule, goal, terms, tables, literals, head_variables: head.into_iter().collect() }
    }

    /// The positive literals with the fewest rows, or none if there is only one to choose from.
    fn starts(&mut self) -> Vec<usize> {
        let bound: FxHashSet<u32> = self.goal.bound.iter().copied().collect();
        let is_positive = |&literal: &usize| matches!(self.rule.body[literal].condition, Condition::Positive(_));
        let positive: Vec<usize> = self.literals.iter().copied().filter(is_positive).collect();
        if positive.len() < 2 {
            return Vec::new();
        }
        let mut sized: Vec<(f64, usize)> =
            positive.into_iter().filter_map(|literal| Some((self.rows(literal, &bound)?, literal))).collect();
        sized.sort_by(|left, right| left.0.total_cmp(&right.0));
        sized.into_iter().take(STARTS).map(|(_, literal)| literal).collect()
    }

    /// The greedy order that begins with this literal.
    fn from(&mut self, mut first: Option<usize>) -> Order {
        let mut bound: FxHashSet<u32> = self.goal.bound.iter().copied().collect();
        let mut rest = self.literals.clone();
        let mut order = Order { literals: Vec::new(), existential_from: usize::MAX, cost: 0.0 };
        let mut combinations = 1.0;
        loop {
            if order.existential_from == usize::MAX && self.goal.heads_only && self.head_variables.is_subset(&bound) {
                order.existential_from = order.literals.len();
            }
            let next = match first.take() {
                Some(literal) => rest.iter().position(|&it| it == literal).map(|at| (self.rows(literal, &bound), at)),
                None => self.cheapest(&rest, &bound),
            };
            let Some((rows, position)) = next else { break };
            let literal = rest.remove(position);
            // A ground condition takes one look-up. If one success is enough, so do most of the others.
            let rows = rows.filter(|_| order.existential_from == usize::MAX).unwrap_or(1.0).max(1.0);
            combinations *= rows;
            order.cost += combinations;
            order.literals.push(literal);
            self.rule.body[literal].condition.variables(&mut |variable| {
                bound.insert(variable);
            });
        }
        debug_assert!(rest.is_empty(), "lowering makes every rule safe");
        order
    }

    /// The index in `rest` of the literal with the fewest rows, and their number unless it is a mere test.
    fn cheapest(&mut self, rest: &[usize], bound: &FxHashSet<u32>) -> Option<(Option<f64>, usize)> {
        let mut best: Option<(Option<f64>, usize)> = None;
        for (position, &literal) in rest.iter().enumerate() {
            let condition = &self.rule.body[literal].condition;
            let mut ground = true;
            condition.variables(&mut |variable| ground &= bound.contains(&variable));
            if ground {
                return Some((None, position));
            }
            // Negative literals and `distinct` wait until they are ground.
            let Some(rows) = self.rows(literal, bound) else { continue };
            if best.is_none_or(|(other, _)| other.is_some_and(|other| rows < other)) {
                best = Some((Some(rows), position));
            }
        }
        best
    }

    /// The expected number of rows of a positive literal.
    fn rows(&mut self, literal: usize, bound: &FxHashSet<u32>) -> Option<f64> {
        let Condition::Positive(atom) = &self.rule.body[literal].condition else { return None };
        Some(expected(atom.relation, &atom.args, &|variable| bound.contains(&variable), self.terms, self.tables))
    }
}

/// The expected number of tuples of a literal, given the bound variables.
fn expected(
    relation: RelationId,
    args: &[Pattern],
    is_bound: &dyn Fn(u32) -> bool,
    terms: &Terms,
    tables: &mut [Table],
) -> f64 {
    let shape: Vec<Shape> = args.iter().map(|arg| Shape::of(arg, is_bound)).collect();
    let table = &mut tables[relation.index()];
    if table.is_empty() {
        let (mut keys, mut free) = (0, 0);
        shape.iter().for_each(|part| count(part, &mut keys, &mut free));
        return UNKNOWN_SIZE.powf(free as f64 / (keys + free).max(1) as f64);
    }
    if shape.iter().all(|part| *part == Shape::Any) {
        return f64::from(table.len());
    }
    table.rows_alike(terms, &shape)
}

fn count(shape: &Shape, keys: &mut usize, free: &mut usize) {
    match shape {
        Shape::Key => *keys += 1,
        Shape::Any => *free += 1,
        Shape::Compound(_, parts) => {
            *keys += 1;
            parts.iter().for_each(|part| count(part, keys, free));
        }
    }
}

fn step(rule: &Rule, literal: usize, bound: &mut FxHashSet<u32>, tables: &mut [Table]) -> Step {
    match &rule.body[literal].condition {
        Condition::Distinct(left, right) => Step::Distinct(left.clone(), right.clone()),
        Condition::Negative(atom) => {
            Step::Absent { literal: literal as u32, relation: atom.relation, args: atom.args.clone() }
        }
        Condition::Positive(atom) => {
            let is_bound = |variable: u32| bound.contains(&variable);
            let shape: Vec<Shape> = atom.args.iter().map(|arg| Shape::of(arg, &is_bound)).collect();
            let single = shape.iter().all(|part| *part == Shape::Key);
            let indexed = !single && shape.iter().any(|part| *part != Shape::Any);
            let index = indexed.then(|| tables[atom.relation.index()].ensure_index(&shape));
            let matches = atom.args.iter().map(|arg| matcher(arg, bound)).collect();
            Step::Scan {
                literal: literal as u32,
                relation: atom.relation,
                index,
                args: atom.args.clone(),
                matches,
                single,
            }
        }
    }
}

fn matcher(pattern: &Pattern, bound: &mut FxHashSet<u32>) -> Match {
    match pattern {
        Pattern::Ground(term) => Match::Equal(*term),
        Pattern::Variable(variable) => {
            if bound.insert(*variable) {
                Match::Bind(*variable)
            } else {
                Match::Check(*variable)
            }
        }
        Pattern::Compound(functor, args) => {
            Match::Compound(*functor, args.iter().map(|arg| matcher(arg, bound)).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::gdl::fixture::{prepared, relation};
    use crate::gdl::limits::Limits;
    use crate::gdl::prepare::Bodies;
    use crate::gdl::saturate::Saturation;

    #[test]
    fn the_smallest_table_is_not_always_the_place_to_begin() {
        // All pairs of different things out of 40, and all triples: the pairs are fewer but restrict nearly nothing.
        let things: String = (0..40).map(|at| format!("(thing t{at})")).collect();
        let text = format!(
            "(role r) (goal r 0) terminal {things}
            (<= (different ?a ?b) (thing ?a) (thing ?b) (distinct ?a ?b))
            (two x) (two y)
            (<= (large ?a ?b ?k) (thing ?a) (thing ?b) (two ?k))
            (<= (all ?a ?b) (thing ?a) (thing ?b))
            (<= (out ?a ?b ?k) (different ?a ?c) (all ?c ?b) (large ?a ?b ?k))
            (<= (legal r m) (out ?a ?b ?k))"
        );
        let mut prepared = prepared(&text, Bodies::Whole);
        let program = &mut prepared.program;
        let out = relation(program, "out").index();
        let rule = program.rules.iter().position(|rule| rule.head.relation.index() == out).expect("a rule");
        assert_eq!(prepared.tables[out].len(), 40 * 40 * 2);
        prepared.tables[out].clear();
        let saturation = Saturation::new(program, &mut prepared.tables, &[rule], &[], &|_| false);
        let mut fuel = 1_000_000;
        let limits = Limits::default();
        saturation.run_on(program, &mut prepared.tables, &limits, &|_| limits.rows, &mut fuel).expect("enough");
        assert_eq!(prepared.tables[out].len(), 40 * 40 * 2);
        // An order that begins with the pairs tries 39 times as many: 1560 * 40 * 2.
        assert!(1_000_000 - fuel < 4 * 3200, "{} combinations", 1_000_000 - fuel);
    }
}
