//! Parts of a [`Net`] as clauses in an incremental solver.
//!
//! Clauses are Tseitin's, written only for the nodes a query reaches.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::net::{Gate, Lit, Net};
use crate::solver::{self, Fault, Follower, Log, Setup, Solver};
use crate::{Budget, Pace, Stop};

/// A solver that holds the clauses of parts of one network.
pub struct Clauses {
    solver: Box<dyn Solver>,
    budget: Budget,
    /// The solver's variable of each node; 0 for a node without clauses.
    variables: Vec<i32>,
    next: i32,
}

impl Clauses {
    /// Creates an empty solver that gives up when `budget` is spent.
    pub fn new(budget: &Budget) -> Clauses {
        Clauses::with(solver::searching(Setup::Default, budget), budget)
    }

    /// Like [`Clauses::new`], set up for questions that mostly have the answer *no*.
    pub(crate) fn for_proofs(budget: &Budget) -> Clauses {
        Clauses::with(solver::searching(Setup::Unsat, budget), budget)
    }

    /// Like [`Clauses::new`], set up for many easy questions: clauses are not simplified between them.
    pub(crate) fn for_many(budget: &Budget) -> Clauses {
        Clauses::with(solver::searching(Setup::Plain, budget), budget)
    }

    /// Like [`Clauses::for_proofs`]; also writes the reasons of the answers *no* into `log`.
    pub(crate) fn logging(log: &Rc<RefCell<Log>>, budget: &Budget) -> Clauses {
        Clauses::with(solver::logging(log, budget), budget)
    }

    /// Answers *no* if the written proof shows it, without any search.
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

    /// Returns the budget that limits solving.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Sets the budget of all further questions.
    pub fn limit(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        self.solver.limit(budget);
    }

    /// Returns the fault of the proof that is followed.
    pub fn fault(&self) -> Option<Fault> {
        self.solver.fault()
    }

    /// Returns the reason why solving would give up.
    pub fn stopped(&self) -> Stop {
        self.budget.stop().unwrap_or(Stop::OutOfTime)
    }

    /// Checks that adding more clauses is of use.
    ///
    /// # Errors
    /// Returns the reason if solving would give up at once.
    pub fn check(&self) -> Result<(), Stop> {
        self.budget.check()
    }

    fn push(&mut self, clause: &[i32]) {
        self.solver.add(clause);
    }

    fn variable(&mut self) -> i32 {
        self.next += 1;
        self.next - 1
    }

    /// Returns the solver's literal for `lit`; writes the clauses of its cone on first use.
    pub(crate) fn literal(&mut self, net: &Net, lit: Lit) -> i32 {
        self.write(net, lit, &mut |_| false);
        self.written(lit)
    }

    /// Returns the solver's literal for each of `lits`; `None` if the budget was spent before all clauses were written.
    fn literals(&mut self, net: &Net, lits: &[Lit]) -> Option<Vec<i32>> {
        let mut pace = Pace::default();
        let mut is_over = |budget: &Budget| pace.stop(budget).is_some();
        let in_time = lits.iter().all(|&lit| self.write(net, lit, &mut is_over));
        in_time.then(|| lits.iter().map(|&lit| self.written(lit)).collect())
    }

    /// Writes the missing clauses of a literal's cone until `is_over`; true if all of them are written. Each gate comes
    /// after its operands, so the clauses are right even if this ends early.
    fn write(&mut self, net: &Net, lit: Lit, is_over: &mut dyn FnMut(&Budget) -> bool) -> bool {
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
                if is_over(&self.budget) {
                    return false;
                }
                stack.pop();
                self.define(net, node);
            }
        }
        true
    }

    /// Returns the solver's literal for `lit`, whose clauses must be written.
    fn written(&self, lit: Lit) -> i32 {
        let variable = self.variables[lit.node() as usize];
        if lit.is_negated() { -variable } else { variable }
    }

    /// Writes the clauses of one node whose operands have variables.
    fn define(&mut self, net: &Net, node: u32) {
        let gate = self.variable();
        self.variables[node as usize] = gate;
        let Gate::And(operands) = net.gate(node) else { return };
        let mut long = vec![gate];
        for lit in operands {
            let variable = self.variables[lit.node() as usize];
            let operand = if lit.is_negated() { -variable } else { variable };
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

    /// True if all demands can hold together with `assumptions`; `None` if the budget was spent first.
    pub(crate) fn solve(&mut self, net: &Net, assumptions: &[Lit]) -> Option<bool> {
        let assumptions = self.literals(net, assumptions)?;
        self.solver.solve(&assumptions)
    }

    /// Like [`Clauses::solve`], but it may also give up after about `contradictions` contradictions.
    pub(crate) fn solve_briefly(&mut self, net: &Net, assumptions: &[Lit], contradictions: u32) -> Option<bool> {
        let assumptions = self.literals(net, assumptions)?;
        self.solver.solve_briefly(&assumptions, contradictions)
    }

    /// After a contradiction: true if this assumption took part in it.
    pub(crate) fn blamed(&mut self, net: &Net, lit: Lit) -> bool {
        let literal = self.literal(net, lit);
        self.solver.failed(literal)
    }

    /// The value in the last model. Nodes without clauses are free and read as false.
    pub fn value(&self, lit: Lit) -> bool {
        let variable = self.variables.get(lit.node() as usize).copied().unwrap_or(0);
        let value = variable != 0 && self.solver.value(variable);
        value != lit.is_negated()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn what_was_not_written_in_time_is_written_later() {
        let mut net = Net::new();
        let inputs: Vec<Lit> = (0..40).map(|_| net.input()).collect();
        let all = inputs.iter().fold(Lit::TRUE, |all, &input| net.and([all, input]));
        let (first, over) = (inputs[0], Budget { cancel: Some(Arc::new(AtomicBool::new(true))), ..Budget::default() });
        let mut clauses = Clauses::new(&over);
        assert_eq!(clauses.solve(&net, &[all, !first]), None);
        clauses.limit(&Budget::default());
        assert_eq!(clauses.solve(&net, &[all, !first]), Some(false));
        assert_eq!(clauses.solve(&net, &[all]), Some(true));
        assert!(clauses.value(first));
    }
}
