//! Evaluation on demand: only the tuples of a relation that some rule can ask for.
//!
//! A relation such as `(threatened-with-capture ?owner ?cx ?cy ?x ?y ?ignored-x ?ignored-y)` holds for millions of
//! tuples where its conditions restrict it little; the rules that read it ask for the squares of possible moves only.
//! And a counting loop with accumulators is asked for from zero on. So rules get a condition of their own for what is
//! asked: the magic sets of Bancilhon, Maier, Sagiv and Ullman ("Magic sets and other strange ways to implement logic
//! programs", 1986), for any set of layers at once, with the positive conditions that are evaluated already as the
//! passing of bindings, those aside that say little; and what is asked of one layer is handed down to what it reads.

use rustc_hash::FxHashSet;

use super::program::{Atom, Condition, Literal, Program, Relation, RelationId, Rule};

/// The rules of some relations, restricted to what is asked of them.
pub(super) struct Restricted {
    /// In place of the relations' rules: each with the place of the one it stands for, whose body it has after what is asked.
    pub rules: Vec<(usize, Rule)>,
    /// What is asked.
    pub asking: Vec<Rule>,
    /// By relation: what is asked of it.
    pub asked: Vec<Asked>,
}

/// What is asked of a relation.
pub(super) struct Asked {
    /// The relation that holds it. Without arguments where somebody asks for everything.
    pub relation: RelationId,
    /// The arguments that are told, by place.
    pub bound: Vec<usize>,
}

/// What the rules that ask know.
pub(super) struct Passing<'a> {
    /// Which relations are evaluated.
    pub known: &'a dyn Fn(RelationId) -> bool,
    /// How many rows of an atom there are on average once these variables have values.
    pub rows: &'a dyn Fn(&Atom, &FxHashSet<u32>) -> f64,
}

/// A condition with more rows than this, given what is asked, hands nothing on: there would be more questions than
/// answers. `(different-cells ?cx ?cy ?u ?v)` knows every cell but one.
const FEW: f64 = 8.0;

impl Passing<'_> {
    /// The places of the conditions that hand their bindings on where a rule asks for `target`, and the variables that
    /// have values then. `asked` are the variables of its head that are known where it is asked for itself.
    fn of(&self, rule: &Rule, asked: Option<FxHashSet<u32>>, target: &Atom) -> (Vec<usize>, FxHashSet<u32>) {
        let atom = |at: usize| match &rule.body[at].condition {
            Condition::Positive(atom) if (self.known)(atom.relation) => Some(atom),
            _ => None,
        };
        let mut rest: Vec<(usize, &Atom)> = (0..rule.body.len()).filter_map(|at| Some((at, atom(at)?))).collect();
        let (mut places, mut bound) = (Vec::new(), FxHashSet::default());
        match asked {
            Some(asked) => bound = asked,
            // Whoever is asked for everything has to begin with what it knows best of the target.
            None => {
                let begin = most_telling(&rest, target);
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

/// Of the conditions those that hang together by their variables and know the most variables of the target. To take others
/// as well (`(emptyCell ?x3 ?y3)` beside where the queen stands) would multiply the questions.
fn most_telling(conditions: &[(usize, &Atom)], target: &Atom) -> Vec<usize> {
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
    let told = |variables: &FxHashSet<u32>| wanted.iter().filter(|variable| variables.contains(variable)).count();
    groups.into_iter().max_by_key(|(_, variables)| told(variables)).map_or(Vec::new(), |(places, _)| places)
}

/// Restricts `relations`, which have the rules `own`. `readers` are the other rules that may read them. New relations
/// are added to the program.
///
/// `None` where everything is asked of all of them.
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
    let mut asked = Vec::new();
    for (&relation, bound) in relations.iter().zip(&bound) {
        asked.push(RelationId(program.relations.len() as u32));
        let name = program.relations[relation.index()].name;
        program.relations.push(Relation { name, arity: bound.len(), helper: true, domain: false });
    }
    let ask = |atom: &Atom| {
        let at = places.of[atom.relation.index()]?;
        let args = bound[at].iter().map(|&place| atom.args[place].clone()).collect();
        Some(Atom { relation: asked[at], args })
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
    let asked = asked.into_iter().zip(bound).map(|(relation, bound)| Asked { relation, bound }).collect();
    Some(Restricted { rules, asking, asked })
}

/// The variables of an atom, as often as they stand in it.
pub(super) fn variables_of(atom: &Atom) -> Vec<u32> {
    let mut variables = Vec::new();
    atom.variables(&mut |variable| variables.push(variable));
    variables
}

/// Where each relation of the program stands among some.
struct Places {
    of: Vec<Option<usize>>,
}

impl Places {
    fn of(program: &Program, relations: &[RelationId]) -> Places {
        let mut of = vec![None; program.relations.len()];
        relations.iter().enumerate().for_each(|(place, relation)| of[relation.index()] = Some(place));
        Places { of }
    }

    /// The variables of the head that are known where a rule is asked for; `None` where it always is.
    fn known_of_head(&self, rule: &Rule, bound: &[Vec<usize>]) -> Option<FxHashSet<u32>> {
        let at = self.of[rule.head.relation.index()]?;
        let mut variables = Vec::new();
        let args = bound[at].iter().map(|&place| &rule.head.args[place]);
        args.for_each(|arg| arg.variables(&mut |variable| variables.push(variable)));
        Some(variables.into_iter().collect())
    }
}

/// For each of the relations the arguments that every reader knows when it asks; none where somebody asks for everything.
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
