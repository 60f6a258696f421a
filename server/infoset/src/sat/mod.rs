//! The view as clauses for CaDiCaL: proofs that no history does something, and histories that do.

mod listing;
mod witness;

pub use listing::Listing;
pub(crate) use witness::by_sat;

use std::time::Instant;

use cadical::Solver;
use percept_game::{Game, JointMove, MoveId, TooLarge};

use crate::{
    control::{Control, Stop},
    csp::CspError,
    net::{Gate, Lit},
    unroll::Unrolled,
    view::View,
};

/// Ends the solver when the control says so.
struct Watchdog(Control);

impl cadical::Callbacks for Watchdog {
    fn terminate(&mut self) -> bool {
        self.0.stop().is_some()
    }
}

/// An unrolled view in a solver; grows by rounds.
pub struct Sat<'a> {
    pub unrolled: Unrolled<'a>,
    solver: Solver<Watchdog>,
    control: Control,
    /// What limits the next question.
    limited: Control,
    /// For each node its variable, or 0.
    variables: Vec<i32>,
    next_variable: i32,
}

impl<'a> Sat<'a> {
    /// Before the first round. `budget`: greatest number of gates.
    pub fn new(game: &'a Game, view: &'a View, budget: usize, control: &Control) -> Sat<'a> {
        let mut solver = Solver::new();
        solver.set_callbacks(Some(Watchdog(control.clone())));
        Sat {
            unrolled: Unrolled::new(game, view, budget),
            solver,
            control: control.clone(),
            limited: control.clone(),
            variables: vec![],
            next_variable: 1,
        }
    }

    /// The whole view.
    ///
    /// # Errors
    /// Where it would exceed the budget.
    pub fn of_view(game: &'a Game, view: &'a View, budget: usize, control: &Control) -> Result<Sat<'a>, CspError> {
        let mut sat = Sat::new(game, view, budget, control);
        while sat.unrolled.rounds() < view.len() {
            control.check()?;
            sat.advance()?;
        }
        Ok(sat)
    }

    /// Adds the next round and what the view says of it.
    ///
    /// # Errors
    /// Where it would exceed the budget.
    pub fn advance(&mut self) -> Result<(), TooLarge> {
        let said = self.unrolled.required.len();
        self.unrolled.advance()?;
        let choices = self.unrolled.choices[self.unrolled.rounds() - 1].clone();
        for choice in choices.iter().filter(|choice| choice.moves.len() > 1) {
            let options: Vec<i32> = choice.moves.iter().map(|&(_, lit)| self.literal(lit)).collect();
            self.exactly_one(&options);
        }
        for index in said..self.unrolled.required.len() {
            let literal = self.literal(self.unrolled.required[index].1);
            self.solver.add_clause([literal]);
        }
        Ok(())
    }

    fn variable(&mut self) -> i32 {
        self.next_variable += 1;
        self.next_variable - 1
    }

    /// The solver's literal for a literal of the network, with the clauses of everything it depends on.
    pub fn literal(&mut self, lit: Lit) -> i32 {
        self.variables.resize(self.unrolled.net.len(), 0);
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.variables[node as usize] != 0 {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            if let Gate::And(operands) = self.unrolled.net.gate(node) {
                stack.extend(operands.iter().map(|lit| lit.node()).filter(|&node| self.variables[node as usize] == 0));
            }
            if stack.len() == waiting {
                stack.pop();
                self.define(node);
            }
        }
        let variable = self.variables[lit.node() as usize];
        if lit.is_negated() { -variable } else { variable }
    }

    /// The clauses of one node whose operands have variables.
    fn define(&mut self, node: u32) {
        let variable = self.variable();
        self.variables[node as usize] = variable;
        match self.unrolled.net.gate(node) {
            Gate::True => self.solver.add_clause([variable]),
            Gate::Input => {}
            Gate::And(operands) => {
                let mut long = vec![variable];
                for lit in operands {
                    let operand = self.variables[lit.node() as usize];
                    let operand = if lit.is_negated() { -operand } else { operand };
                    self.solver.add_clause([-variable, operand]);
                    long.push(-operand);
                }
                self.solver.add_clause(long);
            }
        }
    }

    /// Exactly one of the options, by a chain of variables that say "one of the first k".
    fn exactly_one(&mut self, options: &[i32]) {
        self.solver.add_clause(options.iter().copied());
        let mut before: Option<i32> = None;
        for &option in options {
            let so_far = self.variable();
            self.solver.add_clause([-option, so_far]);
            if let Some(before) = before {
                self.solver.add_clause([-before, so_far]);
                self.solver.add_clause([-before, -option]);
            }
            before = Some(so_far);
        }
    }

    /// From now on questions are given up at this time (or at the control's deadline).
    pub fn limit(&mut self, deadline: Option<Instant>) {
        self.limited = deadline.map_or_else(|| self.control.clone(), |deadline| self.control.until(deadline));
        self.solver.set_callbacks(Some(Watchdog(self.limited.clone())));
    }

    /// Adds a clause over literals of the network.
    pub fn require_any(&mut self, lits: &[Lit]) {
        let clause: Vec<i32> = lits.iter().map(|&lit| self.literal(lit)).collect();
        self.solver.add_clause(clause);
    }

    /// Whether there is a history in which all `assumed` literals hold too.
    ///
    /// # Errors
    /// When interrupted.
    pub fn possible(&mut self, assumed: &[Lit]) -> Result<bool, Stop> {
        self.limited.check()?;
        let literals: Vec<i32> = assumed.iter().map(|&lit| self.literal(lit)).collect();
        let answer = self.solver.solve_with(literals);
        answer.ok_or_else(|| self.limited.stop().unwrap_or(Stop::OutOfTime))
    }

    /// After an impossible query: whether this assumption took part in the contradiction.
    fn blamed(&mut self, lit: Lit) -> bool {
        let literal = self.literal(lit);
        self.solver.failed(literal)
    }

    /// After a possible query: the history found, so far as it was unrolled.
    pub fn history(&self) -> Vec<JointMove> {
        let holds = |lit: Lit| {
            let variable = self.variables.get(lit.node() as usize).copied().unwrap_or(0);
            variable != 0 && self.solver.value(variable) == Some(!lit.is_negated())
        };
        let mv = |choice: &crate::unroll::Choice| match choice.moves[..] {
            [(mv, _)] => mv,
            _ => choice.moves.iter().find(|&&(_, lit)| holds(lit)).map_or(MoveId::NOOP, |&(mv, _)| mv),
        };
        self.unrolled.choices.iter().map(|roles| roles.iter().map(mv).collect()).collect()
    }
}

/// The first round (from 1) whose percepts no history explains, if there is one.
///
/// # Errors
/// When interrupted, or where the network would be too large.
pub fn impossible_round(game: &Game, view: &View, memory: usize, control: &Control) -> Result<Option<usize>, CspError> {
    let mut sat = Sat::new(game, view, memory / 100, control);
    for round in 1..=view.len() {
        control.check()?;
        sat.advance()?;
        if !sat.possible(&[])? {
            return Ok(Some(round));
        }
    }
    Ok(None)
}
