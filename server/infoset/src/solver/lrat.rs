//! Proofs that clauses cannot all be true, with hints (LRAT, Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp
//! 2017). Every derived clause names the clauses from which it follows by unit propagation, in the order in which they
//! propagate. A reader that follows the proof never searches.
//!
//! [`super::steps`] defines the format of a proof.

use std::sync::Arc;

use super::Solver;
use super::steps::{Clause, Reader, Step};
use crate::{Budget, Stop};

/// A fault in a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The proof ends too early.
    #[error("the proof ends before the answer")]
    Ends,
    /// The proof continues after the last answer.
    #[error("the proof goes on after the last answer")]
    GoesOn,
    /// The step of this number cannot be read.
    #[error("step {0} cannot be read")]
    Malformed(usize),
    /// The step of this number names an unknown clause or variable.
    #[error("step {0} names an unknown clause or variable")]
    Unknown(usize),
    /// The step of this number does not follow from its hints.
    #[error("step {0} does not follow from its hints")]
    Follows(usize),
    /// The step of this number answers another question.
    #[error("step {0} answers another question")]
    Answer(usize),
    /// The budget was spent.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// Clauses in one block of memory.
#[derive(Default)]
struct Clauses {
    literals: Vec<i32>,
    ends: Vec<usize>,
}

impl Clauses {
    fn push(&mut self, clause: &[i32]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }

    fn get(&self, index: usize) -> Option<&[i32]> {
        let end = *self.ends.get(index)?;
        Some(&self.literals[index.checked_sub(1).map_or(0, |before| self.ends[before])..end])
    }
}

/// A solver that answers *no* to questions that the proof shows to be impossible, and gives no other answer.
pub(crate) struct Follower {
    steps: Reader,
    demanded: Clauses,
    derived: Clauses,
    /// The value of each variable: 0 unknown, 1 true, -1 false.
    values: Vec<i8>,
    trail: Vec<i32>,
    budget: Budget,
    fault: Option<Fault>,
    failed: Vec<i32>,
}

impl Follower {
    pub(crate) fn new(proof: Arc<[u8]>, budget: &Budget) -> Follower {
        Follower {
            steps: Reader::new(proof),
            demanded: Clauses::default(),
            derived: Clauses::default(),
            values: vec![0],
            trail: Vec::new(),
            budget: budget.clone(),
            fault: None,
            failed: Vec::new(),
        }
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self.values[literal.unsigned_abs() as usize];
        if literal < 0 { -value } else { value }
    }

    fn assign(&mut self, literal: i32) {
        self.values[literal.unsigned_abs() as usize] = if literal < 0 { -1 } else { 1 };
        self.trail.push(literal);
    }

    fn clause(&self, clause: Clause) -> Option<&[i32]> {
        match clause {
            Clause::Demanded(index) => self.demanded.get(index as usize),
            Clause::Derived(index) => self.derived.get(index as usize),
        }
    }

    /// Reads up to the answer to a question.
    fn follow(&mut self, assumptions: &[i32]) -> Result<(), Fault> {
        let (mut clause, mut hints) = (Vec::new(), Vec::new());
        loop {
            if self.steps.is_over() {
                return Err(Fault::Ends);
            }
            if self.steps.count().is_multiple_of(64) {
                self.budget.check()?;
            }
            let step = self.steps.next(&mut clause, &mut hints);
            let number = self.steps.count();
            match step.ok_or(Fault::Malformed(number))? {
                Step::Answer(answer) => {
                    let answer = self.clause(answer).ok_or(Fault::Unknown(number))?;
                    if !answer.iter().all(|literal| assumptions.contains(&-literal)) {
                        return Err(Fault::Answer(number));
                    }
                    self.failed = answer.iter().map(|literal| -literal).collect();
                    return Ok(());
                }
                Step::Clause => {
                    if clause.iter().any(|literal| literal.unsigned_abs() as usize >= self.values.len()) {
                        return Err(Fault::Unknown(number));
                    }
                    let result = self.follows(&clause, &hints, number);
                    while let Some(literal) = self.trail.pop() {
                        self.values[literal.unsigned_abs() as usize] = 0;
                    }
                    result?;
                    self.derived.push(&clause);
                }
            }
        }
    }

