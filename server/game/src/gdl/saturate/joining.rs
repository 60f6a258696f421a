//! One rule's body solved, and where its heads go.

use std::hash::BuildHasher;
use std::ops::ControlFlow;

use rustc_hash::FxBuildHasher;

use super::{Growth, Planned, Reading, Work};
use crate::gdl::found::OfRule;
use crate::gdl::join::{Fuel, Solution, Source, solve, solve_all};
use crate::gdl::limits::{Exceeded, Excess};
use crate::gdl::program::{Pattern, Program, RelationId};
use crate::gdl::table::Table;
use crate::ids::Ids;
use crate::terms::TermId;

/// A rule whose body is to be solved.
#[derive(Clone, Copy)]
pub(super) struct Joining<'a> {
    pub program: &'a Program,
    pub tables: &'a [Table],
    pub planned: &'a Planned,
    pub reading: Reading<'a>,
    pub limits: &'a Growth<'a>,
}

impl Joining<'_> {
    /// Combinations that are tried at most to find all solutions where one for each head is enough.
    const WORTH_KEEPING: u64 = 1 << 19;

    /// Finds all heads. Returns the rule's solutions, these at the end, where they are to be kept and are not too many, and
    /// from which word on heads have the numbers that they got now.
    ///
    /// # Errors
    /// [`Exceeded`] at the first limit that is broken.
    pub(super) fn run(&self, heads: &mut Heads<'_>, work: &mut Work<'_>) -> Result<Option<(OfRule, usize)>, Exceeded> {
        if let Some(layout) = &self.planned.layout
            && let Some(kept) = work.found.of(layout)
        {
            let plan = self.reading.plan;
            let is_whole = plan.existential_from >= plan.steps.len();
            let mut share = work.fuel.share(if is_whole { u64::MAX } else { Joining::WORTH_KEEPING });
            let before = share.left;
            let from = kept.len();
            let result = self.all(heads, kept, work.found.room(), &mut share);
            work.fuel.left -= before - share.left;
            match result {
                Ok(Some(kept)) => return Ok(Some((kept, from))),
                Err(exceeded) if is_whole || exceeded.excess != Excess::Work => return Err(exceeded),
                _ => work.found.give_up(layout.rule),
            }
            heads.clear();
        }
        self.one_each(heads, &mut work.fuel).map(|()| None)
    }

    /// One solution at least for every head.
    fn one_each(&self, heads: &mut Heads<'_>, fuel: &mut Fuel) -> Result<(), Exceeded> {
        let one_is_enough = self.planned.head_variables.is_empty();
        let most = self.rows();
        let mut are_too_many = false;
        self.solve(false, fuel, &mut |solution| {
            are_too_many = self.add(heads, solution) as usize > most;
            if are_too_many || one_is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if are_too_many { Err(self.exceeded(Excess::Facts)) } else { Ok(()) }
    }

    /// All solutions, added to those that are kept; `None` where these take more words than there is room for.
    fn all(
        &self,
        heads: &mut Heads<'_>,
        mut kept: OfRule,
        room: usize,
        fuel: &mut Fuel,
    ) -> Result<Option<OfRule>, Exceeded> {
        let most = self.rows();
        let mut are_too_many = false;
        self.solve(true, fuel, &mut |solution| {
            let head = self.add(heads, solution);
            are_too_many = head as usize > most;
            if are_too_many || kept.len() > room {
                return ControlFlow::Break(());
            }
            kept.push(head, solution);
            ControlFlow::Continue(())
        })?;
        if are_too_many {
            return Err(self.exceeded(Excess::Facts));
        }
        Ok((kept.len() <= room).then_some(kept))
    }

    /// The number of a solution's head.
    fn add(&self, heads: &mut Heads<'_>, solution: &Solution<'_>) -> u32 {
        match heads {
            Heads::Table { table, tuple } => {
                tuple.clear();
                tuple.extend(self.program.rules[self.planned.rule].head.args.iter().map(|arg| match arg {
                    Pattern::Ground(term) => *term,
                    Pattern::Variable(variable) => solution.bindings[*variable as usize],
                    Pattern::Compound(..) => unreachable!("heads that make terms wait"),
                }));
                table.insert(tuple).0
            }
            Heads::Buffer(derived) => {
                let variables = &self.planned.head_variables;
                derived.add(variables.iter().map(|&variable| solution.bindings[variable as usize]))
            }
        }
    }

    /// How many rows the head's relation may have.
    fn rows(&self) -> usize {
        (self.limits.rows)(self.relation()).min(self.limits.limits.rows)
    }

    fn relation(&self) -> RelationId {
        self.program.rules[self.planned.rule].head.relation
    }

    fn exceeded(&self, excess: Excess) -> Exceeded {
        Exceeded { rule: self.planned.rule, relation: self.relation(), excess }
    }

    fn solve(
        &self,
        all: bool,
        fuel: &mut Fuel,
        sink: &mut dyn FnMut(&Solution<'_>) -> ControlFlow<()>,
    ) -> Result<(), Exceeded> {
        let Reading { plan, windows } = self.reading;
        let tables = self.tables;
        let source = Source {
            terms: &self.program.terms,
            tables,
            windows: Some(windows),
            accept: None,
            may_be_absent: &|_, _| false,
        };
        let solved = match all {
            true => solve_all(plan, &source, fuel, sink),
            false => solve(plan, &source, &[], fuel, sink),
        };
        let excess = |fuel: &Fuel| if fuel.left > 0 && fuel.is_late() { Excess::Time } else { Excess::Work };
        solved.map_err(|_| self.exceeded(excess(fuel)))
    }
}

/// Where a rule's heads go.
pub(super) enum Heads<'a> {
    /// Into their table at once. A head's number is its row.
    Table { table: &'a mut Table, tuple: Vec<TermId> },
    /// By the values of their variables, until they are built.
    Buffer(Derived),
}

impl<'a> Heads<'a> {
    /// At once into their table.
    pub(super) fn table(table: &'a mut Table) -> Heads<'a> {
        Heads::Table { table, tuple: Vec::new() }
    }

    /// To be put into their table later.
    pub(super) fn buffer(planned: &Planned) -> Heads<'a> {
        Heads::Buffer(Derived::new(planned))
    }

    /// Forgets what waits.
    fn clear(&mut self) {
        if let Heads::Buffer(derived) = self {
            derived.clear();
        }
    }

    /// The values of the variables of those that wait.
    pub(super) fn values(&self) -> impl Iterator<Item = &[TermId]> {
        let waiting = match self {
            Heads::Buffer(derived) => Some(derived),
            Heads::Table { .. } => None,
        };
        waiting.into_iter().flat_map(|derived| (0..derived.count).map(|head| derived.values_of(head)))
    }
}

/// What a rule gave: the values of its head's variables, each solution once.
pub(super) struct Derived {
    width: usize,
    count: usize,
    values: Vec<TermId>,
    /// The solutions by their values, where the rule can give one twice. A projection gives each a hundred times, and to
    /// build the head's terms costs more than to look here.
    seen: Option<Ids>,
}

impl Derived {
    fn new(planned: &Planned) -> Derived {
        let seen = planned.repeats.then(Ids::default);
        Derived { width: planned.head_variables.len(), count: 0, values: Vec::new(), seen }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.values.clear();
        self.seen.iter_mut().for_each(Ids::clear);
    }

    fn values_of(&self, head: usize) -> &[TermId] {
        &self.values[head * self.width..][..self.width]
    }

    /// The number of the head with these values, among those that differ.
    fn add(&mut self, solution: impl Iterator<Item = TermId>) -> u32 {
        let Derived { width, count, values, seen } = self;
        let at = values.len();
        values.extend(solution);
        if let Some(seen) = seen {
            let (old, new) = values.split_at(at);
            let row = |it: u32| &old[it as usize * *width..][..*width];
            let hash = FxBuildHasher.hash_one(new);
            if let Some(known) = seen.find(hash, |it| row(it) == new) {
                values.truncate(at);
                return known;
            }
            seen.insert(hash, *count as u32);
        }
        *count += 1;
        *count as u32 - 1
    }
}
