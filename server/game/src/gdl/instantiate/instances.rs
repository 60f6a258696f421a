//! The instances of one rule, from the solutions of its body.

use std::ops::ControlFlow;

use super::{Flat, Gates, MAX_PARTS, Part};
use crate::circuit::Lit;
use crate::gdl::found::OfRule;
use crate::gdl::join::Solution;
use crate::gdl::program::{Atom, Condition, Literal, Program, RelationId, Rule};
use crate::gdl::strata::Strata;
use crate::gdl::table::Table;
use crate::terms::TermId;

/// The atoms of finished components.
#[derive(Clone, Copy)]
pub(super) struct Atoms<'a> {
    pub program: &'a Program,
    pub strata: &'a Strata,
    pub gates: &'a Gates,
}

impl Atoms<'_> {
    /// True if the relation only lists values to try.
    pub(super) fn is_domain(&self, relation: RelationId) -> bool {
        self.program.relations[relation.index()].domain
    }

    pub(super) fn gate(&self, relation: RelationId, row: u32) -> Lit {
        match self.strata.is_static(relation) {
            true => Lit::TRUE,
            false => self.gates[relation.index()][row as usize],
        }
    }

    /// True if an instance can have the atom among its conditions.
    pub(super) fn may_hold(&self, relation: RelationId, row: u32) -> bool {
        self.is_domain(relation) || self.gate(relation, row) != Lit::FALSE
    }

    /// True if an instance can have the atom's negation among its conditions.
    pub(super) fn may_fail(&self, relation: RelationId, row: u32) -> bool {
        self.gate(relation, row) != Lit::TRUE
    }
}

/// The source of a rule's instances.
pub(super) struct Reading<'a> {
    pub atoms: Atoms<'a>,
    pub tables: &'a [Table],
    /// For each relation of the current component, its first member.
    pub offsets: &'a [u32],
    pub rule: &'a Rule,
    /// True if the body ends with the head, whose table has the heads in demand.
    pub on_demand: bool,
}

impl Reading<'_> {
    /// True if the relation is in the component at work.
    pub(super) fn is_working(&self, relation: RelationId) -> bool {
        self.offsets[relation.index()] != u32::MAX
    }
}

/// Turns the solutions of a rule's body into its instances.
pub(super) struct Instances<'a> {
    reading: &'a Reading<'a>,
    flat: &'a mut Flat,
    /// The maximum number of instances, including those already in `flat`.
    most: usize,
    head: Vec<TermId>,
    parts: Vec<Part>,
}

impl<'a> Instances<'a> {
    pub(super) fn new(reading: &'a Reading<'a>, flat: &'a mut Flat, most: usize) -> Instances<'a> {
        Instances { reading, flat, most, head: Vec::new(), parts: Vec::new() }
    }

    pub(super) fn are_too_many(&self) -> bool {
        self.flat.heads.len() > self.most || self.flat.parts.len() > MAX_PARTS
    }

    /// Adds the instance of a solution; breaks if there are too many.
    pub(super) fn add(&mut self, solution: &Solution<'_>) -> ControlFlow<()> {
        let Some(head) = self.head(solution) else { return ControlFlow::Continue(()) };
        self.parts(solution);
        let Reading { offsets, rule, .. } = self.reading;
        self.flat.push(offsets[rule.head.relation.index()] + head, &self.parts);
        if self.are_too_many() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Adds the instances of all kept solutions of the rule, until there are too many.
    pub(super) fn add_all(&mut self, instances: &OfRule) {
        let Reading { atoms, tables, offsets, rule, .. } = self.reading;
        let first = offsets[rule.head.relation.index()];
        let terms = &atoms.program.terms;
        let negative = |(place, literal): (usize, &Literal)| match &literal.condition {
            Condition::Negative(atom) if !atoms.strata.is_static(atom.relation) => Some((place, atom.clone())),
            _ => None,
        };
        let negative: Vec<(usize, Atom)> = rule.body.iter().enumerate().filter_map(negative).collect();
        let mut tuple = Vec::new();
        instances.each(rule, tables, |head, rows, bindings| {
            for (place, atom) in &negative {
                tuple.clear();
                tuple.extend(atom.args.iter().map_while(|arg| arg.find(terms, bindings)));
                let is_term = tuple.len() == atom.args.len();
                let row = if is_term { tables[atom.relation.index()].find(&tuple) } else { None };
                rows[*place] = row.unwrap_or(u32::MAX);
            }
            self.parts(&Solution { bindings, rows });
            if !self.are_too_many() && self.parts.first() != Some(&Part::gate(Lit::FALSE)) {
                self.flat.push(first + head, &self.parts);
            }
        });
    }

    /// The row of a solution's head; `None` if the head is not in demand.
    fn head(&mut self, solution: &Solution<'_>) -> Option<u32> {
        let Reading { atoms, tables, rule, on_demand, .. } = self.reading;
        if *on_demand {
            return Some(solution.rows[rule.body.len()]);
        }
        self.head.clear();
        for arg in &rule.head.args {
            self.head.push(arg.find(&atoms.program.terms, solution.bindings)?);
        }
        tables[rule.head.relation.index()].find(&self.head)
    }

    /// Collects the conditions of a solution that are not known to hold.
    fn parts(&mut self, solution: &Solution<'_>) {
        let reading = self.reading;
        self.parts.clear();
        for (literal, &row) in reading.rule.body.iter().zip(solution.rows) {
            let part = match &literal.condition {
                Condition::Positive(atom) if reading.atoms.is_domain(atom.relation) => continue,
                Condition::Positive(atom) if reading.is_working(atom.relation) => {
                    Part::member(reading.offsets[atom.relation.index()] + row)
                }
                Condition::Positive(atom) => Part::gate(reading.atoms.gate(atom.relation, row)),
                Condition::Negative(atom) if row != u32::MAX => Part::gate(!reading.atoms.gate(atom.relation, row)),
                _ => continue,
            };
            if part != Part::gate(Lit::TRUE) {
                self.parts.push(part);
            }
        }
        self.parts.sort_unstable();
        self.parts.dedup();
    }
}
