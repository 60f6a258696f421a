//! Large orders of numbers: what a rule reads of a transitive relation is computed one step after the other.
//!
//! `(<= (legal ?r (take ?k)) (true (heap ?n)) (less ?k ?n))` reads the pairs of `less`, two million for two thousand
//! numbers, although it asks only for numbers less than one on the heap. With a relation of its own,
//!
//! ```text
//! (<= (below ?k) (true (heap ?n)) (succ ?k ?n))
//! (<= (below ?k) (below ?m) (succ ?k ?m))
//! ```
//!
//! there is one instance for each number, and `less` need not be listed: argument reduction by factoring (Naughton,
//! Ramakrishnan, Sagiv and Ullman, "Argument reduction by factoring", VLDB 1989).

use std::sync::Arc;

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::helpers::{Origin, renamed, variables_of};
use super::limits::Limits;
use super::program::{Atom, Condition, KEYWORDS, Literal, Pattern, Program, Relation, RelationId, Rule};
use super::strata::{Component, Strata};
use super::unify::Substitution;
use super::unique::Listing;

/// The most pairs of a relation that is read as it is: a look at a pair costs less than a step for each number.
const LISTED: usize = 5_000;

/// A relation of two arguments, one of which every step keeps.
struct Closure {
    relation: RelationId,
    /// The place of the argument that a step keeps.
    kept: usize,
    /// The rules that do not read the relation.
    base: Vec<Rule>,
    /// The conditions of a step, and the variables for the other argument before and after it.
    step: Vec<Literal>,
    from: u32,
    to: u32,
    /// The names of the variables of a step.
    names: Arc<[SmolStr]>,
}

/// Replaces conditions on large transitive relations by conditions on relations over one of their arguments.
pub(super) fn fold(program: &mut Program, strata: &Strata, list: Listing) {
    let written = strata.on_state.len();
    let is_static = |relation: RelationId| relation.index() < written && strata.is_static(relation);
    let components = || {
        let is_one = |it: &&Component| it.recursive && it.relations.iter().all(|it| is_static(*it));
        strata.components.iter().filter(is_one)
    };
    components().for_each(|component| straighten(program, component));
    let mut closures: Vec<Closure> = components().filter_map(|component| Closure::of(program, component)).collect();
    closures.retain(|closure| {
        let is_read = |rule: &Rule| (0..rule.body.len()).any(|at| closure.reading(rule, at, &is_static).is_some());
        program.rules.iter().any(is_read) && {
            let limits = Limits { rows: LISTED, ..Limits::OF_PROOFS };
            list(program, strata, &[closure.relation], &limits).1[closure.relation.index()]
        }
    });
    if closures.is_empty() {
        return;
    }
    let mut readers = Readers::default();
    for index in 0..program.rules.len() {
        while let Some((closure, reading)) = closures.iter().find_map(|closure| {
            let rule = &program.rules[index];
            (0..rule.body.len()).find_map(|at| Some((closure, closure.reading(rule, at, &is_static)?)))
        }) {
            let atom = closure.read(program, index, &reading, &mut readers);
            let body = &mut program.rules[index].body;
            body[reading.binder].condition = Condition::Positive(atom);
            body.remove(reading.at);
        }
    }
}

