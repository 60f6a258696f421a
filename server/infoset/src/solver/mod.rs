//! Solvers for clauses, behind one trait: the rest of the crate names no solver.
//!
//! [`cadical`] is what searches (where it does not build, `batsat`). It can write down why its answers *no* are right; [`log`] holds that, [`steps`] is how it is
//! written, and [`lrat`] follows it, which takes time linear in its length and no search. The follower is a solver like any other, one that
//! only knows the answers it was told the reasons of: so who writes a proof and who checks one ask the very same
//! questions by the very same code.

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

/// What a solver is set up for; CaDiCaL's own names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Setup {
    Default,
    /// Questions that mostly have the answer no.
    Unsat,
    /// Many easy questions: nothing is simplified between them.
    Plain,
}

/// The solver that searches here: CaDiCaL, and where it does not build, in a web page, `batsat`.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn searching(setup: Setup, budget: &Budget) -> Box<dyn Solver> {
    Box::new(Cadical::new(setup, budget))
}

/// As [`searching`]; it writes into `log` why its answers no are right.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn logging(log: &Rc<RefCell<Log>>, budget: &Budget) -> Box<dyn Solver> {
    Box::new(Cadical::logging(log.clone(), budget))
}

/// The solver that searches in a web page.
#[cfg(target_family = "wasm")]
pub fn searching(_: Setup, budget: &Budget) -> Box<dyn Solver> {
    Box::new(batsat::BatSat::new(budget))
}

/// The solver of web pages writes no proofs: a certificate made there is empty, and whoever follows it says so.
#[cfg(target_family = "wasm")]
pub(crate) fn logging(_: &Rc<RefCell<Log>>, budget: &Budget) -> Box<dyn Solver> {
    searching(Setup::Unsat, budget)
}

/// An incremental solver. Literals are as in DIMACS: variables count from 1, negation is a minus.
pub(crate) trait Solver {
    /// Demands that one of the literals is true, for good.
    fn add(&mut self, clause: &[i32]);

    /// Whether all that was demanded can be true together with `assumptions`. `None` where the budget ended the
    /// work or the solver cannot tell.
    fn solve(&mut self, assumptions: &[i32]) -> Option<bool>;

    /// As [`Solver::solve`], but it may give up after about so many contradictions.
    fn solve_briefly(&mut self, assumptions: &[i32], _contradictions: u32) -> Option<bool> {
        self.solve(assumptions)
    }

    /// After the answer yes: whether the variable is true in the model found.
    fn value(&self, variable: i32) -> bool;

    /// After the answer no: whether this assumption took part in the contradiction.
    fn failed(&self, assumption: i32) -> bool;

    /// From now on solving gives up when this budget says so.
    fn limit(&mut self, budget: &Budget);

    /// Why the answers are not to be believed, or were not given, other than for want of time.
    fn fault(&self) -> Option<Fault> {
        None
    }
}
