//! Splits long rule bodies: variables that only some conditions share are projected away first.
//!
//! `(<= (row ?p) (cell ?x1 ?y ?p) (succ ?x1 ?x2) (cell ?x2 ?y ?p) ..)` has as many instances as its variables have
//! joint values. A set of conditions with a variable that occurs nowhere else becomes a helper relation over its other
//! variables (variable elimination along a small-width order, as in the rule decomposition of Morak and Woltran,
//! "Preprocessing of complex non-ground rules in answer set programming", 2012). Both rules together then have far
//! fewer instances. The whole rule is kept beside its remainder ([`Rule::whole`]), because its circuit is the smaller
//! one if it has few instances.
//!
//! A part must bind the variables of its negations. If its own conditions do not, a positive condition outside does:
//! repeated, if it is over variables of the part alone; if not, projected to them, as a *domain* that lists the values
//! worth trying. The remainder of the rule still checks that condition itself, so a domain may hold too much and costs
//! no gates.

use std::sync::Arc;

use super::closure;
use super::helpers::{Helpers, Kind, Origin, variables_of};
use super::merge::merge;
use super::program::{Condition, Literal, Program, RelationId, Rule};
use super::strata::Strata;
use super::unequal;
use super::unique::{self, Listing};

/// Bodies with more variables or conditions than this are left alone, because choosing an order costs time.
const MAX_SIZE: usize = 64;

/// Replaces every rule that can be split. `strata` are those of the rules as written; `list` lists static relations.
pub(super) fn decompose(program: &mut Program, strata: &Strata, list: Listing) {
    let written = program.relations.len();
    let is_static = |relation: RelationId| relation.index() < written && strata.is_static(relation);
    unequal::inline(program, strata);
    unique::narrow(program, strata, list);
    closure::fold(program, strata, list);
    let mut helpers = Helpers::default();
    merge(program, &mut helpers);
    for index in 0..program.rules.len() {
        let mut body = program.rules[index].body.clone();
        let origin = Origin::of(&program.rules[index]);
        while let Some(part) = other_moves(&program.rules[index], &body, &is_static)
            .or_else(|| cheapest_part(&program.rules[index], &body, &is_static))
        {
            project(program, &mut helpers, &origin, &mut body, &part);
        }
        if body.len() != program.rules[index].body.len() || body != program.rules[index].body {
            let rule = &mut program.rules[index];
            rule.whole = Some(Arc::new(rule.clone()));
            rule.body = body;
        }
    }
}

/// Conditions to be evaluated on their own.
struct Part {
    /// The conditions, by index in the body, that the part takes away.
    taken: Vec<usize>,
    /// The conditions that it only repeats, to bind a variable of a negation.
    copied: Vec<usize>,
    /// The conditions whose projections to these variables bind the remaining variables.
    domains: Domains,
    /// The variables that also occur in the head or in other conditions.
    interface: Vec<u32>,
}

/// Conditions, by index in the body, each with the variables that it is projected to.
type Domains = Vec<(usize, Vec<u32>)>;

/// The part about a move that only inequalities connect with the rest: `(does ?r (move ?x ?y))` of a rule that keeps
/// every cell but `?x ?y`. Whatever the cell, all but a few moves meet it (see `instantiate/frame.rs`), so that no
/// variable of the move should be left to the rest.
fn other_moves(rule: &Rule, body: &[Literal], is_static: &dyn Fn(RelationId) -> bool) -> Option<Part> {
    let is_move = |literal: &Literal| match &literal.condition {
        Condition::Positive(atom) => atom.relation == RelationId::DOES,
        _ => false,
    };
    let mut moves = (0..body.len()).filter(|&at| is_move(&body[at]));
    let (Some(at), None) = (moves.next(), moves.next()) else { return None };
    let variables: Vec<Vec<u32>> = body.iter().map(|literal| variables_of(&literal.condition)).collect();
    let mut head = Vec::new();
    rule.head.variables(&mut |variable| head.push(variable));
    let is_own = |variable: &u32| !head.contains(variable);
    let mut own: Vec<u32> = variables[at].iter().copied().filter(is_own).collect();
    let is_distinct = |at: &usize| matches!(body[*at].condition, Condition::Distinct(..));
    let mut taken = vec![at];
    while let Some(next) = (0..body.len()).find(|it| {
        !taken.contains(it) && !is_distinct(it) && variables[*it].iter().any(|variable| own.contains(variable))
    }) {
        own.extend(variables[next].iter().copied().filter(is_own));
        taken.push(next);
    }
    let changes = |at: &usize| body[*at].condition.atom().is_some_and(|atom| !is_static(atom.relation));
    let is_apart = taken.iter().flat_map(|&at| &variables[at]).all(|variable| own.contains(variable));
    if !is_apart || taken[1..].iter().any(changes) {
        return None;
    }
    taken.extend((0..body.len()).filter(|it| is_distinct(it) && variables[*it].iter().any(|it| own.contains(it))));
    let mut inside: Vec<u32> = taken.iter().flat_map(|&at| variables[at].iter().copied()).collect();
    inside.sort_unstable();
    inside.dedup();
    let interface: Vec<u32> = inside.iter().copied().filter(|variable| !own.contains(variable)).collect();
    // Without further conditions, the rule is such a part itself.
    if interface.is_empty() || !(0..body.len()).any(|at| !taken.contains(&at) && changes(&at)) {
        return None;
    }
    let (copied, mut domains) = binders(body, &variables, &taken, &inside, &|at| !changes(at))?;
    let (changing, copied): (Vec<usize>, Vec<usize>) = copied.into_iter().partition(changes);
    domains.extend(changing.into_iter().map(|at| (at, variables[at].clone())));
    Some(Part { taken, copied, domains, interface })
}