/// Writes `(<= (less ?a ?c) (less ?a ?b) (less ?b ?c))` with a single step for the second condition: the same pairs, each
/// found in one way instead of many.
fn straighten(program: &mut Program, component: &Component) {
    let [first, second] = component.rules[..] else { return };
    let reads = |rule: usize, relation| {
        let own = |it: &&Literal| matches!(&it.condition, Condition::Positive(atom) if atom.relation == relation);
        program.rules[rule].body.iter().filter(own).count()
    };
    let relation = program.rules[first].head.relation;
    let (base, twice) = match (reads(first, relation), reads(second, relation)) {
        (0, 2) => (first, second),
        (2, 0) => (second, first),
        _ => return,
    };
    let (base, rule) = (&program.rules[base], &program.rules[twice]);
    let atoms: Vec<[u32; 2]> =
        rule.body.iter().filter_map(|it| it.condition.atom()).filter_map(two_variables).collect();
    let ends = two_variables(&base.head).and(two_variables(&rule.head));
    let (Some([start, end]), [left, right], 2) = (ends, &atoms[..], rule.body.len()) else { return };
    let is_chain = |before: &[u32; 2], after: &[u32; 2]| before[0] == start && before[1] == after[0] && after[1] == end;
    let last = match (is_chain(left, right), is_chain(right, left)) {
        (true, false) => 1,
        (false, true) => 0,
        _ => return,
    };
    let offset = rule.variables.len() as u32;
    let mut bound = Substitution::default();
    let Condition::Positive(step) = &rule.body[last].condition else { return };
    let head = base.head.shifted(offset);
    if !head.args.iter().zip(&step.args).all(|(left, right)| bound.unify(&program.terms, left, right)) {
        return;
    }
    let range = rule.body[last].range;
    let mut body = vec![rule.body[1 - last].clone()];
    for literal in base.body.clone() {
        let condition = bound.condition(&mut program.terms, &literal.condition.shifted(offset));
        body.push(Literal { condition, range });
    }
    let variables = rule.variables.iter().chain(base.variables.iter()).cloned().collect();
    let rule = &mut program.rules[twice];
    (rule.body, rule.variables) = (body, variables);
}

/// A condition on a transitive relation of which a rule reads one argument only to meet another condition.
struct Reading {
    /// The place of the condition in the rule.
    at: usize,
    /// The place of the argument.
    place: usize,
    /// The number of the variable there.
    variable: u32,
    /// The place of the other condition.
    binder: usize,
}

/// The relations made so far, by the condition that binds the argument that is left out, the transitive relation, and the
/// place of the argument.
type Readers = FxHashMap<(Condition, RelationId, usize), RelationId>;

impl Closure {
    /// The relation of a component, if its steps keep one argument.
    fn of(program: &Program, component: &Component) -> Option<Closure> {
        let &[relation] = &component.relations[..] else { return None };
        if relation.index() < KEYWORDS.len() || program.relations[relation.index()].arity != 2 {
            return None;
        }
        let is_own = |it: &&Literal| it.condition.atom().is_some_and(|atom| atom.relation == relation);
        let rules = component.rules.iter().map(|&rule| &program.rules[rule]);
        let (steps, base): (Vec<&Rule>, Vec<&Rule>) = rules.partition(|rule| rule.body.iter().any(|it| is_own(&it)));
        let [rule] = steps[..] else { return None };
        let (own, step): (Vec<&Literal>, Vec<&Literal>) = rule.body.iter().partition(is_own);
        let [Literal { condition: Condition::Positive(before), .. }] = own[..] else { return None };
        let (before, after) = (two_variables(before)?, two_variables(&rule.head)?);
        let is_read = |variable: u32| step.iter().any(|it| variables_of(&it.condition).contains(&variable));
        let kept = (0..2).find(|&kept| before[kept] == after[kept] && !is_read(after[kept]))?;
        let (from, to, names) = (before[1 - kept], after[1 - kept], rule.variables.clone());
        let (base, step) = (base.into_iter().cloned().collect(), step.into_iter().cloned().collect());
        (from != to).then_some(Closure { relation, kept, base, step, from, to, names })
    }

