//! Evaluation on demand: only the tuples of a relation that some rule can query.
//!
//! A relation such as `(threatened-with-capture ?owner ?cx ?cy ?x ?y ?ignored-x ?ignored-y)` holds for millions of
//! tuples if its conditions restrict it little; the rules that read it query only the squares of possible moves. And a
//! counting loop with accumulators is queried from zero on. So rules get an extra condition that the tuple is in
//! demand: the magic sets of Bancilhon, Maier, Sagiv and Ullman ("Magic sets and other strange ways to implement logic
//! programs", 1986), for any set of layers at once. Bindings are passed by the positive conditions that are already
//! evaluated, except those that restrict little. The demand on one layer is handed down to the relations it reads.

use rustc_hash::FxHashSet;

use super::program::{Atom, Condition, Literal, Program, Relation, RelationId, Rule};

/// The rules of some relations, restricted to the tuples in demand.
pub(super) struct Restricted {
    /// The replacements of the relations' rules, each with the index of the rule that it replaces and the body of that
    /// rule after the demand.
    pub rules: Vec<(usize, Rule)>,
    /// The rules that derive the demand.
    pub asking: Vec<Rule>,
    /// The demand on each relation.
    pub demands: Vec<Demand>,
}

/// The demand on a relation.
pub(super) struct Demand {
    /// The relation of the bound arguments in demand. It has no arguments if some rule queries every tuple.
    pub relation: RelationId,
    /// The indices of the arguments that every query binds.
    pub bound: Vec<usize>,
}

/// The facts about relations that decide how bindings are passed.
pub(super) struct Passing<'a> {
    /// True for relations that are evaluated.
    pub is_known: &'a dyn Fn(RelationId) -> bool,
    /// The average number of rows of an atom once these variables have values.
    pub rows: &'a dyn Fn(&Atom, &FxHashSet<u32>) -> f64,
    /// True if a rule that must derive every tuple passes all bindings on, even those that multiply the queries.
    pub all: bool,
}

/// The number of rows, given the demand, above which a condition passes no bindings on: there would be more queries
/// than answers. `(different-cells ?cx ?cy ?u ?v)` has every cell but one.
const FEW: f64 = 8.0;

impl Passing<'_> {
    /// The indices of the conditions that pass their bindings on if a rule queries `target`, and the variables that
    /// have values then. `variables` are the variables of its head that are bound by queries to the rule itself.
    fn of(&self, rule: &Rule, variables: Option<FxHashSet<u32>>, target: &Atom) -> (Vec<usize>, FxHashSet<u32>) {
        let atom = |at: usize| match &rule.body[at].condition {
            Condition::Positive(atom) if (self.is_known)(atom.relation) => Some(atom),
            _ => None,
        };
        let mut rest: Vec<(usize, &Atom)> = (0..rule.body.len()).filter_map(|at| Some((at, atom(at)?))).collect();
        let (mut places, mut bound) = (Vec::new(), FxHashSet::default());
        match variables {
            Some(variables) => bound = variables,
            // A rule that must derive every tuple begins with the conditions that bind the most of the target.
            None => {
                let begin = most_telling(&rest, target, self.all);
                rest.retain(|&(at, atom)| {
                    if begin.contains(&at) {
                        places.push(at);
                        bound.extend(variables_of(atom));
                    }
                    !begin.contains(&at)
                });
            }
        }
        while let Some(next) = rest.iter().position(|(_, atom)| (self.rows)(atom, &bound) <= FEW) {
            let (at, atom) = rest.remove(next);
            places.push(at);
            bound.extend(variables_of(atom));
        }
        places.sort_unstable();
        (places, bound)
    }
}

/// The conditions that are connected by their variables and have the most variables of the target. Adding others
/// (`(emptyCell ?x3 ?y3)` beside the position of the queen) would multiply the queries. If `all`, the others are those
/// that have any: where each of two pieces may be.
fn most_telling(conditions: &[(usize, &Atom)], target: &Atom, all: bool) -> Vec<usize> {
    let mut groups: Vec<(Vec<usize>, FxHashSet<u32>)> = Vec::new();
    for &(at, atom) in conditions {
        let mut group = (vec![at], variables_of(atom).into_iter().collect::<FxHashSet<u32>>());
        groups.retain(|(places, variables)| {
            let apart = variables.is_disjoint(&group.1);
            if !apart {
                group.0.extend(places);
                group.1.extend(variables);
            }
            apart
        });
        groups.push(group);
    }
    let mut wanted = variables_of(target);
    wanted.sort_unstable();
    wanted.dedup();
    let overlap = |variables: &FxHashSet<u32>| wanted.iter().filter(|variable| variables.contains(variable)).count();
    if all {
        return groups.into_iter().filter(|(_, it)| overlap(it) > 0).flat_map(|(places, _)| places).collect();
    }
    groups.into_iter().max_by_key(|(_, variables)| overlap(variables)).map_or(Vec::new(), |(places, _)| places)
}

