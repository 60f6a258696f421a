//! BatSat (a MiniSat in Rust) as a [`Solver`]: slower than CaDiCaL, but it needs no C++, no signals and no pipes. It is
//! the solver on targets for which CaDiCaL does not build: in a web page. It does not write proofs.

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};

use super::Solver;
use crate::Budget;

pub(crate) struct BatSat {
    solver: BasicSolver,
    budget: Budget,
    /// True if the clauses already contradict each other: no clause may be added to the solver then.
    contradicted: bool,
}

impl BatSat {
    pub(crate) fn new(budget: &Budget) -> BatSat {
        let mut solver = BatSat { solver: BasicSolver::default(), budget: Budget::default(), contradicted: false };
        solver.limit(budget);
        solver
    }

    fn lit(&mut self, literal: i32) -> Lit {
        let variable = self.solver.var_of_int(literal.unsigned_abs());
        Lit::new(variable, literal > 0)
    }
}

impl Solver for BatSat {
    fn add(&mut self, clause: &[i32]) {
        if !self.contradicted {
            let mut lits: Vec<Lit> = clause.iter().map(|&literal| self.lit(literal)).collect();
            self.contradicted = !self.solver.add_clause_reuse(&mut lits);
        }
    }

    fn solve(&mut self, assumptions: &[i32]) -> Option<bool> {
        if self.budget.stop().is_some() {
            return None;
        }
        if self.contradicted {
            return Some(false);
        }
        let lits: Vec<Lit> = assumptions.iter().map(|&literal| self.lit(literal)).collect();
        match self.solver.solve_limited(&lits) {
            answer if answer == lbool::TRUE => Some(true),
            answer if answer == lbool::FALSE => Some(false),
            _ => None,
        }
    }

    fn value(&self, variable: i32) -> bool {
        self.solver.value_var(Var::unsafe_from_idx(variable.unsigned_abs())) == lbool::TRUE
    }

    fn failed(&self, assumption: i32) -> bool {
        // The core is a clause that holds: the negations of the assumptions that contradict each other.
        let lit = Lit::new(Var::unsafe_from_idx(assumption.unsigned_abs()), assumption > 0);
        !self.contradicted && self.solver.unsat_core().contains(&!lit)
    }

    fn limit(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        let budget = budget.clone();
        self.solver.cb_mut().set_stop(move || budget.stop().is_some());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Cadical, Setup};
    use proptest::prelude::*;

    fn satisfies(clauses: &[Vec<i32>], value: impl Fn(i32) -> bool) -> bool {
        clauses.iter().all(|clause| clause.iter().any(|&literal| value(literal.abs()) == (literal > 0)))
    }

    fn clauses() -> impl Strategy<Value = Vec<Vec<i32>>> {
        let literal = (1..9i32, any::<bool>()).prop_map(|(variable, sign)| if sign { variable } else { -variable });
        prop::collection::vec(prop::collection::vec(literal, 1..4), 1..30)
    }

    proptest! {
        /// Two solvers that share no code give the same answers, along several questions to the same clauses.
        #[test]
        fn answers_as_cadical_does(mut all in clauses(), queries in prop::collection::vec(
            prop::collection::btree_map(1..9i32, any::<bool>(), 0..4), 1..4,
        )) {
            let budget = Budget::default();
            let mut pure = BatSat::new(&budget);
            let mut other = Cadical::new(Setup::Default, &budget);
            let late = all.split_off(all.len() / 2);
            for (round, assumed) in queries.iter().enumerate() {
                let added = if round == 0 { all.clone() } else if round == 1 { late.clone() } else { Vec::new() };
                for clause in &added {
                    pure.add(clause);
                    other.add(clause);
                }
                if round == 1 {
                    all.extend(late.iter().cloned());
                }
                let assumptions: Vec<i32> = assumed.iter().map(|(&v, &sign)| if sign { v } else { -v }).collect();
                let answer = pure.solve(&assumptions);
                prop_assert_eq!(answer, other.solve(&assumptions));
                if answer == Some(true) {
                    prop_assert!(satisfies(&all, |variable| pure.value(variable)));
                    prop_assert!(assumptions.iter().all(|&literal| pure.value(literal.abs()) == (literal > 0)));
                } else {
                    // The failed assumptions alone are contradictory.
                    let core: Vec<i32> = assumptions.iter().copied().filter(|&it| pure.failed(it)).collect();
                    let mut check = Cadical::new(Setup::Default, &budget);
                    all.iter().for_each(|clause| check.add(clause));
                    prop_assert_eq!(check.solve(&core), Some(false));
                }
            }
        }
    }

    #[test]
    fn gives_up_when_told() {
        let over = Budget { deadline: Some(std::time::Instant::now()), ..Budget::default() };
        let mut solver = BatSat::new(&over);
        solver.add(&[1, 2]);
        assert_eq!(solver.solve(&[]), None);
        solver.limit(&Budget::default());
        assert_eq!(solver.solve(&[-1]), Some(true));
        assert!(solver.value(2));
    }
}