    /// Checks that the hinted clauses, in their order, lead from the negation of the clause to a contradiction.
    fn follows(&mut self, clause: &[i32], hints: &[Clause], number: usize) -> Result<(), Fault> {
        for &literal in clause {
            match self.value(literal) {
                // The clause contains a literal and its negation: it is always true.
                1 => return Ok(()),
                0 => self.assign(-literal),
                _ => {}
            }
        }
        for &hint in hints {
            let hint = self.clause(hint).ok_or(Fault::Unknown(number))?;
            let mut open = None;
            for &literal in hint {
                if self.value(literal) >= 0 && open != Some(literal) {
                    if open.is_some() {
                        return Err(Fault::Follows(number));
                    }
                    open = Some(literal);
                }
            }
            match open {
                None => return Ok(()),
                Some(literal) if self.value(literal) == 0 => self.assign(literal),
                Some(_) => {}
            }
        }
        Err(Fault::Follows(number))
    }
}

impl Solver for Follower {
    fn add(&mut self, clause: &[i32]) {
        let largest = clause.iter().map(|literal| literal.unsigned_abs() as usize).max().unwrap_or(0);
        if self.values.len() <= largest {
            self.values.resize(largest + 1, 0);
        }
        self.demanded.push(clause);
    }

    fn solve(&mut self, assumptions: &[i32]) -> Option<bool> {
        if self.fault.is_none() {
            self.fault = self.follow(assumptions).err();
        }
        self.fault.is_none().then_some(false)
    }

    fn value(&self, _: i32) -> bool {
        false
    }

    fn failed(&self, assumption: i32) -> bool {
        self.failed.contains(&assumption)
    }

