//! Executes the plans of rule bodies (see `plan`): index nested-loop joins.

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use super::program::{Condition, Pattern, RelationId, UNBOUND};
use super::table::Table;
use crate::Budget;
use crate::terms::{Sym, TermId, Terms};

/// The treatment of an argument, or a part of it, when a tuple is matched.
#[derive(Clone, Debug)]
pub(super) enum Match {
    Bind(u32),
    Check(u32),
    Equal(TermId),
    Compound(Sym, Box<[Match]>),
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Matches the tuples of body literal `literal`.
    Scan {
        literal: u32,
        relation: RelationId,
        index: Option<usize>,
        args: Box<[Pattern]>,
        matches: Box<[Match]>,
        /// All arguments are bound, so there is at most one tuple.
        single: bool,
    },
    /// Succeeds if the tuple is absent.
    Absent {
        literal: u32,
        relation: RelationId,
        args: Box<[Pattern]>,
    },
    Distinct(Pattern, Pattern),
}

/// An order in which to solve one rule's body.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub steps: Vec<Step>,
    pub variables: usize,
    /// From this step on no variable that the caller needs is bound, so one success is enough.
    pub existential_from: usize,
    /// True if the rows of the first condition are best read from the last to the first, unless all solutions are wanted.
    pub last_first: bool,
    /// The number of combinations tried, estimated from the tables when the plan was made.
    pub cost: f64,
}

impl Plan {
    /// Completes the indexes that the plan reads: to be called before [`solve`] if tables may have grown.
    pub(super) fn complete(&self, terms: &Terms, tables: &mut [Table]) {
        for step in &self.steps {
            if let Step::Scan { relation, index: Some(slot), .. } = step {
                tables[relation.index()].complete(*slot, terms);
            }
        }
    }
}

#[inline]
fn matches(part: &Match, terms: &Terms, term: TermId, bindings: &mut [TermId]) -> bool {
    match part {
        Match::Bind(variable) => {
            bindings[*variable as usize] = term;
            true
        }
        Match::Check(variable) => bindings[*variable as usize] == term,
        Match::Equal(ground) => *ground == term,
        Match::Compound(functor, parts) => matches_compound(*functor, parts, terms, term, bindings),
    }
}

/// A separate function, so that `matches` is short enough to be inlined.
fn matches_compound(functor: Sym, parts: &[Match], terms: &Terms, term: TermId, bindings: &mut [TermId]) -> bool {
    let Some(args) = terms.args(term) else { return false };
    terms.functor(term) == functor
        && args.len() == parts.len()
        && parts.iter().zip(args).all(|(part, &arg)| matches(part, terms, arg, bindings))
}

/// A solution of a body: the values of the variables, and the matched row of each positive literal.
pub(super) struct Solution<'a> {
    pub bindings: &'a [TermId],
    /// The row of each body literal, or `u32::MAX` if a negative literal's tuple is not in the table.
    pub rows: &'a [u32],
}

/// The tables and filters that a join reads.
pub(super) struct Source<'a> {
    pub terms: &'a Terms,
    pub tables: &'a [Table],
    /// The rows that each body literal may use. `None` allows all rows.
    pub windows: Option<&'a [Range<u32>]>,
    /// Returns true if a row is worth matching. `None` accepts all rows.
    pub accept: Option<&'a dyn Fn(RelationId, u32) -> bool>,
    /// Returns true if a row in the table may still count as absent (its gate is not true).
    pub may_be_absent: &'a dyn Fn(RelationId, u32) -> bool,
}

/// A budget of candidates to match; a join stops when it is used up or the time is spent.
pub(super) struct Fuel {
    pub left: u64,
    budget: Budget,
}

impl Fuel {
    /// The number of candidates between two checks of the clock.
    const PACE: u64 = 1 << 14;
    const STEPS: u64 = 60;

    pub(super) fn new(left: u64, budget: &Budget) -> Fuel {
        Fuel { left, budget: budget.clone() }
    }

