//! Atoms that no rule reads: their gates would be made for nothing.
//!
//! `(between ?c ?m ?k ?dir)` is about any three pieces in a line; its readers query only a king, another piece of its
//! side and one of the other side. The atoms that are read follow from the bodies that read them, at the cost of
//! solving these bodies. So this is done only if the atoms' own rules cost much more. (alexChess has 1.6 million gates
//! without this, of which 0.9 million are read.)

use std::ops::ControlFlow;

use super::plan_of;
use crate::gdl::found::BodySolutions;
use crate::gdl::join::{Fuel, Source, solve};
use crate::gdl::prepare::{OUTPUTS, Prepared};
use crate::gdl::program::{RelationId, Rule};
use crate::gdl::table::Table;

/// The minimum number of combinations tried by the rules of a relation that is examined.
const MANY: f64 = 50_000.0;
/// The minimum ratio of that number to the combinations that its readers try.
const MUCH_MORE: f64 = 4.0;
/// The minimum number of atoms of a relation that is examined.
const FEW: u32 = 256;

/// Removes atoms that are in no reader's body from the tables, if that costs little and saves much.
pub(super) fn forget_unread(prepared: &mut Prepared, found: &mut BodySolutions, cone: &[usize], fuel: &Fuel) {
    // The outputs come first, so that removed atoms do not count as readers.
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

/// True if a relation's table may lose rows and is not already limited to the rows in demand.
fn is_candidate(Prepared { program, strata, tables, demanded, .. }: &Prepared, relation: RelationId) -> bool {
    let of_a_match = [RelationId::TRUE, RelationId::DOES].contains(&relation) || OUTPUTS.contains(&relation);
    let is_known = strata.is_static(relation) || program.relations[relation.index()].domain;
    !of_a_match && !is_known && !demanded[relation.index()] && tables[relation.index()].len() >= FEW
}

/// The rules that read a relation, including the whole rules of those that were decomposed.
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

/// The estimated number of combinations that rules try.
fn cost(Prepared { program, tables, demanded, .. }: &mut Prepared, rules: &[Rule]) -> f64 {
    let cost = |rule: &Rule| plan_of(rule, demanded[rule.head.relation.index()], &program.terms, tables).cost;
    rules.iter().map(cost).sum()
}

/// For each row of a relation, true if some instance of a body has it. `None` if that costs more than estimated.
fn read(prepared: &mut Prepared, relation: RelationId, bodies: &[Rule], fuel: &mut Fuel) -> Option<Vec<bool>> {
    let Prepared { program, tables, demanded, .. } = prepared;
    let mut is_read = vec![false; tables[relation.index()].len() as usize];
    for rule in bodies {
        let places = places(rule, relation);
        let plan = plan_of(rule, demanded[rule.head.relation.index()], &program.terms, tables);
        plan.complete(&program.terms, tables);
        let source = Source { terms: &program.terms, tables, windows: None, accept: None, may_be_absent: &|_, _| true };
        let solved = solve(&plan, &source, &[], fuel, &mut |solution| {
            // An absent atom has no row.
            let rows = places.iter().filter_map(|&at| solution.rows.get(at));
            rows.for_each(|&row| _ = is_read.get_mut(row as usize).map(|is_read| *is_read = true));
            ControlFlow::Continue(())
        });
        solved.ok()?;
    }
    Some(is_read)
}

/// Removes the unread rows from a table, which from now on has only rows in demand.
fn keep(prepared: &mut Prepared, found: &mut BodySolutions, relation: RelationId, is_read: &[bool]) {
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
