//! Relations that hold for all pairs of tuples but the equal ones.
//!
//! Most boards define `(distinctCell ?x1 ?y1 ?x2 ?y2)` by two rules, one for `(distinct ?x1 ?x2)` and one for `(distinct
//! ?y1 ?y2)`. On a board of 32 times 32 cells this relation has a million rows, of which all but a thousandth hold.
//! Readers get the definition instead: both are cells, and the tuples `?x1 ?y1` and `?x2 ?y2` are distinct. The rows are
//! then never listed, and [`super::decompose`] and [`super::instantiate`] know what the condition leaves out.

use super::helpers::variables_of;
use super::program::{Atom, Condition, Literal, Pattern, Program, RelationId, Rule};
use super::strata::Strata;
use crate::terms::{Sym, TermId, Terms};

/// The functor of the tuples that are compared. No author can write it.
const TUPLE: &str = "(tuple)";

/// The definition of such a relation, with the places of its arguments as variables.
struct Unequal {
    relation: RelationId,
    /// The conditions on the arguments.
    domain: Vec<Condition>,
    /// Places of which at least one pair has to differ.
    pairs: Vec<(u32, u32)>,
}

/// Replaces the positive conditions on such relations by their definitions.
pub(super) fn inline(program: &mut Program, strata: &Strata) {
    let candidates = strata.components.iter().filter(|component| !component.recursive);
    let found: Vec<Unequal> = candidates
        .filter_map(|component| match component.relations[..] {
            [relation] if strata.is_static(relation) => Unequal::of(program, relation, &component.rules),
            _ => None,
        })
        .collect();
    let Program { rules, terms, .. } = program;
    let definition = |literal: &Literal| match &literal.condition {
        Condition::Positive(atom) => found.iter().find(|it| it.relation == atom.relation),
        _ => None,
    };
    let is_read = |rule: &&mut Rule| rule.body.iter().any(|literal| definition(literal).is_some());
    for rule in rules.iter_mut().filter(is_read) {
        let mut body = Vec::with_capacity(rule.body.len() + 2);
        for literal in std::mem::take(&mut rule.body) {
            match (definition(&literal), literal.condition.atom()) {
                (Some(definition), Some(atom)) => {
                    let conditions = definition.of_args(&atom.args, terms).into_iter();
                    conditions.for_each(|condition| add(&mut body, Literal { condition, range: literal.range }));
                }
                _ => add(&mut body, literal),
            }
        }
        rule.body = body;
    }
}

/// Adds a condition to a body that does not have it yet.
fn add(body: &mut Vec<Literal>, literal: Literal) {
    if body.iter().all(|other| other.condition != literal.condition) {
        body.push(literal);
    }
}

impl Unequal {
    /// `None` if the rules of the relation are not of this kind.
    fn of(program: &Program, relation: RelationId, rules: &[usize]) -> Option<Unequal> {
        // A single pair has few rows.
        let [first, others @ ..] = rules else { return None };
        if others.is_empty() {
            return None;
        }
        let (domain, pair) = Unequal::rule(&program.rules[*first])?;
        let mut pairs = vec![pair];
        for &other in others {
            let (same, pair) = Unequal::rule(&program.rules[other])?;
            if same.len() != domain.len() || !same.iter().all(|condition| domain.contains(condition)) {
                return None;
            }
            pairs.push(pair);
        }
        pairs.dedup();
        Some(Unequal { relation, domain, pairs })
    }

    /// The conditions of a rule on its arguments, and the pair of them that has to differ.
    fn rule(rule: &Rule) -> Option<(Vec<Condition>, (u32, u32))> {
        let place = |pattern: &Pattern| match pattern {
            Pattern::Variable(variable) => rule.head.args.iter().position(|it| *it == Pattern::Variable(*variable)),
            _ => None,
        };
        let all_differ = rule.head.args.iter().enumerate().all(|(at, arg)| place(arg) == Some(at));
        if !all_differ {
            return None;
        }
        let (mut domain, mut pairs) = (Vec::new(), Vec::new());
        for literal in &rule.body {
            match &literal.condition {
                Condition::Distinct(left, right) => pairs.push((place(left)? as u32, place(right)? as u32)),
                Condition::Positive(atom) => {
                    let args: Option<Box<[Pattern]>> =
                        atom.args.iter().map(|arg| Some(Pattern::Variable(place(arg)? as u32))).collect();
                    domain.push(Condition::Positive(Atom { relation: atom.relation, args: args? }));
                }
                Condition::Negative(_) => return None,
            }
        }
        let bound: Vec<u32> = domain.iter().flat_map(variables_of).collect();
        let is_bound = (0..rule.head.args.len() as u32).all(|place| bound.contains(&place));
        match pairs[..] {
            [pair] if is_bound => Some((domain, pair)),
            _ => None,
        }
    }