    /// At most `most` units of this fuel.
    pub(super) fn share(&self, most: u64) -> Fuel {
        Fuel::new(self.left.min(most), &self.budget)
    }

    /// True if nothing is left. Call it before every candidate.
    fn is_out(&self) -> bool {
        self.left == 0
            || (self.left.is_multiple_of(Fuel::PACE) && {
                self.budget.count(Fuel::PACE * Fuel::STEPS);
                self.is_late()
            })
    }

    /// True if the time budget is spent.
    pub(super) fn is_late(&self) -> bool {
        self.budget.is_spent()
    }
}

/// The error when the fuel ran out.
pub(super) struct OutOfFuel;

struct Run<'a> {
    plan: &'a Plan,
    /// From this step on one success is enough.
    existential_from: usize,
    last_first: bool,
    source: &'a Source<'a>,
    bindings: Vec<TermId>,
    rows: Vec<u32>,
    fuel: &'a mut Fuel,
    sink: &'a mut dyn FnMut(&Solution<'_>) -> ControlFlow<()>,
}

enum Outcome {
    None,
    BodySolutions,
    Stop,
    OutOfFuel,
}

/// Calls `sink` with the solutions of a plan until it breaks. If one success is enough from some step on, the steps
/// from there on are solved once.
///
/// # Errors
/// [`OutOfFuel`] when the budget of candidates is spent.
pub(super) fn solve(
    plan: &Plan,
    source: &Source<'_>,
    start: &[(u32, TermId)],
    fuel: &mut Fuel,
    sink: &mut dyn FnMut(&Solution<'_>) -> ControlFlow<()>,
) -> Result<(), OutOfFuel> {
    run(plan, false, source, start, fuel, sink)
}

/// Like [`solve`], with all solutions even if one would be enough.
///
/// # Errors
/// Like [`solve`].
pub(super) fn solve_all(
    plan: &Plan,
    source: &Source<'_>,
    fuel: &mut Fuel,
    sink: &mut dyn FnMut(&Solution<'_>) -> ControlFlow<()>,
) -> Result<(), OutOfFuel> {
    run(plan, true, source, &[], fuel, sink)
}

fn run(
    plan: &Plan,
    all: bool,
    source: &Source<'_>,
    start: &[(u32, TermId)],
    fuel: &mut Fuel,
    sink: &mut dyn FnMut(&Solution<'_>) -> ControlFlow<()>,
) -> Result<(), OutOfFuel> {
    let mut bindings = vec![UNBOUND; plan.variables];
    for &(variable, term) in start {
        bindings[variable as usize] = term;
    }
    let literals = plan.steps.iter().filter_map(Step::literal).max().map_or(0, |last| last as usize + 1);
    let last_first = plan.last_first && !all;
    let existential_from = if all { usize::MAX } else { plan.existential_from };
    let rows = vec![u32::MAX; literals];
    let mut run = Run { plan, existential_from, last_first, source, bindings, rows, fuel, sink };
    match run.step(0) {
        Outcome::OutOfFuel => Err(OutOfFuel),
        _ => Ok(()),
    }
}

impl Step {
    fn literal(&self) -> Option<u32> {
        match self {
            Step::Scan { literal, .. } | Step::Absent { literal, .. } => Some(*literal),
            Step::Distinct(..) => None,
        }
    }
}

impl Run<'_> {
    fn step(&mut self, at: usize) -> Outcome {
        let Some(step) = self.plan.steps.get(at) else {
            let solution = Solution { bindings: &self.bindings, rows: &self.rows };
            return if (self.sink)(&solution).is_break() { Outcome::Stop } else { Outcome::BodySolutions };
        };
        match step {
            Step::Distinct(left, right) => {
                if left.is_same(right, self.source.terms, &self.bindings) {
                    Outcome::None
                } else {
                    self.step(at + 1)
                }
            }
            Step::Absent { literal, relation, args } => {
                let row = find(self.source, *relation, args, &self.bindings);
                self.rows[*literal as usize] = row.unwrap_or(u32::MAX);
                match row {
                    Some(row) if !(self.source.may_be_absent)(*relation, row) => Outcome::None,
                    _ => self.step(at + 1),
                }
            }
            Step::Scan { literal, relation, index, args, matches, single } => {
                let table = &self.source.tables[relation.index()];
                let window = self.source.windows.map_or(0..table.len(), |windows| windows[*literal as usize].clone());
                if *single {
                    let row = find(self.source, *relation, args, &self.bindings);
                    return match row {
                        Some(row) if window.contains(&row) => self.candidate(at, *literal, *relation, row, None),
                        _ => Outcome::None,
                    };
                }
                match index {
                    Some(slot) => {
                        let rows = table.lookup(*slot, args, self.source.terms, &self.bindings);
                        let start = rows.partition_point(|&row| row < window.start);
                        let rows = rows[start..].iter().copied().take_while(|&row| row < window.end);
                        match at == 0 && self.last_first {
                            true => {
                                self.scan(at, *literal, *relation, matches, rows.collect::<Vec<_>>().into_iter().rev())
                            }
                            false => self.scan(at, *literal, *relation, matches, rows),
                        }
                    }
                    None if at == 0 && self.last_first => self.scan(at, *literal, *relation, matches, window.rev()),
                    None => self.scan(at, *literal, *relation, matches, window),
                }
            }
        }
    }

    fn scan(
        &mut self,
        at: usize,
        literal: u32,
        relation: RelationId,
        parts: &[Match],
        rows: impl Iterator<Item = u32>,
    ) -> Outcome {
        let mut result = Outcome::None;
        for row in rows {
            match self.candidate(at, literal, relation, row, Some(parts)) {
                Outcome::None => {}
                Outcome::BodySolutions => {
                    if at >= self.existential_from {
                        return Outcome::BodySolutions;
                    }
                    result = Outcome::BodySolutions;
                }
                stop => return stop,
            }
        }
        result
    }

    fn candidate(
        &mut self,
        at: usize,
        literal: u32,
        relation: RelationId,
        row: u32,
        parts: Option<&[Match]>,
    ) -> Outcome {
        if self.fuel.is_out() {
            return Outcome::OutOfFuel;
        }
        self.fuel.left -= 1;
        if self.source.accept.is_some_and(|accept| !accept(relation, row)) {
            return Outcome::None;
        }
        if let Some(parts) = parts {
            let (terms, tuple) = (self.source.terms, self.source.tables[relation.index()].row(row));
            if !parts.iter().zip(tuple).all(|(part, &term)| matches(part, terms, term, &mut self.bindings)) {
                return Outcome::None;
            }
        }
        self.rows[literal as usize] = row;
        self.step(at + 1)
    }
}

/// True if a condition holds under a binding of all its variables, by the tables of all relations.
pub(super) fn holds(condition: &Condition, terms: &Terms, tables: &[Table], bindings: &[TermId]) -> bool {
    match condition {
        Condition::Distinct(left, right) => !left.is_same(right, terms, bindings),
        Condition::Positive(atom) | Condition::Negative(atom) => {
            let tuple: Option<SmallVec<[TermId; 8]>> = atom.args.iter().map(|arg| arg.find(terms, bindings)).collect();
            let row = tuple.and_then(|tuple| tables[atom.relation.index()].find(&tuple));
            row.is_some() == matches!(condition, Condition::Positive(_))
        }
    }
}

/// The row of a ground atom.
fn find(source: &Source<'_>, relation: RelationId, args: &[Pattern], bindings: &[TermId]) -> Option<u32> {
    let mut tuple = [UNBOUND; 8];
    let table = &source.tables[relation.index()];
    if args.len() <= tuple.len() {
        for (place, arg) in tuple.iter_mut().zip(args) {
            *place = arg.find(source.terms, bindings)?;
        }
        return table.find(&tuple[..args.len()]);
    }
    let tuple: Option<Vec<TermId>> = args.iter().map(|arg| arg.find(source.terms, bindings)).collect();
    table.find(&tuple?)
}