/// The part with the fewest variables, if it has fewer than the whole body; parts that are about moves alone come first.
fn cheapest_part(rule: &Rule, body: &[Literal], is_static: &dyn Fn(RelationId) -> bool) -> Option<Part> {
    let is_fixed: &dyn Fn(&usize) -> bool =
        &|at| body[*at].condition.atom().is_none_or(|atom| is_static(atom.relation));
    let variables: Vec<Vec<u32>> = body.iter().map(|literal| variables_of(&literal.condition)).collect();
    let mut head = Vec::new();
    rule.head.variables(&mut |variable| head.push(variable));
    let mut all: Vec<u32> = variables.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    if all.len() > MAX_SIZE || body.len() > MAX_SIZE {
        return None;
    }
    let is_move = |at: &usize| body[*at].condition.atom().is_some_and(|atom| atom.relation == RelationId::DOES);
    let mut best: Option<((bool, usize, usize), Part)> = None;
    for &variable in all.iter().filter(|variable| !head.contains(variable)) {
        let mut taken: Vec<usize> = (0..body.len()).filter(|&at| variables[at].contains(&variable)).collect();
        let mut inside: Vec<u32> = taken.iter().flat_map(|&at| variables[at].iter().copied()).collect();
        inside.sort_unstable();
        inside.dedup();
        if inside.len() >= all.len() {
            continue;
        }
        let interface = |taken: &[usize]| -> Vec<u32> {
            let outside = || (0..body.len()).filter(|at| !taken.contains(at)).flat_map(|at| &variables[at]);
            inside.iter().copied().filter(|it| head.contains(it) || outside().any(|other| other == it)).collect()
        };
        // Conditions on the part's variables that do not change do not keep a variable: `(index ?x)` and `(index ?y)`
        // beside the inequality of `?x ?y` and another cell.
        let is_inner = |at: &usize| is_fixed(at) && variables[*at].iter().all(|it| inside.contains(it));
        let and_inner: Vec<usize> = (0..body.len()).filter(|at| taken.contains(at) || is_inner(at)).collect();
        let (own, fewer) = (interface(&taken), interface(&and_inner));
        let is_fewer = fewer.len() < own.len();
        let interface = if is_fewer { fewer } else { own };
        if is_fewer {
            taken = and_inner;
        }
        // A part about moves alone is the same for all fluents that the rest is about: the cells beside the stone that is
        // placed, whatever the groups of stones.
        let is_of_moves = taken.iter().any(is_move) && taken.iter().all(|at| is_move(at) || is_fixed(at));
        let cost = (!is_of_moves, inside.len(), interface.len());
        if best.as_ref().is_some_and(|(other, _)| *other <= cost) {
            continue;
        }
        if let Some((copied, domains)) = binders(body, &variables, &taken, &inside, is_fixed) {
            best = Some((cost, Part { taken, copied, domains, interface }));
        }
    }
    best.map(|(_, part)| part)
}

