//! The same on several threads: the rows of one of the first conditions are shared out, and what each thread finds is put
//! together in the order of the rows, so that nothing tells how many threads there were.
//!
//! Threads of our own, not those of a pool: whoever waits for those may be given other work meanwhile, which may wait for
//! what the caller is about to make.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Fuel, OutOfFuel, Outcome, Plan, Rows, Run, Solution, Source, UNBOUND};
use crate::terms::TermId;

/// Takes the solutions of a plan.
pub(in crate::gdl) trait Collect: Send {
    /// Takes one more. Where it breaks, there are enough or too many, and nothing more is asked for.
    fn add(&mut self, solution: &Solution<'_>) -> ControlFlow<()>;

    /// What takes the solutions of a part.
    fn part(&self) -> Self;

    /// Takes what a part has; the parts come in order.
    fn append(&mut self, part: Self) -> ControlFlow<()>;
}

/// Pieces of work for each thread: none knows beforehand how much a row costs.
const PIECES: usize = 8;

/// Work that is not worth to be shared: a thread is there in the time in which a thousand combinations are tried.
pub(in crate::gdl) const CHEAP: f64 = 20_000.0;

/// Rows to be shared out.
const FEW: usize = 64;

/// How a body begins: the values and rows of the first conditions, and the rows of the next.
struct Beginning<'a> {
    bindings: Vec<TermId>,
    matched: Vec<u32>,
    rows: Rows<'a>,
}

impl Rows<'_> {
    fn len(&self) -> usize {
        match self {
            Rows::Range(rows) => rows.len(),
            Rows::Listed(rows) => rows.len(),
        }
    }
}

impl<'a> Rows<'a> {
    /// In pieces of so many.
    fn pieces(self, size: NonZeroUsize) -> Vec<Rows<'a>> {
        match self {
            Rows::Range(rows) => {
                let starts = rows.clone().step_by(size.get());
                starts.map(|start| Rows::Range(start..rows.end.min(start + size.get() as u32))).collect()
            }
            Rows::Listed(rows) => rows.chunks(size.get()).map(Rows::Listed).collect(),
        }
    }
}

/// Has `into` take the solutions of a plan, as [`super::solve`] would find them one after the other, on as many threads as
/// rayon's current pool has.
///
/// # Errors
/// [`OutOfFuel`] when the budget of candidates is spent, which does not depend on the threads.
pub(in crate::gdl) fn solve_shared<C: Collect + Sync>(
    plan: &Plan,
    source: &Source<'_>,
    fuel: &mut Fuel,
    into: &mut C,
) -> Result<(), OutOfFuel> {
    let threads = rayon::current_num_threads();
    let begun = if threads > 1 { Begun::new(plan, source, fuel) } else { None };
    match begun {
        Some(begun) => begun.in_pieces(threads, fuel, into),
        None => super::solve(plan, source, &[], fuel, &mut |solution| into.add(solution)),
    }
}

/// A plan of which the first conditions have been solved.
struct Begun<'a> {
    plan: &'a Plan,
    source: &'a Source<'a>,
    /// How many conditions that are.
    at: usize,
    beginnings: Vec<Beginning<'a>>,
    /// Fuel that was spent.
    spent: u64,
}

/// What became of a piece.
struct Done<C> {
    piece: usize,
    found: C,
    spent: u64,
    is_out_of_fuel: bool,
}

