//! Splits relations that seem to depend on their own negation.
//!
//! `(<= (goal ?r 0) (not (goal ?r 100)))` has a meaning although the relation `goal` depends on its negation, because
//! none of its atoms does. Published files have such rules. A relation on such a cycle is split into parts whose atoms
//! cannot be equal.

use super::program::{Atom, Condition, Literal, Pattern, Program, Relation, RelationId, Rule};
use super::unify::Substitution;
use crate::components::components;

/// Splits every relation of `suspects` into classes of its atoms, such that atoms of different classes have no common
/// instance; the relation itself becomes the union of its classes. A relation with one class is not split.
///
/// `component_of` is the cycle of every relation. Rules that are not on a cycle with the relation still read the union.
pub(super) fn split(program: &mut Program, suspects: &[RelationId], component_of: &[usize]) {
    for &relation in suspects {
        let cycle = |other: RelationId| component_of.get(other.index()) == Some(&component_of[relation.index()]);
        let on_cycle: Vec<bool> = program.rules.iter().map(|rule| cycle(rule.head.relation)).collect();
        split_one(program, relation, &on_cycle);
    }
}

fn split_one(program: &mut Program, relation: RelationId, on_cycle: &[bool]) {
    let mut atoms: Vec<Atom> = Vec::new();
    for_each_atom(program, relation, on_cycle, &mut |atom| {
        if !atoms.contains(atom) {
            atoms.push(atom.clone());
        }
    });
    let edges: Vec<Vec<u32>> = atoms
        .iter()
        .map(|left| {
            (0..atoms.len() as u32).filter(|&right| may_be_equal(program, left, &atoms[right as usize])).collect()
        })
        .collect();
    let classes = components(&edges);
    if classes.len() < 2 {
        return;
    }
    let Relation { name, arity, .. } = program.relations[relation.index()];
    let mut class_of = vec![relation; atoms.len()];
    for class in &classes {
        let id = RelationId(program.relations.len() as u32);
        program.relations.push(Relation { name, arity, helper: true, domain: false });
        class.iter().for_each(|&atom| class_of[atom as usize] = id);
    }
    for_each_atom(program, relation, on_cycle, &mut |atom| {
        let place = atoms.iter().position(|other| other == atom).expect("every atom was collected");
        atom.relation = class_of[place];
    });
    for class in classes {
        let part = class_of[class[0] as usize];
        let args: Box<[Pattern]> = (0..arity as u32).map(Pattern::Variable).collect();
        // The author did not write the union's rule, so it gets the range of the first rule of the class.
        let Some(first) = program.rules.iter().find(|rule| rule.head.relation == part) else { continue };
        let range = first.head_range;
        let condition = Condition::Positive(Atom { relation: part, args: args.clone() });
        program.rules.push(Rule {
            head: Atom { relation, args },
            body: vec![Literal { condition, range }],
            variables: (0..arity).map(|place| smol_str::format_smolstr!("{place}")).collect(),
            range,
            head_range: range,
            whole: None,
        });
    }
}

/// Calls `f` on the relation's atoms in the rules that `on_cycle` picks.
fn for_each_atom(program: &mut Program, relation: RelationId, on_cycle: &[bool], f: &mut dyn FnMut(&mut Atom)) {
    let rules = program.rules.iter_mut().zip(on_cycle).filter(|(_, picked)| **picked);
    for (rule, _) in rules {
        if rule.head.relation == relation {
            f(&mut rule.head);
        }
        for literal in &mut rule.body {
            if let Condition::Positive(atom) | Condition::Negative(atom) = &mut literal.condition
                && atom.relation == relation
            {
                f(atom);
            }
        }
    }
}

/// True if the atoms have a common instance after their variables are renamed apart.
fn may_be_equal(program: &Program, left: &Atom, right: &Atom) -> bool {
    let mut offset = 0;
    left.variables(&mut |variable| offset = offset.max(variable + 1));
    let mut substitution = Substitution::default();
    left.args
        .iter()
        .zip(right.args.iter())
        .all(|(left, right)| substitution.unify(&program.terms, left, &right.shifted(offset)))
}