/// Finds conditions that bind the variables that the part's own conditions do not: positive conditions outside of it
/// that are over its variables only, and projections of others. `None` if a variable is bound nowhere.
///
/// Conditions that `is_fixed` picks do not change, so that repeating them costs no gates.
fn binders(
    body: &[Literal],
    variables: &[Vec<u32>],
    taken: &[usize],
    inside: &[u32],
    is_fixed: &dyn Fn(&usize) -> bool,
) -> Option<(Vec<usize>, Domains)> {
    let positive = |at: &usize| matches!(body[*at].condition, Condition::Positive(_));
    let (mut copied, mut domains): (Vec<usize>, Domains) = (Vec::new(), Vec::new());
    for variable in inside {
        let binds = |at: &usize| positive(at) && variables[*at].contains(variable);
        if taken.iter().chain(&copied).any(binds) || domains.iter().any(|(_, other)| other.contains(variable)) {
            continue;
        }
        let outside = || (0..body.len()).filter(|at| !taken.contains(at) && binds(at));
        let inner = outside().filter(|&at| variables[at].iter().all(|other| inside.contains(other)));
        if let Some(at) = inner.min_by_key(|at| !is_fixed(at)) {
            copied.push(at);
            continue;
        }
        // The condition that binds the most of the part's variables at once, with the fewest others.
        let shared = |at: usize| variables[at].iter().filter(|other| inside.contains(other)).count();
        let at = outside().min_by_key(|&at| (inside.len() - shared(at), variables[at].len()))?;
        domains.push((at, variables[at].iter().copied().filter(|other| inside.contains(other)).collect()));
    }
    Some((copied, domains))
}

/// Makes the part a relation of its own and adds an atom of it to the body.
fn project(program: &mut Program, helpers: &mut Helpers, origin: &Origin, body: &mut Vec<Literal>, part: &Part) {
    let range = body[part.taken[0]].range;
    let mut conditions: Vec<Literal> = part.taken.iter().chain(&part.copied).map(|&at| body[at].clone()).collect();
    for (at, variables) in &part.domains {
        let source = body[*at].clone();
        let domain = helpers.atom(program, origin, variables, vec![source], Kind::Domain);
        conditions.push(Literal { condition: Condition::Positive(domain), range });
    }
    let head = helpers.atom(program, origin, &part.interface, conditions, Kind::All);
    let mut at = 0;
    body.retain(|_| {
        at += 1;
        !part.taken.contains(&(at - 1))
    });
    body.push(Literal { condition: Condition::Positive(head), range });
}

#[cfg(test)]
mod tests {
    use crate::gdl::fixture::prepared;
    use crate::gdl::prepare::Bodies;

    #[test]
    fn conditions_that_do_not_change_keep_no_variable() {
        let text = "(role r) (i 1) (i 2) (i 3) (init (at 1 1)) (init (of 2 2))
             (<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?a ?c))
             (<= (differ ?a ?b ?c ?d) (i ?a) (i ?b) (i ?c) (i ?d) (distinct ?b ?d))
             (<= (legal r (mark ?a ?b))
                 (true (at ?c ?d)) (differ ?a ?b ?c ?d) (true (of ?g ?h)) (differ ?a ?b ?g ?h))
             (<= (next (at ?a ?b)) (does r (mark ?a ?b)))
             (goal r 0) terminal";
        let program = prepared(text, Bodies::Decomposed).program;
        let helpers = program.relations.iter().filter(|relation| relation.helper);
        let arities: Vec<usize> = helpers.map(|relation| relation.arity).collect();
        assert!(!arities.is_empty() && arities.iter().all(|arity| *arity == 2), "{arities:?}");
    }

    #[test]
    fn what_is_about_moves_alone_comes_first() {
        let text = "(role r) (role s) (i 1) (i 2) (i 3) (init (group 1 1 1)) (init (of 1 r))
             (<= (beside ?a ?b ?a ?d) (i ?a) (i ?b) (i ?d) (distinct ?b ?d))
             (<= (beside ?a ?b ?c ?b) (i ?a) (i ?b) (i ?c) (distinct ?a ?c))
             (<= (joins ?k) (does ?p (mark ?a ?b)) (true (of ?k ?p)) (true (group ?k ?c ?d)) (beside ?a ?b ?c ?d))
             (<= (next (group ?k ?a ?b)) (true (group ?k ?a ?b)) (not (joins ?k)))
             (<= (next (of ?k ?p)) (true (of ?k ?p)))
             (<= (legal ?p (mark ?a ?b)) (role ?p) (i ?a) (i ?b))
             (goal r 0) (goal s 0) terminal";
        let program = prepared(text, Bodies::Decomposed).program;
        let is_of = |rule: &super::Rule, relation: super::RelationId| {
            rule.body.iter().any(|literal| literal.condition.atom().is_some_and(|atom| atom.relation == relation))
        };
        let helpers = program.rules.iter().filter(|rule| program.relations[rule.head.relation.index()].helper);
        let of_moves: Vec<bool> = helpers
            .filter(|rule| is_of(rule, super::RelationId::DOES))
            .map(|rule| is_of(rule, super::RelationId::TRUE))
            .collect();
        assert_eq!(of_moves, [false], "the cells beside the mark, whatever the group");
    }
}
