//! Atoms that no rule reads: their gates would be made for nothing.
//!
//! `(between ?c ?m ?k ?dir)` is about any three pieces in a line; who reads it asks for a king, another piece of its side
//! and one of the other side. Which atoms are read the bodies that read them tell, which costs what solving these costs. So
//! that is looked into only where the atoms' own rules cost much more. (alexChess: it has 1.6 million gates without this,
//! of which 0.9 million are read.)

use std::ops::ControlFlow;

use super::plan_of;
use crate::gdl::found::Found;
use crate::gdl::join::{Fuel, Source, solve};
use crate::gdl::prepare::{OUTPUTS, Prepared};
use crate::gdl::program::{RelationId, Rule};
use crate::gdl::table::Table;

/// Combinations that the rules of a relation try at least for it to be worth a look.
const MANY: f64 = 50_000.0;
/// So many times what its readers try.
const MUCH_MORE: f64 = 4.0;
/// Fewer atoms are not worth a look at who reads them.
const FEW: u32 = 256;

/// Takes atoms that are in no reader's body out of the tables, where that costs little and spares much.
pub(super) fn forget_unread(prepared: &mut Prepared, found: &mut Found, cone: &[usize], fuel: &Fuel) {
    // From above, so that what is not read does not read.
    for &index in cone.iter().rev() {
        let component = &prepared.strata.components[index];
        let (&[relation], false) = (&component.relations[..], component.recursive) else { continue };
        if !is_candidate(prepared, relation) {
            continue;
        }
        let rules: Vec<Rule> = component.rules.iter().map(|&rule| prepared.program.rules[rule].clone()).collect();
        let own = cost(prepared, &rules);
        if own < MANY {
            continue;
        }
        let bodies = readers(prepared, cone, relation);
        if cost(prepared, &bodies) * MUCH_MORE > own {
            continue;
        }
        if let Some(is_read) = read(prepared, relation, &bodies, &mut fuel.share(own as u64 / 2)) {
            keep(prepared, found, relation, &is_read);
        }
    }
}

/// Whether a relation's table may have fewer rows, and has not just what is asked for already.
fn is_candidate(Prepared { program, strata, tables, demanded, .. }: &Prepared, relation: RelationId) -> bool {
    let of_a_match = [RelationId::TRUE, RelationId::DOES].contains(&relation) || OUTPUTS.contains(&relation);
    let is_known = strata.is_static(relation) || program.relations[relation.index()].domain;
    !of_a_match && !is_known && !demanded[relation.index()] && tables[relation.index()].len() >= FEW
}

/// The rules that read a relation, whole ones, too, where they were taken apart.
fn readers(Prepared { program, strata, .. }: &Prepared, cone: &[usize], relation: RelationId) -> Vec<Rule> {
    let rules = cone.iter().flat_map(|&index| &strata.components[index].rules).map(|&rule| &program.rules[rule]);
    let all = rules.flat_map(|rule| [Some(rule), rule.whole.as_deref()]).flatten();
    all.filter(|rule| !places(rule, relation).is_empty()).cloned().collect()
}

/// The conditions of a rule that are about a relation.
fn places(rule: &Rule, relation: RelationId) -> Vec<usize> {
    let reads = |at: &usize| rule.body[*at].condition.atom().is_some_and(|atom| atom.relation == relation);
    (0..rule.body.len()).filter(reads).collect()
}

/// Combinations that rules try, as far as one can tell.
fn cost(Prepared { program, tables, demanded, .. }: &mut Prepared, rules: &[Rule]) -> f64 {
    let cost = |rule: &Rule| plan_of(rule, demanded[rule.head.relation.index()], &program.terms, tables).cost;
    rules.iter().map(cost).sum()
}

/// By row of a relation: whether some instance of a body has it. `None` where that costs more than was thought.
fn read(prepared: &mut Prepared, relation: RelationId, bodies: &[Rule], fuel: &mut Fuel) -> Option<Vec<bool>> {
    let Prepared { program, tables, demanded, .. } = prepared;
    let mut is_read = vec![false; tables[relation.index()].len() as usize];
    for rule in bodies {
        let places = places(rule, relation);
        let plan = plan_of(rule, demanded[rule.head.relation.index()], &program.terms, tables);
        plan.complete(&program.terms, tables);
        let source = Source { terms: &program.terms, tables, windows: None, accept: None, may_be_absent: &|_, _| true };
        let solved = solve(&plan, &source, &[], fuel, &mut |solution| {
            // Of an absent atom there is no row.
            let rows = places.iter().filter_map(|&at| solution.rows.get(at));
            rows.for_each(|&row| _ = is_read.get_mut(row as usize).map(|is_read| *is_read = true));
            ControlFlow::Continue(())
        });
        solved.ok()?;
    }
    Some(is_read)
}

/// Takes the other rows out of a table; from now on it has what is asked for.
fn keep(prepared: &mut Prepared, found: &mut Found, relation: RelationId, is_read: &[bool]) {
    let arity = prepared.program.relations[relation.index()].arity;
    let table = std::mem::replace(&mut prepared.tables[relation.index()], Table::new(arity));
    let kept = &mut prepared.tables[relation.index()];
    let numbers: Vec<Option<u32>> =
        table.rows().zip(is_read).map(|(row, is_read)| is_read.then(|| kept.insert(row).0)).collect();
    found.renumber(&prepared.program, relation, &numbers);
    prepared.demanded[relation.index()] = arity > 0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use crate::gdl::fixture::{prepared, relation};
    use crate::gdl::limits::Limits;
    use crate::gdl::prepare::Bodies;
    use crate::gdl::reach::reach;

    #[test]
    fn what_is_kept_is_what_is_read_also_where_it_is_negated() {
        let numbers: Vec<usize> = (0..40).collect();
        let pieces: String =
            numbers.iter().map(|at| format!("(init (at p{at} {at})) (succ {at} {})", at + 1)).collect();
        let text = format!(
            "(role r) (king p0) terminal {pieces}
            (<= (next (at ?p ?y)) (true (at ?p ?x)) (succ ?x ?y))
            (<= (less ?x ?y) (succ ?x ?y))
            (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))
            (<= (before ?a ?b) (true (at ?a ?x)) (true (at ?b ?y)) (less ?x ?y))
            (<= (legal r (take ?a ?b)) (king ?a) (before ?a ?b))
            (<= (goal r 100) (not (before p2 p3)))
            (<= (goal r 0) (before p4 p5))"
        );
        let mut prepared = prepared(&text, Bodies::Whole);
        let mut found = reach(&mut prepared, &Limits::default(), usize::MAX).expect("few atoms");
        let before = relation(&prepared.program, "before");
        let all = prepared.tables[before.index()].len();
        let cone = prepared.strata.cone(&prepared.program, &OUTPUTS);
        forget_unread(&mut prepared, &mut found, &cone, &Fuel::new(u64::MAX, &Budget::default()));
        let terms = &prepared.program.terms;
        let mut kept: Vec<String> = prepared.tables[before.index()]
            .rows()
            .map(|row| row.iter().map(|&term| terms.show(term)).collect::<Vec<_>>().join(" "))
            .collect();
        kept.retain(|row| !row.starts_with("p0 "));
        kept.sort();
        assert_eq!(kept, ["p2 p3", "p4 p5"]);
        assert_eq!((all, prepared.tables[before.index()].len()), (40 * 40, 40 + 2));
        assert!(prepared.demanded[before.index()]);
    }
}
