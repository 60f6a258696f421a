//! Evaluation of plans and conditions, two-valued and three-valued by the same code.
//!
//! A [`World`] is a pair of states: possible facts (`upper`) and certain facts (`lower`). A two-valued state is the
//! pair with itself. "May hold" for a condition reads positive literals in `upper` and negative ones in `lower`;
//! "certainly holds" is "may hold" in the swapped world, so one evaluator suffices for both.

use std::{cell::RefCell, ops::ControlFlow};

use super::{faults::Faults, layout::NONE, model::*, plan::*};
use crate::{Budget, Pace, circuit::Order};

/// The location of a ground numeric fluent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// A register of the state.
    Word(u32),
    /// One of `len` fluents holds: the value is `low` plus its rank.
    Bits { first: u32, low: i64, len: u32 },
}

/// The budget of a search for bindings. Once it is spent the search ends, and what it found is of no use: callers ask
/// [`Until::is_over`] after it.
pub(crate) struct Until<'a> {
    budget: &'a Budget,
    pace: RefCell<Pace>,
}

impl<'a> Until<'a> {
    pub(super) fn new(budget: &'a Budget) -> Until<'a> {
        Until { budget, pace: RefCell::default() }
    }

    pub(super) fn is_over(&self) -> bool {
        self.budget.is_spent()
    }

    fn look(&self) -> ControlFlow<()> {
        match self.pace.borrow_mut().stop(self.budget) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub upper: &'a [u64],
    pub lower: &'a [u64],
    /// Bounds of the registers, which stay the least and the greatest in a swapped world.
    pub least: &'a [i64],
    pub greatest: &'a [i64],
    pub locations: &'a [Location],
    pub is_swapped: bool,
    /// The recorder of numbers that no match can have, for states of matches.
    pub faults: Option<&'a Faults>,
    /// The end of a search that may take long; none for a state of a match.
    pub until: Option<&'a Until<'a>>,
}

#[inline]
pub(crate) fn has(bits: &[u64], id: u32) -> bool {
    bits.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
}

impl<'a> World<'a> {
    pub(super) fn swap(self) -> World<'a> {
        World { upper: self.lower, lower: self.upper, is_swapped: !self.is_swapped, ..self }
    }

    /// The least and greatest value of a ground numeric fluent.
    pub(super) fn register(&self, register: u32) -> (i64, i64) {
        match self.locations[register as usize] {
            Location::Word(word) => (self.least[word as usize], self.greatest[word as usize]),
            Location::Bits { first, low, len } => {
                let bits = if self.is_swapped { self.lower } else { self.upper };
                let mut values = (0..len).filter(|&rank| has(bits, first + rank));
                let least = values.next().unwrap_or(0);
                let greatest = values.next_back().unwrap_or(least);
                (low + least as i64, low + greatest as i64)
            }
        }
    }

    /// The least and greatest value of an expression.
    pub(super) fn range(&self, expression: &Expression, frame: &Frame) -> (i64, i64) {
        self.evaluated(expression, frame, false)
    }

    /// Evaluates an expression. `is_used`: false in a condition, in which a division by zero is not a fault.
    fn evaluated(&self, expression: &Expression, frame: &Frame, is_used: bool) -> (i64, i64) {
        match expression {
            Expression::Constant(value) => (*value, *value),
            Expression::Table(atom, values) => {
                let value = values.get(atom.id(frame) as usize).copied().unwrap_or(0);
                (value, value)
            }
            Expression::Register(atom) => match atom.id(frame) {
                NONE => (0, 0),
                register => self.register(register),
            },
            Expression::Binary(op, left, right, range) => {
                let (left, right) = (self.evaluated(left, frame, is_used), self.evaluated(right, frame, is_used));
                if let Some(faults) = self.faults
                    && (is_used || right.0 != 0)
                {
                    faults.look(*op, left.0, right.0, *range);
                }
                combine(*op, left, right)
            }
        }
    }

    /// The value in a two-valued world.
    pub(super) fn value(&self, expression: &Expression, frame: &Frame) -> i64 {
        self.evaluated(expression, frame, true).0
    }

    fn compare(&self, order: Order, left: &Expression, right: &Expression, frame: &Frame) -> bool {
        let (left, right) = (self.range(left, frame), self.range(right, frame));
        match (order, self.is_swapped) {
            (Order::Less, false) => left.0 < right.1,
            (Order::Less, true) => left.1 < right.0,
            (Order::LessEqual, false) => left.0 <= right.1,
            (Order::LessEqual, true) => left.1 <= right.0,
            (Order::Equal, false) => left.0 <= right.1 && right.0 <= left.1,
            (Order::Equal, true) => left.0 == left.1 && left == right,
        }
    }

    /// True if the condition may hold (in a swapped world: if it certainly holds).
    pub(super) fn may(&self, condition: &Cond, frame: &mut Frame) -> bool {
        match condition {
            Cond::True => true,
            Cond::False => false,
            Cond::Equal(left, right) => left.get(frame) == right.get(frame),
            Cond::Static(atom, table) => {
                let id = atom.id(frame);
                id != NONE && has(table.bits().unwrap_or(&[]), id)
            }
            Cond::SparseStatic(args, table) => {
                let row: Vec<Obj> = args.iter().map(|term| term.get(frame)).collect();
                table.contains(&row)
            }
            Cond::Fluent(atom) => {
                let id = atom.id(frame);
                id != NONE && has(self.upper, id)
            }
            Cond::Compare(order, left, right) => self.compare(*order, left, right, frame),
            Cond::Not(inner) => !self.swap().may(inner, frame),
            Cond::And(parts) => parts.iter().all(|part| self.may(part, frame)),
            Cond::Or(parts) => parts.iter().any(|part| self.may(part, frame)),
            Cond::Exists(plan) => self.any(plan, frame),
        }
    }

    /// True if some binding may satisfy the plan.
    pub(super) fn any(&self, plan: &Plan, frame: &mut Frame) -> bool {
        self.each(plan, frame, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// Calls `visit` with the frame of every binding that may satisfy the plan.
    pub(super) fn each<F>(&self, plan: &Plan, frame: &mut Frame, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame) -> ControlFlow<()>,
    {
        self.from(&plan.steps, frame, visit)
    }

    /// Like [`World::each`], for the first steps of a plan.
    pub(super) fn each_of<F>(&self, steps: &[Step], frame: &mut Frame, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame) -> ControlFlow<()>,
    {
        self.from(steps, frame, visit)
    }

    fn from<F>(&self, steps: &[Step], frame: &mut Frame, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame) -> ControlFlow<()>,
    {
        let Some((step, rest)) = steps.split_first() else { return visit(frame) };
        match step {
            Step::Test(condition) => {
                if self.may(condition, frame) {
                    self.from(rest, frame, visit)?;
                }
                ControlFlow::Continue(())
            }
            Step::Domain(slot, objects) => {
                for &object in objects.iter() {
                    frame[*slot as usize % MAX_SLOTS] = object;
                    self.bound(rest, frame, visit)?;
                }
                ControlFlow::Continue(())
            }
            Step::Rows(rows) => rows.each(frame, &mut |frame| self.bound(rest, frame, visit)),
            Step::Scan(scan) => scan.each(self, frame, &mut |frame, _| self.bound(rest, frame, visit)),
        }
    }

    /// Continues after a step that bound variables.
    fn bound<F>(&self, rest: &[Step], frame: &mut Frame, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame) -> ControlFlow<()>,
    {
        self.look()?;
        self.from(rest, frame, visit)
    }

    /// Breaks if the search must end.
    pub(super) fn look(&self) -> ControlFlow<()> {
        self.until.map_or(ControlFlow::Continue(()), Until::look)
    }
}

/// The operation on intervals.
fn combine(op: Operation, left: (i64, i64), right: (i64, i64)) -> (i64, i64) {
    if left.0 == left.1 && right.0 == right.1 {
        let value = op.apply(left.0, right.0);
        return (value, value);
    }
    match op {
        Operation::Add => (left.0.saturating_add(right.0), left.1.saturating_add(right.1)),
        Operation::Subtract => (left.0.saturating_sub(right.1), left.1.saturating_sub(right.0)),
        Operation::Divide if right.0 <= 0 && right.1 >= 0 => {
            // Around a divisor of zero the quotient can be anything up to the dividend's size.
            let size = left.0.saturating_abs().max(left.1.saturating_abs());
            (-size, size)
        }
        Operation::Multiply | Operation::Divide => {
            let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)]
                .map(|(left, right)| op.apply(left, right));
            (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
        }
    }
}

/// The lowest `count` bits.
fn mask(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The `length` bits from `start`, as words with their offsets; the last word is filled up with zeros.
fn words(bits: &[u64], start: u32, length: u32) -> impl Iterator<Item = (u32, u64)> {
    let word = |index: usize| bits.get(index).copied().unwrap_or(0);
    let shift = start % 64;
    (0..length).step_by(64).map(move |at| {
        let index = (start + at) as usize / 64;
        let low = word(index) >> shift;
        let high = if shift == 0 { 0 } else { word(index + 1) << (64 - shift) };
        (at, (low | high) & mask(length - at))
    })
}

fn passes(filters: &[Filter], frame: &Frame) -> bool {
    filters.iter().all(|filter| filter.allowed[frame[filter.slot as usize % MAX_SLOTS] as usize])
}

impl Rows {
    pub(super) fn each<F>(&self, frame: &mut Frame, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame) -> ControlFlow<()>,
    {
        for row in self.index.matching(|at| self.args[at].get(frame)) {
            for &at in &self.bind {
                if let Term::Var(slot) = self.args[at] {
                    frame[slot as usize % MAX_SLOTS] = row[at];
                }
            }
            if self.compare.iter().all(|&at| self.args[at].get(frame) == row[at]) && passes(&self.filters, frame) {
                visit(frame)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Scan {
    /// True if the atoms are one contiguous run of bits, all of which are needed.
    pub(super) fn is_run(&self) -> bool {
        self.run.0 == self.free.len() && self.filters.is_empty()
    }

    /// For a scan that is a run, the number of atoms from `start` (see [`Scan::start`]) that hold or, if negated, do
    /// not.
    pub(super) fn count(&self, world: &World, start: u32) -> u32 {
        if start == NONE {
            return if self.is_negated { self.run.1 } else { 0 };
        }
        let bits = if self.is_negated { world.lower } else { world.upper };
        let held = words(bits, start, self.run.1).map(|(_, word)| word.count_ones()).sum();
        if self.is_negated { self.run.1 - held } else { held }
    }

    /// For a scan that is a run, binds its atom with `rank` among those that [`Scan::count`] counts.
    pub(super) fn nth(&self, world: &World, start: u32, rank: u32, bind: &mut impl FnMut(u8, Obj)) {
        let mut offset = if start == NONE { rank } else { self.offset(world, start, rank) };
        for free in self.free.iter().rev() {
            let size = free.objects.len() as u32;
            bind(free.slot, free.objects[(offset % size) as usize]);
            offset /= size;
        }
    }

    fn offset(&self, world: &World, start: u32, mut rank: u32) -> u32 {
        let bits = if self.is_negated { world.lower } else { world.upper };
        for (at, mut word) in words(bits, start, self.run.1) {
            if self.is_negated {
                word = !word & mask((self.run.1 - at).min(64));
            }
            let count = word.count_ones();
            if rank < count {
                for _ in 0..rank {
                    word &= word - 1;
                }
                return at + word.trailing_zeros();
            }
            rank -= count;
        }
        0
    }

    /// Calls `visit` with every atom that may hold (negated: that may not hold), and its number; [`NONE`] for an atom
    /// that has none because it never holds.
    pub(super) fn each<F>(&self, world: &World, frame: &mut Frame, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame, u32) -> ControlFlow<()>,
    {
        let bits = if self.is_negated { world.lower } else { world.upper };
        let start = self.start.id(frame);
        if start == NONE {
            // The bound arguments rule the atom out, so its negation holds for every binding of the others.
            return if self.is_negated { self.all(&self.free, frame, visit) } else { ControlFlow::Continue(()) };
        }
        let (outer, run) = self.free.split_at(self.free.len() - self.run.0);
        self.outer(outer, run, start, bits, frame, visit)
    }

    fn all<F>(&self, free: &[Free], frame: &mut Frame, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame, u32) -> ControlFlow<()>,
    {
        let Some((first, rest)) = free.split_first() else { return visit(frame, NONE) };
        for &object in first.objects.iter() {
            frame[first.slot as usize % MAX_SLOTS] = object;
            self.all(rest, frame, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn outer<F>(
        &self,
        outer: &[Free],
        run: &[Free],
        start: u32,
        bits: &[u64],
        frame: &mut Frame,
        visit: &mut F,
    ) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame, u32) -> ControlFlow<()>,
    {
        let Some((free, rest)) = outer.split_first() else { return self.run(run, start, bits, frame, visit) };
        if rest.is_empty() && run.is_empty() {
            // The usual case of one strided position: do not recurse for bits that are clear.
            for (rank, &object) in free.objects.iter().enumerate() {
                let id = start + rank as u32 * free.stride;
                if has(bits, id) != self.is_negated {
                    frame[free.slot as usize % MAX_SLOTS] = object;
                    if passes(&self.filters, frame) {
                        visit(frame, id)?;
                    }
                }
            }
            return ControlFlow::Continue(());
        }
        for (rank, &object) in free.objects.iter().enumerate() {
            frame[free.slot as usize % MAX_SLOTS] = object;
            self.outer(rest, run, start + rank as u32 * free.stride, bits, frame, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn run<F>(&self, run: &[Free], start: u32, bits: &[u64], frame: &mut Frame, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(&mut Frame, u32) -> ControlFlow<()>,
    {
        let end = start + self.run.1;
        let mut at = start;
        let flip = if self.is_negated { u64::MAX } else { 0 };
        while at < end {
            let word = (bits.get(at as usize / 64).copied().unwrap_or(0) ^ flip) >> (at % 64);
            if word == 0 {
                at = (at / 64 + 1) * 64;
                continue;
            }
            at += word.trailing_zeros();
            if at >= end {
                break;
            }
            let mut offset = at - start;
            for free in run.iter().rev() {
                let size = free.objects.len() as u32;
                frame[free.slot as usize % MAX_SLOTS] = free.objects[(offset % size) as usize];
                offset /= size;
            }
            if passes(&self.filters, frame) {
                visit(frame, at)?;
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }
}