    /// The condition at this place of a rule, if the rule reads one of its arguments only to meet another condition that
    /// changes from state to state.
    fn reading(&self, rule: &Rule, at: usize, is_static: &dyn Fn(RelationId) -> bool) -> Option<Reading> {
        let Condition::Positive(atom) = &rule.body[at].condition else { return None };
        if atom.relation != self.relation || rule.head.relation == self.relation {
            return None;
        }
        (0..2).find_map(|place| {
            let Pattern::Variable(variable) = atom.args[place] else { return None };
            let mut is_free = atom.args[1 - place].all(&|other| other != variable);
            rule.head.variables(&mut |other| is_free &= other != variable);
            let reads = |it: &usize| *it != at && variables_of(&rule.body[*it].condition).contains(&variable);
            let mut others = (0..rule.body.len()).filter(reads);
            let (Some(binder), None, true) = (others.next(), others.next(), is_free) else { return None };
            let changes =
                matches!(&rule.body[binder].condition, Condition::Positive(atom) if !is_static(atom.relation));
            changes.then_some(Reading { at, place, variable, binder })
        })
    }

    /// An atom that holds if some value of the variable meets both conditions.
    fn read(&self, program: &mut Program, rule: usize, reading: &Reading, readers: &mut Readers) -> Atom {
        let reader = &program.rules[rule];
        let Reading { at, place, variable, binder } = *reading;
        let binder = reader.body[binder].condition.clone();
        let free: Vec<u32> = variables_of(&binder).into_iter().filter(|other| *other != variable).collect();
        // Rules that differ in the names of variables share a relation.
        let numbers: FxHashMap<u32, u32> = [variable].iter().chain(&free).copied().zip(0..).collect();
        let key = (renamed(&binder, &|variable| numbers[&variable]), self.relation, place);
        let next = RelationId(program.relations.len() as u32);
        let relation = *readers.entry(key).or_insert(next);
        let other = reader.body[at].condition.atom().map(|atom| atom.args[1 - place].clone());
        let (origin, head_range) = (Origin::of(reader), reader.body[at].range);
        let mut maker = Maker { program, origin, head_range, binder, variable, free };
        if relation == next {
            match place == self.kept {
                true => self.forwards(&mut maker),
                false => self.backwards(&mut maker),
            }
        }
        maker.atom(relation, other.unwrap_or(Pattern::Variable(variable)))
    }

    /// Leaves out the argument that steps keep: begins with the pairs of the base, and steps on.
    fn forwards(&self, maker: &mut Maker) {
        let reached = maker.relation();
        for base in &self.base {
            let [start, end] = self.ends(base, maker);
            let first = maker.bound(&start);
            maker.rule(maker.atom(reached, end), first, &base.body, &base.variables);
        }
        self.step(maker, reached, [self.from, self.to]);
    }

    /// Leaves out the other argument: steps back from its values, and ends with a pair of the base.
    fn backwards(&self, maker: &mut Maker) {
        let (reached, back) = (maker.relation(), maker.relation());
        for base in &self.base {
            let [start, end] = self.ends(base, maker);
            let first = Condition::Positive(maker.atom(back, end));
            maker.rule(maker.atom(reached, start), first, &base.body, &base.variables);
        }
        let last = maker.atom(back, Pattern::Variable(maker.variable));
        maker.rule(last, maker.binder.clone(), &[], &[]);
        self.step(maker, back, [self.to, self.from]);
    }

    /// The argument of a pair of the base that steps keep, and the other one.
    fn ends(&self, base: &Rule, maker: &Maker) -> [Pattern; 2] {
        [self.kept, 1 - self.kept].map(|place| maker.shifted(&base.head.args[place]))
    }

    /// A step of a relation from one variable to the other.
    fn step(&self, maker: &mut Maker, relation: RelationId, ends: [u32; 2]) {
        let [before, after] = ends.map(|end| maker.atom(relation, maker.shifted(&Pattern::Variable(end))));
        maker.rule(after, Condition::Positive(before), &self.step, &self.names);
    }
}

/// Adds relations over the variables of a condition, one of which is replaced by an argument of a transitive relation.
struct Maker<'a> {
    program: &'a mut Program,
    origin: Origin,
    head_range: TextRange,
    binder: Condition,
    variable: u32,
    /// The other variables of the condition.
    free: Vec<u32>,
}