impl<'a> Begun<'a> {
    /// Solves so many conditions that the next has rows for all threads.
    fn new(plan: &'a Plan, source: &'a Source<'a>, fuel: &Fuel) -> Option<Begun<'a>> {
        let mut begun: Option<Begun<'a>> = None;
        for at in (0..plan.steps.len().min(plan.existential_from)).filter(|&at| plan.steps[at].several().is_some()) {
            if begun.as_ref().is_some_and(|begun| begun.rows() >= FEW) {
                break;
            }
            begun = Some(Begun::up_to(at, plan, source, fuel)?);
        }
        begun.filter(|begun| begun.rows() > 1)
    }

    fn up_to(at: usize, plan: &'a Plan, source: &'a Source<'a>, fuel: &Fuel) -> Option<Begun<'a>> {
        let several = plan.steps[at].several().expect("a condition with several rows");
        let mut own = fuel.share(u64::MAX);
        let mut beginnings = Vec::new();
        let mut run = Run {
            steps: &plan.steps[..at],
            existential_from: usize::MAX,
            source,
            bindings: vec![UNBOUND; plan.variables],
            rows: vec![u32::MAX; plan.literals()],
            fuel: &mut own,
            sink: &mut |solution| {
                let rows = source.rows(&several, solution.bindings);
                let (bindings, matched) = (solution.bindings.to_vec(), solution.rows.to_vec());
                beginnings.push(Beginning { bindings, matched, rows });
                ControlFlow::Continue(())
            },
        };
        run.step(0).fuelled().ok()?;
        Some(Begun { plan, source, at, beginnings, spent: fuel.left - own.left })
    }

    fn rows(&self) -> usize {
        self.beginnings.iter().map(|beginning| beginning.rows.len()).sum()
    }

    fn in_pieces<C: Collect + Sync>(self, threads: usize, fuel: &mut Fuel, into: &mut C) -> Result<(), OutOfFuel> {
        fuel.left -= self.spent;
        let size = NonZeroUsize::new(self.rows().div_ceil(threads * PIECES)).expect("there are rows");
        let of = |beginning: &'_ Beginning<'a>| beginning.rows.clone().pieces(size);
        let pieces: Vec<(&Beginning<'_>, Rows<'_>)> =
            self.beginnings.iter().flat_map(|it| of(it).into_iter().map(move |rows| (it, rows))).collect();
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let (whole, left) = (&*into, &*fuel);
        let work = || {
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                let Some((beginning, rows)) = pieces.get(piece) else { return };
                let (it, goes_on) = self.piece(piece, beginning, rows.clone(), left, whole.part());
                done.lock().expect("nobody panics with it").push(it);
                if !goes_on {
                    next.store(pieces.len(), Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            (1..threads.min(pieces.len())).for_each(|_| _ = scope.spawn(work));
            work();
        });
        let mut done: Vec<Done<C>> = done.into_inner().expect("nobody panics with it");
        done.sort_unstable_by_key(|it| it.piece);
        let spent: u64 = done.iter().map(|it| it.spent).sum();
        let is_out_of_fuel = spent > fuel.left || done.iter().any(|it| it.is_out_of_fuel);
        fuel.left = fuel.left.saturating_sub(spent);
        for it in done {
            if into.append(it.found).is_break() {
                return Ok(());
            }
        }
        if is_out_of_fuel { Err(OutOfFuel) } else { Ok(()) }
    }

    /// Solves the conditions that are left, for some rows of the first of them. Also whether the other pieces are to be
    /// done, too.
    fn piece<C: Collect>(
        &self,
        piece: usize,
        beginning: &Beginning<'_>,
        rows: Rows<'_>,
        fuel: &Fuel,
        mut found: C,
    ) -> (Done<C>, bool) {
        let several = self.plan.steps[self.at].several().expect("a condition with several rows");
        let mut own = fuel.share(u64::MAX);
        let mut run = Run {
            steps: &self.plan.steps,
            existential_from: self.plan.existential_from,
            source: self.source,
            bindings: beginning.bindings.clone(),
            rows: beginning.matched.clone(),
            fuel: &mut own,
            sink: &mut |solution| found.add(solution),
        };
        let outcome = run.scan(self.at, &several, rows);
        let goes_on = matches!(outcome, Outcome::None | Outcome::Found);
        let is_out_of_fuel = matches!(outcome, Outcome::OutOfFuel);
        (Done { piece, found, spent: fuel.left - own.left, is_out_of_fuel }, goes_on)
    }
}
