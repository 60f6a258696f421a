//! The instances of one rule, from the solutions of its body.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Flat, Gates, Part};
use crate::circuit::Lit;
use crate::gdl::join::{Collect, Solution};
use crate::gdl::program::{Condition, Program, RelationId, Rule};
use crate::gdl::strata::Strata;
use crate::gdl::table::Table;
use crate::terms::TermId;

/// What a rule's instances are read from.
pub(super) struct Reading<'a> {
    pub program: &'a Program,
    pub tables: &'a [Table],
    pub strata: &'a Strata,
    pub gates: &'a Gates,
    /// By relation of the component at work: the first of its members.
    pub offsets: &'a [u32],
    pub rule: &'a Rule,
    /// Whether the body ends with the head: its table says which heads are wanted.
    pub on_demand: bool,
}

impl Reading<'_> {
    /// Whether the relation is of the component at work.
    pub(super) fn is_working(&self, relation: RelationId) -> bool {
        self.offsets[relation.index()] != u32::MAX
    }

    /// Whether the relation only lists values to try.
    pub(super) fn is_domain(&self, relation: RelationId) -> bool {
        self.program.relations[relation.index()].domain
    }

    pub(super) fn gate(&self, relation: RelationId, row: u32) -> Lit {
        match self.strata.is_static(relation) {
            true => Lit::TRUE,
            false => self.gates[relation.index()][row as usize],
        }
    }
}

/// Instances, and conditions of them.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub instances: usize,
    pub parts: usize,
}

/// What all parts together have found so far.
#[derive(Default)]
pub(super) struct Told {
    instances: AtomicUsize,
    parts: AtomicUsize,
}

/// Takes the solutions of a rule's body for its instances.
pub(super) struct Instances<'a> {
    reading: &'a Reading<'a>,
    pub flat: Flat,
    pub are_too_many: bool,
    /// How many may be found in all.
    room: Room,
    told: &'a Told,
    /// How many of these are its own.
    own: Room,
    head: Vec<TermId>,
    parts: Vec<Part>,
}

impl<'a> Instances<'a> {
    /// So many are told of at once.
    const PACE: usize = 1 << 10;

    pub(super) fn new(reading: &'a Reading<'a>, told: &'a Told, room: Room) -> Instances<'a> {
        let own = Room { instances: 0, parts: 0 };
        let (head, parts) = (Vec::new(), Vec::new());
        Instances { reading, flat: Flat::default(), are_too_many: false, room, told, own, head, parts }
    }

    /// The row of a solution's head, if somebody wants it.
    fn head(&mut self, solution: &Solution<'_>) -> Option<u32> {
        let Reading { program, tables, rule, on_demand, .. } = self.reading;
        if *on_demand {
            return Some(solution.rows[rule.body.len()]);
        }
        self.head.clear();
        for arg in &rule.head.args {
            self.head.push(arg.find(&program.terms, solution.bindings)?);
        }
        tables[rule.head.relation.index()].find(&self.head)
    }

    /// The conditions of a solution that are not known to hold.
    fn parts(&mut self, solution: &Solution<'_>) {
        let reading = self.reading;
        self.parts.clear();
        for (literal, &row) in reading.rule.body.iter().zip(solution.rows) {
            let part = match &literal.condition {
                Condition::Positive(atom) if reading.is_domain(atom.relation) => continue,
                Condition::Positive(atom) if reading.is_working(atom.relation) => {
                    Part::Member(reading.offsets[atom.relation.index()] + row)
                }
                Condition::Positive(atom) => Part::Gate(reading.gate(atom.relation, row)),
                Condition::Negative(atom) if row != u32::MAX => Part::Gate(!reading.gate(atom.relation, row)),
                _ => continue,
            };
            if part != Part::Gate(Lit::TRUE) {
                self.parts.push(part);
            }
        }
        self.parts.sort_unstable();
        self.parts.dedup();
    }

    /// Breaks where there are too many, here or with what the others have told of.
    fn check(&mut self) -> ControlFlow<()> {
        let Room { instances, parts } = Room { instances: self.flat.heads.len(), parts: self.flat.parts.len() };
        if instances - self.own.instances > Instances::PACE {
            let tell = |told: &AtomicUsize, new| told.fetch_add(new, Ordering::Relaxed) + new;
            let by_all = tell(&self.told.instances, instances - self.own.instances);
            let parts_of_all = tell(&self.told.parts, parts - self.own.parts);
            self.own = Room { instances, parts };
            self.are_too_many |= by_all > self.room.instances || parts_of_all > self.room.parts;
        }
        self.are_too_many |= instances > self.room.instances || parts > self.room.parts;
        if self.are_too_many { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Collect for Instances<'_> {
    fn add(&mut self, solution: &Solution<'_>) -> ControlFlow<()> {
        let Some(head) = self.head(solution) else { return ControlFlow::Continue(()) };
        self.parts(solution);
        let Reading { offsets, rule, .. } = self.reading;
        self.flat.push(offsets[rule.head.relation.index()] + head, &self.parts);
        self.check()
    }

    fn part(&self) -> Self {
        Instances::new(self.reading, self.told, self.room)
    }

    fn append(&mut self, part: Self) -> ControlFlow<()> {
        self.flat.append(part.flat);
        // What it found has been told of.
        self.own = Room { instances: self.flat.heads.len(), parts: self.flat.parts.len() };
        self.are_too_many |= part.are_too_many;
        self.check()
    }
}
