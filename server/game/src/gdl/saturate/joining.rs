//! Solves the body of one rule and stores its heads.

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
    /// The maximum number of combinations tried to find all solutions if one for each head is enough.
    const WORTH_KEEPING: u64 = 1 << 19;

    /// Finds all heads. If the rule's solutions are to be kept and are not too many, returns them, the new ones at the
    /// end, and the index of the first word that refers to heads by the current numbers.
    ///
    /// # Errors
    /// [`Exceeded`] at the first limit that is exceeded.
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

    /// Finds at least one solution for every head.
    fn one_each(&self, heads: &mut Heads<'_>, fuel: &mut Fuel) -> Result<(), Exceeded> {
        let all = if self.planned.head_variables.is_empty() { Some(1) } else { self.planned.most };
        let most = self.rows();
        let mut are_too_many = false;
        self.solve(false, fuel, &mut |solution| {
            let head = self.add(heads, solution);
            are_too_many = head as usize > most;
            let are_all = all.is_some_and(|all| head + 1 >= all);
            if are_too_many || are_all { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if are_too_many { Err(self.exceeded(Excess::Facts)) } else { Ok(()) }
    }

    /// Adds all solutions to the kept ones; `None` if these take more words than there is room for.
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

    /// Adds the head of a solution and returns its number.
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

    /// The maximum number of rows of the head's relation.
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

/// The destination of a rule's heads.
pub(super) enum Heads<'a> {
    /// They are put into their table at once. A head's number is its row.
    Table { table: &'a mut Table, tuple: Vec<TermId> },
    /// They are kept as the values of their variables until the terms are built.
    Buffer(Derived),
}

impl<'a> Heads<'a> {
    /// Heads that are put into their table directly.
    pub(super) fn table(table: &'a mut Table) -> Heads<'a> {
        Heads::Table { table, tuple: Vec::new() }
    }

    /// Heads that are put into their table later.
    pub(super) fn buffer(planned: &Planned) -> Heads<'a> {
        Heads::Buffer(Derived::new(planned))
    }

    /// Drops the buffered heads.
    fn clear(&mut self) {
        if let Heads::Buffer(derived) = self {
            derived.clear();
        }
    }

    /// The values of the variables of the buffered heads.
    pub(super) fn values(&self) -> impl Iterator<Item = &[TermId]> {
        let waiting = match self {
            Heads::Buffer(derived) => Some(derived),
            Heads::Table { .. } => None,
        };
        waiting.into_iter().flat_map(|derived| (0..derived.count).map(|head| derived.values_of(head)))
    }
}

/// The results of a rule: the values of its head's variables, each solution once.
pub(super) struct Derived {
    width: usize,
    count: usize,
    values: Vec<TermId>,
    /// The solutions by their values, if the rule can derive one twice. A projection derives each solution a hundred
    /// times, and building the terms of its head costs more than a lookup here.
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

    /// Adds a head with these values, unless it is known, and returns its number.
    fn add(&mut self, solution: impl Iterator<Item = TermId>) -> u32 {
        let Derived { width, count, values, seen } = self;
        let at = values.len();
        values.extend(solution);
        if let Some(seen) = seen {
            let (old, new) = values.split_at(at);
            let row = |it: u32| &old[it as usize * *width..][..*width];
            let head = seen.find_or_insert(FxBuildHasher.hash_one(new), *count as u32, |it| row(it) == new);
            if head < *count as u32 {
                values.truncate(at);
                return head;
            }
        }
        *count += 1;
        *count as u32 - 1
    }
}