impl Maker<'_> {
    fn relation(&mut self) -> RelationId {
        let name = self.program.relations[self.origin.relation.index()].name;
        let relation = Relation { name, arity: self.free.len() + 1, helper: true, domain: false };
        self.program.relations.push(relation);
        RelationId(self.program.relations.len() as u32 - 1)
    }

    fn atom(&self, relation: RelationId, last: Pattern) -> Atom {
        Atom { relation, args: self.free.iter().map(|it| Pattern::Variable(*it)).chain([last]).collect() }
    }

    /// A pattern of another rule beside those of the reader.
    fn shifted(&self, pattern: &Pattern) -> Pattern {
        pattern.shifted(self.origin.variables.len() as u32)
    }

    /// The condition with this value of the variable.
    fn bound(&mut self, value: &Pattern) -> Condition {
        let mut bound = Substitution::default();
        let is_bound = bound.unify(&self.program.terms, &Pattern::Variable(self.variable), value);
        debug_assert!(is_bound, "a variable that nothing binds yet");
        bound.condition(&mut self.program.terms, &self.binder)
    }

    /// Adds a rule with a condition of the reader's variables, and others, over variables with these names.
    fn rule(&mut self, head: Atom, first: Condition, others: &[Literal], names: &[SmolStr]) {
        let Origin { variables, range, .. } = &self.origin;
        let others = others.iter().map(|it| it.condition.shifted(variables.len() as u32));
        let body = [first].into_iter().chain(others);
        let body = body.map(|condition| Literal { condition, range: self.head_range }).collect();
        let variables = variables.iter().chain(names).cloned().collect();
        let rule = Rule { head, body, variables, range: *range, head_range: self.head_range, whole: None };
        self.program.rules.push(rule);
    }
}

/// The arguments of an atom of two different variables.
fn two_variables(atom: &Atom) -> Option<[u32; 2]> {
    match atom.args[..] {
        [Pattern::Variable(left), Pattern::Variable(right)] if left != right => Some([left, right]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::gdl::fixture::{prepared, relation};
    use crate::gdl::prepare::{Bodies, Prepared};

    /// A heap of pieces of which some are taken, `order` being the rules of `less`.
    fn heap(count: usize, order: &str) -> Prepared {
        let numbers: String = (0..count).map(|at| format!("(number {at}) (succ {at} {}) ", at + 1)).collect();
        let text = format!(
            "(role r) (init (heap {count})) {numbers} {order}
             (<= (legal r (leave ?k)) (true (heap ?n)) (less ?k ?n)) (<= (next (heap ?k)) (does r (leave ?k)))
             (<= terminal (true (heap ?n)) (less ?n 3)) (goal r 50)"
        );
        prepared(&text, Bodies::Decomposed)
    }

    /// The number of pairs of `less` that are listed.
    fn listed(prepared: &Prepared) -> u32 {
        prepared.tables[relation(&prepared.program, "less").index()].len()
    }

    #[test]
    fn only_large_orders_are_not_listed() {
        let order = "(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))";
        assert_eq!(listed(&heap(40, order)), 40 * 41 / 2);
        assert_eq!(listed(&heap(400, order)), 0);
    }

    #[test]
    fn orders_are_read_at_either_end_however_they_are_written() {
        for order in [
            "(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (succ ?a ?b) (less ?b ?c))",
            "(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (less ?a ?b) (less ?b ?c))",
            "(<= (less ?a ?c) (less ?b ?c) (less ?a ?b)) (<= (less ?x ?y) (succ ?x ?y))",
            "(<= (less ?a ?a) (number ?a)) (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))",
            "(<= (less ?a ?a) (number ?a)) (<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (succ ?a ?b) (less ?b ?c))",
        ] {
            assert_eq!(listed(&heap(400, order)), 0, "{order}");
        }
        // Nothing is kept if a step reads both ends.
        let apart = "(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c) (distinct ?a ?c))";
        assert_eq!(listed(&heap(150, apart)), 150 * 151 / 2);
    }
}
