//! Evaluation on demand: only the tuples of a relation that some rule can ask for.
//!
//! A relation such as `(threatened-with-capture ?owner ?cx ?cy ?x ?y ?ignored-x ?ignored-y)` holds for millions of
//! tuples where its conditions restrict it little; the rules that read it ask for the squares of possible moves only.
//! And a counting loop with accumulators is asked for from zero on. So rules get a condition of their own for what is
//! asked: the magic sets of Bancilhon, Maier, Sagiv and Ullman ("Magic sets and other strange ways to implement logic
//! programs", 1986), for one layer at a time, with the positive conditions that are evaluated already as the
//! passing of bindings.

use super::program::{Atom, Condition, Literal, Program, Relation, RelationId, Rule};

/// The rules of a layer, restricted to what is asked of it.
pub(super) struct Restricted {
    /// To be evaluated together, in place of the layer's rules.
    pub rules: Vec<Rule>,
    /// The relations that hold what is asked.
    pub asked: Vec<RelationId>,
}

/// Restricts the layer `layer` (relations that depend on each other). `readers` are the rules outside it that may read
/// it; `known` tells which relations are evaluated. New relations are added to the program.
///
/// `None` where some reader asks for everything.
pub(super) fn restrict(
    program: &mut Program,
    layer: &[RelationId],
    own: &[usize],
    readers: &[usize],
    known: &dyn Fn(RelationId) -> bool,
) -> Option<Restricted> {
    let bound = bound_places(program, layer, own, readers, known)?;
    let mut asked = Vec::new();
    for (&relation, bound) in layer.iter().zip(&bound) {
        asked.push(RelationId(program.relations.len() as u32));
        let name = program.relations[relation.index()].name;
        program.relations.push(Relation { name, arity: bound.len(), helper: true, domain: false });
    }
    let ask = |atom: &Atom| {
        let at = layer.iter().position(|&relation| relation == atom.relation)?;
        let args = bound[at].iter().map(|&place| atom.args[place].clone()).collect();
        Some(Atom { relation: asked[at], args })
    };
    let mut rules = Vec::new();
    for &index in own.iter().chain(readers) {
        let rule = &program.rules[index];
        let asked_of_head =
            ask(&rule.head).map(|atom| Literal { condition: Condition::Positive(atom), range: rule.range });
        let passing: Vec<Literal> =
            asked_of_head.iter().chain(rule.body.iter().filter(|literal| passes(literal, known))).cloned().collect();
        for literal in &rule.body {
            let Some(head) = literal.condition.atom().and_then(&ask) else { continue };
            rules.push(Rule { head, body: passing.clone(), whole: None, ..rule.clone() });
        }
        if asked_of_head.is_some() {
            let body = asked_of_head.into_iter().chain(rule.body.iter().cloned()).collect();
            rules.push(Rule { body, whole: None, ..rule.clone() });
        }
    }
    Some(Restricted { rules, asked })
}

/// Whether a condition hands its bindings on to what is asked.
fn passes(literal: &Literal, known: &dyn Fn(RelationId) -> bool) -> bool {
    matches!(&literal.condition, Condition::Positive(atom) if known(atom.relation))
}

/// For each relation of the layer the arguments that every reader knows when it asks.
fn bound_places(
    program: &Program,
    layer: &[RelationId],
    own: &[usize],
    readers: &[usize],
    known: &dyn Fn(RelationId) -> bool,
) -> Option<Vec<Vec<usize>>> {
    let place_of = |relation: RelationId| layer.iter().position(|&member| member == relation);
    let mut bound: Vec<Vec<usize>> =
        layer.iter().map(|relation| (0..program.relations[relation.index()].arity).collect()).collect();
    loop {
        let before: usize = bound.iter().map(Vec::len).sum();
        for &index in own.iter().chain(readers) {
            let rule = &program.rules[index];
            let mut variables = Vec::new();
            if let Some(at) = place_of(rule.head.relation) {
                bound[at]
                    .iter()
                    .for_each(|&place| rule.head.args[place].variables(&mut |variable| variables.push(variable)));
            }
            for literal in rule.body.iter().filter(|literal| passes(literal, known)) {
                literal.condition.variables(&mut |variable| variables.push(variable));
            }
            for atom in rule.body.iter().filter_map(|literal| literal.condition.atom()) {
                if let Some(at) = place_of(atom.relation) {
                    bound[at].retain(|&place| atom.args[place].all(&|variable| variables.contains(&variable)));
                }
            }
        }
        if bound.iter().all(Vec::is_empty) {
            return None;
        }
        if bound.iter().map(Vec::len).sum::<usize>() == before {
            return Some(bound);
        }
    }
}