/// Restricts `relations`, which have the rules `own`. `readers` are the other rules that may read them. New relations
/// are added to the program.
///
/// `None` if every tuple of all of them is in demand.
pub(super) fn restrict(
    program: &mut Program,
    relations: &[RelationId],
    own: &[usize],
    readers: &[usize],
    passing: &Passing<'_>,
) -> Option<Restricted> {
    let bound = bound_places(program, relations, own, readers, passing);
    if bound.iter().all(Vec::is_empty) {
        return None;
    }
    let places = Places::of(program, relations);
    let mut demanded = Vec::new();
    for (&relation, bound) in relations.iter().zip(&bound) {
        demanded.push(RelationId(program.relations.len() as u32));
        let name = program.relations[relation.index()].name;
        program.relations.push(Relation { name, arity: bound.len(), helper: true, domain: false });
    }
    let ask = |atom: &Atom| {
        let at = places.of[atom.relation.index()]?;
        let args = bound[at].iter().map(|&place| atom.args[place].clone()).collect();
        Some(Atom { relation: demanded[at], args })
    };
    let (mut rules, mut asking) = (Vec::new(), Vec::new());
    for &index in own.iter().chain(readers) {
        let rule = &program.rules[index];
        let asked_of_head =
            ask(&rule.head).map(|atom| Literal { condition: Condition::Positive(atom), range: rule.range });
        for atom in rule.body.iter().filter_map(|literal| literal.condition.atom()) {
            let Some(head) = ask(atom) else { continue };
            let (handed_on, _) = passing.of(rule, places.known_of_head(rule, &bound), atom);
            let handed_on = handed_on.iter().map(|&at| &rule.body[at]);
            let body = asked_of_head.iter().chain(handed_on).cloned().collect();
            asking.push(Rule { head, body, whole: None, ..rule.clone() });
        }
        if asked_of_head.is_some() {
            let body = asked_of_head.into_iter().chain(rule.body.iter().cloned()).collect();
            rules.push((index, Rule { body, whole: None, ..rule.clone() }));
        }
    }
    let demands = demanded.into_iter().zip(bound).map(|(relation, bound)| Demand { relation, bound }).collect();
    Some(Restricted { rules, asking, demands })
}

/// The variables of an atom, each as often as it occurs.
pub(super) fn variables_of(atom: &Atom) -> Vec<u32> {
    let mut variables = Vec::new();
    atom.variables(&mut |variable| variables.push(variable));
    variables
}

/// The index of each relation of the program in a list of relations.
struct Places {
    of: Vec<Option<usize>>,
}

impl Places {
    fn of(program: &Program, relations: &[RelationId]) -> Places {
        let mut of = vec![None; program.relations.len()];
        relations.iter().enumerate().for_each(|(place, relation)| of[relation.index()] = Some(place));
        Places { of }
    }

    /// The variables of the head that every query to the rule binds; `None` if the rule is not restricted.
    fn known_of_head(&self, rule: &Rule, bound: &[Vec<usize>]) -> Option<FxHashSet<u32>> {
        let at = self.of[rule.head.relation.index()]?;
        let mut variables = Vec::new();
        let args = bound[at].iter().map(|&place| &rule.head.args[place]);
        args.for_each(|arg| arg.variables(&mut |variable| variables.push(variable)));
        Some(variables.into_iter().collect())
    }
}

/// For each relation, the arguments that every reader binds in its queries. Empty if some reader queries every tuple.
pub(super) fn bound_places(
    program: &Program,
    relations: &[RelationId],
    own: &[usize],
    readers: &[usize],
    passing: &Passing<'_>,
) -> Vec<Vec<usize>> {
    let places = Places::of(program, relations);
    let mut bound: Vec<Vec<usize>> =
        relations.iter().map(|relation| (0..program.relations[relation.index()].arity).collect()).collect();
    loop {
        let before: usize = bound.iter().map(Vec::len).sum();
        for &index in own.iter().chain(readers) {
            let rule = &program.rules[index];
            for atom in rule.body.iter().filter_map(|literal| literal.condition.atom()) {
                let Some(at) = places.of[atom.relation.index()] else { continue };
                let (_, variables) = passing.of(rule, places.known_of_head(rule, &bound), atom);
                bound[at].retain(|&place| atom.args[place].all(&|variable| variables.contains(&variable)));
            }
        }
        if bound.iter().map(Vec::len).sum::<usize>() == before {
            return bound;
        }
    }
}
