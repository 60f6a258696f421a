//! Solvers for clauses, behind one trait: the rest of the crate names no solver.
//!
//! [`cadical`] is the solver that searches (`batsat` on targets for which CaDiCaL does not build). It can record why
//! its answers *no* are right. [`log`] holds that record, [`steps`] is its written form, and [`lrat`] follows it, in
//! time linear in its length and without search. The follower is a solver like any other, with the limit that it only
//! gives the answers whose reasons are in the proof. So the writer of a proof and its checker ask the same questions by
//! the same code.

#[cfg(any(target_family = "wasm", test))]
mod batsat;
#[cfg(not(target_family = "wasm"))]
mod cadical;
mod log;
mod lrat;
pub(crate) mod steps;

#[cfg(not(target_family = "wasm"))]
use cadical::Cadical;
pub(crate) use log::Log;
pub use lrat::Fault;
pub(crate) use lrat::Follower;

use std::cell::RefCell;
use std::rc::Rc;

use crate::Budget;

/// The kind of questions a solver is set up for; the names are CaDiCaL's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Setup {
    Default,
    /// Questions that mostly have the answer *no*.
    Unsat,
    /// Many easy questions: clauses are not simplified between them.
    Plain,
}

/// Creates the solver that searches on this target: CaDiCaL, or `batsat` if CaDiCaL does not build (in a web page).
#[cfg(not(target_family = "wasm"))]
pub(crate) fn searching(setup: Setup, budget: &Budget) -> Box<dyn Solver> {
    Box::new(Cadical::new(setup, budget))
}

/// Like [`searching`]; also writes the reasons of the answers *no* into `log`.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn logging(log: &Rc<RefCell<Log>>, budget: &Budget) -> Box<dyn Solver> {
    Box::new(Cadical::logging(log.clone(), budget))
}

/// Creates the solver that searches in a web page.
#[cfg(target_family = "wasm")]
pub fn searching(_: Setup, budget: &Budget) -> Box<dyn Solver> {
    Box::new(batsat::BatSat::new(budget))
}

/// Creates the solver of web pages, which writes no proofs: a certificate made there is empty, and its reader reports
/// so.
#[cfg(target_family = "wasm")]
pub(crate) fn logging(_: &Rc<RefCell<Log>>, budget: &Budget) -> Box<dyn Solver> {
    searching(Setup::Unsat, budget)
}

/// An incremental solver. Literals are as in DIMACS: variables count from 1, negation is a minus.
pub(crate) trait Solver {
    /// Demands that one of the literals is true, for good.
    fn add(&mut self, clause: &[i32]);

    /// True if all demands can hold together with `assumptions`. `None` if the budget was spent or the solver cannot
    /// decide.
    fn solve(&mut self, assumptions: &[i32]) -> Option<bool>;

    /// Like [`Solver::solve`], but it may give up after about `_contradictions` contradictions.
    fn solve_briefly(&mut self, assumptions: &[i32], _contradictions: u32) -> Option<bool> {
        self.solve(assumptions)
    }

    /// After the answer *yes*: true if the variable is true in the model found.
    fn value(&self, variable: i32) -> bool;

    /// After the answer *no*: true if this assumption took part in the contradiction.
    fn failed(&self, assumption: i32) -> bool;

    /// Sets the budget of all further questions.
    fn limit(&mut self, budget: &Budget);

    /// Returns the reason why the answers are not trustworthy, or were not given, other than lack of time.
    fn fault(&self) -> Option<Fault> {
        None
    }
}