    /// The conditions on these arguments.
    fn of_args(&self, args: &[Pattern], terms: &mut Terms) -> Vec<Condition> {
        let arg = |place: u32| args[place as usize].clone();
        let domain = self.domain.iter().map(|condition| match condition {
            Condition::Positive(atom) => {
                let args = atom.args.iter().map(|it| match it {
                    Pattern::Variable(place) => arg(*place),
                    other => other.clone(),
                });
                Condition::Positive(Atom { relation: atom.relation, args: args.collect() })
            }
            other => other.clone(),
        });
        let mut conditions: Vec<Condition> = domain.collect();
        let (left, right): (Vec<Pattern>, Vec<Pattern>) =
            self.pairs.iter().map(|(left, right)| (arg(*left), arg(*right))).unzip();
        let functor = terms.sym(TUPLE);
        conditions.push(Condition::Distinct(tuple(functor, left, terms), tuple(functor, right, terms)));
        conditions
    }
}

/// The tuple of some patterns.
fn tuple(functor: Sym, args: Vec<Pattern>, terms: &mut Terms) -> Pattern {
    let ground: Option<Vec<TermId>> =
        args.iter().map(|arg| if let Pattern::Ground(term) = arg { Some(*term) } else { None }).collect();
    match ground {
        Some(ground) => Pattern::Ground(terms.compound(functor, &ground)),
        None => Pattern::Compound(functor, args.into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::gdl::fixture::{prepared, relation};
    use crate::gdl::prepare::Bodies;

    /// The number of rows of `differ` once a game is prepared, and the number of conditions that still read it.
    fn differ(definition: &str) -> (u32, usize) {
        let text = format!(
            "(role r) (i 1) (i 2) (i 3) (succ 1 2) (succ 2 3) (init (at 1 1)) {definition}
             (<= (legal r (go ?x ?y)) (i ?x) (i ?y))
             (<= (next (at ?x ?y)) (does r (go ?x ?y)))
             (<= (next (at ?x ?y)) (true (at ?x ?y)) (does r (go ?u ?v)) (differ ?x ?y ?u ?v))
             (<= (goal r 0) (differ 1 2 3 1)) terminal"
        );
        let prepared = prepared(&text, Bodies::Decomposed);
        let differ = relation(&prepared.program, "differ");
        let bodies = prepared.program.rules.iter().flat_map(|rule| &rule.body);
        let reads = bodies.filter(|literal| literal.condition.atom().is_some_and(|atom| atom.relation == differ));
        (prepared.tables[differ.index()].len(), reads.count())
    }

    #[test]
    fn the_pairs_of_unequal_cells_are_not_listed() {
        let pairs = "(<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?a ?c))
                     (<= (differ ?w ?x ?y ?z) (i ?z) (i ?y) (i ?x) (i ?w) (distinct ?z ?x))";
        assert_eq!(differ(pairs), (0, 0));
        let negative = format!("{pairs} (<= (goal r 1) (succ ?x ?y) (not (differ ?x ?y ?x ?y)))");
        assert_eq!(differ(&negative), (72, 1), "a negative condition reads the rows");
    }

    #[test]
    fn other_relations_keep_their_rows() {
        let other_domain = "(<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?a ?c))
                            (<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (succ ?b ?d) (distinct ?b ?d))";
        let own_variable = "(<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?a ?c))
                            (<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (i ?e) (distinct ?b ?e))";
        let constant = "(<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?a ?c))
                        (<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?b 2))";
        for definition in [other_domain, own_variable, constant] {
            let (rows, reads) = differ(definition);
            assert!(rows > 50 && reads == 2, "{definition}: {rows} rows, {reads} reads");
        }
    }
}
