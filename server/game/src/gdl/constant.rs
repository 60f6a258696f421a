//! Fluents that never change: the walls of a maze.
//!
//! `(<= (next (wall ?x ?y ?z)) (true (wall ?x ?y ?z)))` is the only rule for walls, so they are those of the initial
//! state. The other rules read a relation instead that is the same in every state. The set-up then knows where there is
//! no wall. It would otherwise assume that a wall may be missing anywhere, and that a piece may leave the maze.

use rustc_hash::FxHashMap;

use super::program::{Atom, Condition, Literal, Pattern, Program, Relation, RelationId, Rule};
use crate::terms::{Sym, Terms};

/// The name and the number of arguments of a fluent.
type Form = (Sym, usize);

/// The form of a fluent, and its arguments.
fn form(terms: &Terms, fluent: &Pattern) -> Option<(Form, Box<[Pattern]>)> {
    let (functor, args): (Sym, Box<[Pattern]>) = match fluent {
        Pattern::Compound(functor, args) => (*functor, args.clone()),
        Pattern::Ground(term) => {
            (terms.functor(*term), terms.args(*term)?.iter().map(|&arg| Pattern::Ground(arg)).collect())
        }
        Pattern::Variable(_) => return None,
    };
    Some(((functor, args.len()), args))
}

/// Gives all fluents of the forms that never change a relation of their own, which is read in their place. Returns true
/// if there are any. (The fluents stay in every state, because views and interfaces show them.)
pub(super) fn separate(program: &mut Program) -> bool {
    let relations = unchanging(program);
    if relations.is_empty() {
        return false;
    }
    let Program { terms, rules, relations: all, .. } = program;
    let mut relation_of = FxHashMap::default();
    for (name, arity) in relations {
        relation_of.insert((name, arity), RelationId(all.len() as u32));
        all.push(Relation { name, arity, helper: true, domain: false });
    }
    let own = |fluent: &Pattern| {
        let (form, args) = form(terms, fluent)?;
        Some(Atom { relation: *relation_of.get(&form)?, args })
    };
    let mut initial = Vec::new();
    for rule in rules.iter_mut() {
        let head = rule.head.args.first().and_then(&own);
        match (rule.head.relation, head) {
            (RelationId::INIT, Some(head)) => initial.push(Rule { head, whole: None, ..rule.clone() }),
            (RelationId::NEXT, Some(_)) => {}
            _ => rule.body.iter_mut().for_each(|literal| read_instead(literal, &own)),
        }
    }
    rules.extend(initial);
    true
}

/// Replaces a condition on a fluent by one on its own relation, if it has one.
fn read_instead(literal: &mut Literal, own: &dyn Fn(&Pattern) -> Option<Atom>) {
    if let Condition::Positive(atom) | Condition::Negative(atom) = &mut literal.condition
        && atom.relation == RelationId::TRUE
        && let Some(instead) = own(&atom.args[0])
    {
        *atom = instead;
    }
}

/// The forms whose fluents a rule keeps, whatever their arguments, while no rule adds others.
fn unchanging(program: &Program) -> Vec<Form> {
    let mut kept: Vec<Form> = Vec::new();
    let mut changed: Vec<Form> = Vec::new();
    for rule in &program.rules {
        let head = &rule.head;
        if !matches!(head.relation, RelationId::INIT | RelationId::NEXT) {
            continue;
        }
        // A rule about any fluent.
        let Some((form, args)) = form(&program.terms, &head.args[0]) else {
            match head.args[0] {
                Pattern::Variable(_) => return Vec::new(),
                _ => continue,
            }
        };
        let is_same = |literal: &Literal| match &literal.condition {
            Condition::Positive(atom) => atom.relation == RelationId::TRUE && atom.args == head.args,
            _ => false,
        };
        let differ = |(at, arg): (usize, &Pattern)| matches!(arg, Pattern::Variable(_)) && !args[..at].contains(arg);
        if head.relation == RelationId::NEXT {
            let is_frame = rule.body.iter().any(is_same);
            if !is_frame {
                changed.push(form);
            } else if rule.body.len() == 1 && args.iter().enumerate().all(differ) {
                kept.push(form);
            }
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept.retain(|form| !changed.contains(form));
    kept
}

#[cfg(test)]
mod tests {
    use crate::gdl::fixture::{prepared, relation};
    use crate::gdl::prepare::Bodies;

    #[test]
    fn what_is_kept_and_never_added_is_the_same_in_every_state() {
        let text = |more: &str| {
            format!(
                "(role r) (succ 1 2) (succ 2 3) (init (wall 1)) (init (at 1)) (init (mark 3))
                 (<= (free ?x ?y) (succ ?x ?y) (not (true (wall ?y))) (not (true (mark ?x))))
                 (<= (way ?x ?y) (succ ?x ?y) (not (true (wall ?y))))
                 (<= (legal r (go ?y)) (true (at ?x)) (way ?x ?y)) (<= (legal r stay) (free 1 2))
                 (<= (next (wall ?x)) (true (wall ?x))) (<= (next (at ?y)) (does r (go ?y)))
                 (<= (next (mark ?x)) (true (mark ?x))) (<= (next (mark ?x)) (does r (go ?x)))
                 {more} terminal (goal r 0)"
            )
        };
        let changes = |more: &str, name: &str| {
            let prepared = prepared(&text(more), Bodies::Decomposed);
            !prepared.strata.is_static(relation(&prepared.program, name))
        };
        assert!(!changes("", "way") && changes("", "free"));
        // The rule says less than the one that keeps walls.
        assert!(!changes("(<= (next (wall ?x)) (true (wall ?x)) (does r (go ?x)))", "way"));
        for more in [
            "(<= (next (wall ?x)) (does r (go ?x)))",
            "(<= (next ?f) (does r (build ?f)))",
            "(<= (next (wall ?x)) (true (mark ?x)))",
        ] {
            assert!(changes(more, "way"), "{more}");
        }
    }
}