    fn limit(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    fn fault(&self) -> Option<Fault> {
        match &self.fault {
            None if !self.steps.is_over() => Some(Fault::GoesOn),
            fault => fault.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::super::steps::{bytes, text};
    use super::super::{Cadical, Log};
    use super::*;

    /// All four clauses over two variables: no model, and resolving on the first gives the units.
    const SQUARE: [[i32; 2]; 4] = [[1, 2], [1, -2], [-1, 2], [-1, -2]];

    fn follow(formula: &[[i32; 2]], proof: &str, assumptions: &[i32]) -> Result<(), Fault> {
        follow_bytes(formula, &bytes(proof).expect("a proof in words"), assumptions)
    }

    fn follow_bytes(formula: &[[i32; 2]], proof: &[u8], assumptions: &[i32]) -> Result<(), Fault> {
        let mut follower = Follower::new(proof.into(), &Budget::default());
        formula.iter().for_each(|clause| follower.add(clause));
        let answer = follower.solve(assumptions);
        assert_ne!(answer, Some(true));
        match follower.fault() {
            Some(fault) => Err(fault),
            None => {
                assert_eq!(answer, Some(false));
                Ok(())
            }
        }
    }

    #[test]
    fn a_right_proof_is_accepted() {
        assert_eq!(follow(&SQUARE, "1 0 1 2\n0 -1 3 4\n. -2\n", &[]), Ok(()));
        assert_eq!(follow(&SQUARE[..3], "1 0 1 2\n. -1\n", &[-1]), Ok(()));
        assert_eq!(follow(&SQUARE, ". 1\n", &[-1, -2]), Ok(()));
    }

    #[test]
    fn a_wrong_proof_is_refused() {
        for (proof, fault) in [
            ("", Fault::Ends),
            ("1 0 1 2\n", Fault::Ends),
            ("1 0 1\n. -1\n", Fault::Follows(1)),
            ("1 0\n. -1\n", Fault::Follows(1)),
            ("0 1 2 3 4\n. -1\n", Fault::Follows(1)),
            ("1 0 1 2\n. -1\n", Fault::Answer(2)),
            ("1 0 1 2\n. -2\n", Fault::Unknown(2)),
            ("1 0 1 -1\n", Fault::Unknown(1)),
            ("3 0 1 2\n", Fault::Unknown(1)),
            ("3 0 -4000000000\n", Fault::Unknown(1)),
            ("1 0 1 2\n0 -1 3 4\n. -2\n. -2\n", Fault::GoesOn),
        ] {
            assert_eq!(follow(&SQUARE, proof, &[]), Err(fault), "{proof:?}");
        }
        assert_eq!(follow(&SQUARE[..3], "1 0 1 2\n. -1\n", &[1]), Err(Fault::Answer(2)));
        for words in ["1 1 2\n", "1 0 1 two\n", ". x\n", "1 0 1 0\n", ". 0\n", "1 0 1 -9223372036854775808\n"] {
            assert_eq!(bytes(words), None, "{words:?}");
        }
    }

    /// A proof that is cut short, or has any one byte changed, is read to an end and proves nothing else.
    #[test]
    fn bytes_are_not_believed() {
        let proof = bytes("1 0 1 2\n0 -1 3 4\n. -2\n").expect("a proof");
        assert_eq!(follow_bytes(&SQUARE, &proof, &[]), Ok(()));
        for end in 0..proof.len() {
            assert!(follow_bytes(&SQUARE, &proof[..end], &[]).is_err(), "cut at {end}");
        }
        for at in 0..proof.len() {
            for byte in 0..=255 {
                let mut changed = proof.clone();
                changed[at] = byte;
                assert!(follow_bytes(&SQUARE[..3], &changed, &[]).is_err(), "{byte} at {at}");
                let _ = follow_bytes(&SQUARE, &changed, &[]);
            }
        }
        for wild in [&[255; 40][..], &[2, 0, 0], &[2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0], &[1, 128]] {
            assert!(follow_bytes(&SQUARE, wild, &[]).is_err(), "{wild:?}");
        }
    }

    /// The follower accepts the solver's log, question after question, with clauses added in between (the pigeonhole
    /// principle).
    #[test]
    fn what_is_logged_is_followed() {
        let holes = 5;
        let variable = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
        let switch = |pigeon: i32| (holes + 1) * holes + 1 + pigeon;
        let questions = |solver: &mut dyn Solver| {
            for hole in 0..holes {
                for left in 0..=holes {
                    (0..left).for_each(|right| solver.add(&[-variable(left, hole), -variable(right, hole)]));
                }
            }
            for pigeon in 0..=holes {
                let somewhere = (0..holes).map(|hole| variable(pigeon, hole)).chain([-switch(pigeon)]);
                solver.add(&somewhere.collect::<Vec<_>>());
            }
            let all: Vec<i32> = (0..=holes).map(switch).collect();
            let first = solver.solve(&all);
            all[1..].iter().for_each(|&switch| solver.add(&[switch]));
            [first, solver.solve(&all[..1]), solver.solve(&[-variable(1, 1), all[0]])]
        };
        let log = Rc::new(RefCell::new(Log::default()));
        let mut solver = Cadical::logging(log.clone(), &Budget::default());
        assert_eq!(questions(&mut solver), [Some(false); 3]);
        let proof = log.borrow().proof().expect("a proof");
        let words = text(&proof).expect("our own proof");
        assert_eq!(bytes(&words).as_ref(), Some(&proof));
        let mut follower = Follower::new(proof.into(), &Budget::default());
        assert_eq!((questions(&mut follower), follower.fault()), ([Some(false); 3], None));
        // If any one line is missing, the proof is invalid.
        let lines: Vec<&str> = words.lines().collect();
        for left_out in 0..lines.len() {
            let rest: Vec<&str> =
                lines.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, line)| *line).collect();
            // Without a line, later steps may name missing clauses.
            let Some(rest) = bytes(&(rest.join("\n") + "\n")) else { continue };
            let mut follower = Follower::new(rest.into(), &Budget::default());
            let answers = questions(&mut follower);
            assert!(answers.contains(&None) || follower.fault().is_some(), "without line {left_out}");
        }
    }
}
