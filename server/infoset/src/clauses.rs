//! Parts of a [`Net`] as clauses in an incremental solver.
//!
//! Clauses are Tseitin's, written only for the nodes a query reaches.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::net::{Gate, Lit, Net};
use crate::solver::{self, Fault, Follower, Log, Setup, Solver};
use crate::{Budget, Stop};

/// A solver that knows parts of one network.
pub struct Clauses {
    solver: Box<dyn Solver>,
    budget: Budget,
    /// The solver's variable of each node; 0 where the node has no clauses yet.
    variables: Vec<i32>,
    next: i32,
}

impl Clauses {
    /// `control`: when solving gives up.
    pub fn new(budget: &Budget) -> Clauses {
        Clauses::with(solver::searching(Setup::Default, budget), budget)
    }

    /// As [`Clauses::new`], set up for questions that mostly have the answer no.
    pub(crate) fn for_proofs(budget: &Budget) -> Clauses {
        Clauses::with(solver::searching(Setup::Unsat, budget), budget)
    }

    /// As [`Clauses::new`], set up for many easy questions: nothing is simplified between them.
    pub(crate) fn for_many(budget: &Budget) -> Clauses {
        Clauses::with(solver::searching(Setup::Plain, budget), budget)
    }

    /// As [`Clauses::for_proofs`], and why the answers no are right is written into `log`.
    pub(crate) fn logging(log: &Rc<RefCell<Log>>, budget: &Budget) -> Clauses {
        Clauses::with(solver::logging(log, budget), budget)
    }

    /// Answers no where the written proof shows it; searches for nothing.
    pub fn following(proof: Arc<[u8]>, budget: &Budget) -> Clauses {
        Clauses::with(Box::new(Follower::new(proof, budget)), budget)
    }

    fn with(solver: Box<dyn Solver>, budget: &Budget) -> Clauses {
        // Node 0, the constant true, is variable 1.
        let budget = budget.clone();
        let mut clauses = Clauses { solver, budget, variables: vec![1], next: 2 };
        clauses.push(&[1]);
        clauses
    }

    /// From now on solving gives up when this budget says so.
    pub fn limit(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.solver.limit(budget);
    }

    /// What is wrong with the proof that is followed.
    pub fn fault(&self) -> Option<Fault> {
        self.solver.fault()
    }

    /// Why solving would give up.
    pub fn stopped(&self) -> Stop {
        self.budget.stop().unwrap_or(Stop::OutOfTime)
    }

    /// Whether solving would give up at once.
    pub fn is_over(&self) -> bool {
        self.budget.stop().is_some()
    }

    fn push(&mut self, clause: &[i32]) {
        self.solver.add(clause);
    }

    fn variable(&mut self) -> i32 {
        self.next += 1;
        self.next - 1
    }

    /// The solver's literal for `lit`; writes the clauses of its cone on first sight.
    pub(crate) fn literal(&mut self, net: &Net, lit: Lit) -> i32 {
        self.variables.resize(net.len().max(self.variables.len()), 0);
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.variables[node as usize] != 0 {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            if let Gate::And(operands) = net.gate(node) {
                stack.extend(operands.iter().map(|lit| lit.node()).filter(|&node| self.variables[node as usize] == 0));
            }
            if stack.len() == waiting {
                stack.pop();
                self.define(net, node);
            }
        }
        let variable = self.variables[lit.node() as usize];
        if lit.is_negated() { -variable } else { variable }
    }

    /// The clauses of one node whose operands have variables.
    fn define(&mut self, net: &Net, node: u32) {
        let gate = self.variable();
        self.variables[node as usize] = gate;
        let Gate::And(operands) = net.gate(node) else { return };
        let mut long = vec![gate];
        for lit in operands {
            let known = self.variables[lit.node() as usize];
            let operand = if lit.is_negated() { -known } else { known };
            self.push(&[-gate, operand]);
            long.push(-operand);
        }
        self.push(&long);
    }

    /// Demands that one of the literals is true.
    pub(crate) fn add(&mut self, net: &Net, clause: impl IntoIterator<Item = Lit>) {
        let clause: Vec<i32> = clause.into_iter().map(|lit| self.literal(net, lit)).collect();
        self.push(&clause);
    }

    /// Demands that exactly one of `lits` is true.
    pub(crate) fn exactly_one(&mut self, net: &Net, lits: &[Lit]) {
        self.add(net, lits.iter().copied());
        self.at_most_one(net, lits);
    }

    /// Demands that at most one of `lits` is true, by a ladder.
    pub(crate) fn at_most_one(&mut self, net: &Net, lits: &[Lit]) {
        let lits: Vec<i32> = lits.iter().map(|&lit| self.literal(net, lit)).collect();
        if lits.len() <= 5 {
            for (index, &a) in lits.iter().enumerate() {
                for &b in &lits[index + 1..] {
                    self.push(&[-a, -b]);
                }
            }
            return;
        }
        let mut seen = lits[0];
        for &lit in &lits[1..] {
            self.push(&[-seen, -lit]);
            let next = self.variable();
            self.push(&[-seen, next]);
            self.push(&[-lit, next]);
            seen = next;
        }
    }

    /// Whether everything demanded can hold together with `assumptions`; `None` where the budget ended the work.
    pub(crate) fn solve(&mut self, net: &Net, assumptions: &[Lit]) -> Option<bool> {
        let assumptions: Vec<i32> = assumptions.iter().map(|&lit| self.literal(net, lit)).collect();
        self.solver.solve(&assumptions)
    }

    /// As [`Clauses::solve`], but it may give up after about so many contradictions, too.
    pub(crate) fn solve_briefly(&mut self, net: &Net, assumptions: &[Lit], contradictions: u32) -> Option<bool> {
        let assumptions: Vec<i32> = assumptions.iter().map(|&lit| self.literal(net, lit)).collect();
        self.solver.solve_briefly(&assumptions, contradictions)
    }

    /// After a contradiction: whether this assumption took part in it.
    pub(crate) fn blamed(&mut self, net: &Net, lit: Lit) -> bool {
        let literal = self.literal(net, lit);
        self.solver.failed(literal)
    }

    /// The value in the model just found. Parts without clauses are free: false.
    pub fn value(&self, lit: Lit) -> bool {
        let variable = self.variables.get(lit.node() as usize).copied().unwrap_or(0);
        let value = variable != 0 && self.solver.value(variable);
        value != lit.is_negated()
    }
}
