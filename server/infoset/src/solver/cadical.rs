//! CaDiCaL (Biere, Fleury, Froleyks and Heule 2020) as a [`Solver`].

use std::cell::RefCell;
use std::rc::Rc;

use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};

use super::{Log, Setup, Solver};
use crate::Budget;

/// Ends a solver run when the budget is spent.
struct Watch(Budget);

/// The steps that a check of the budget, a clause, and a question cost. CaDiCaL checks at places that depend on its
/// search alone.
const LOOK: u64 = 20_000;
const CLAUSE: u64 = 300;
const QUESTION: u64 = 10_000;

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.count(LOOK);
        self.0.stop().is_some()
    }
}

pub(crate) struct Cadical {
    /// A cell, because reading a model changes the solver.
    solver: RefCell<CaDiCal>,
    log: Option<Rc<RefCell<Log>>>,
    budget: Budget,
}

impl Cadical {
    pub(super) fn new(setup: Setup, budget: &Budget) -> Cadical {
        Cadical::with(setup, None, budget)
    }

    /// Creates a solver that writes the reasons of its answers *no* into `log`.
    pub(crate) fn logging(log: Rc<RefCell<Log>>, budget: &Budget) -> Cadical {
        Cadical::with(Setup::Plain, Some(log), budget)
    }

    fn with(setup: Setup, log: Option<Rc<RefCell<Log>>>, budget: &Budget) -> Cadical {
        let mut solver = CaDiCal::new();
        match setup {
            Setup::Default => true,
            Setup::Unsat => solver.configure("unsat"),
            Setup::Plain => solver.configure("plain"),
        };
        if setup == Setup::Plain {
            // One of thousands of moves is made, so a variable without a demand is best tried as false. (The published
            // GOPS: an induction that took more than 47 s of processor time takes 5 s.)
            solver.set("phase", 0);
            solver.set("chrono", 0);
            // The search for a lucky answer visits all clauses each time.
            solver.set("lucky", 0);
            // The next question mostly begins with the assumptions of the last one: their consequences are kept.
            solver.set("ilb", 1);
        }
        if let Some(log) = &log {
            // A reader of the proof could not learn of the solver's own new variables.
            solver.set("factor", 0);
            solver.connect_proof_tracer1(Tracer(log.clone()), true, false);
        }
        solver.connect_terminator(Watch(budget.clone()));
        Cadical { solver: RefCell::new(solver), log, budget: budget.clone() }
    }
}

impl Solver for Cadical {
    fn add(&mut self, clause: &[i32]) {
        self.budget.count(CLAUSE);
        self.solver.get_mut().clause6(clause);
    }

    fn solve(&mut self, assumptions: &[i32]) -> Option<bool> {
        self.budget.count(QUESTION);
        let solver = self.solver.get_mut();
        assumptions.iter().for_each(|&lit| solver.assume(lit));
        match solver.solve() {
            Status::SATISFIABLE => Some(true),
            Status::UNKNOWN => None,
            Status::UNSATISFIABLE => {
                if self.log.is_some() {
                    solver.conclude();
                }
                Some(false)
            }
        }
    }

    fn solve_briefly(&mut self, assumptions: &[i32], contradictions: u32) -> Option<bool> {
        // The limit applies to the next run only.
        self.solver.get_mut().limit("conflicts", contradictions.try_into().unwrap_or(i32::MAX));
        self.solve(assumptions)
    }

    fn value(&self, variable: i32) -> bool {
        self.solver.borrow_mut().val(variable) > 0
    }

    fn failed(&self, assumption: i32) -> bool {
        self.solver.borrow_mut().failed(assumption)
    }

    fn limit(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.solver.get_mut().connect_terminator(Watch(budget.clone()));
    }
}

/// Passes CaDiCaL's derivations to the log.
struct Tracer(Rc<RefCell<Log>>);

impl ProofTracer for Tracer {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, _clause: &[i32], restored: bool) {
        if !restored {
            self.0.borrow_mut().original(id);
        }
    }

    fn add_derived_clause(&mut self, id: i64, _: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        self.0.borrow_mut().derived(id, clause, antecedents, witness == 0);
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.0.borrow_mut().derived(id, clause, antecedents, true);
    }

    fn conclude_unsat(&mut self, _: i32, clause_ids: &[i64]) {
        self.0.borrow_mut().answered(clause_ids);
    }

    // No clause is forgotten before the proof is written: only then is it clear which clauses the proof needs.
    fn delete_clause(&mut self, _: i64, _: bool, _: &[i32]) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
