//! Proofs that clauses cannot all be true, with hints (LRAT, Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp
//! 2017): every derived clause names the clauses from which it follows by unit propagation, in the order in which they
//! propagate. Whoever follows it never looks for anything.
//!
//! A proof is text. A line of a derived clause: its literals, `0`, then its hints, a clause demanded by its number (from
//! 1, in the order of the demands), a derived clause by minus its number. A line that begins with a dot ends the answer
//! to one question and names the clause that gives it: it holds no literal but negated assumptions.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Solver;
use crate::control::{Control, Stop};

/// What is wrong with a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the proof ends before the answer")]
    Ends,
    #[error("the proof goes on after the last answer")]
    GoesOn,
    #[error("line {0} is not a line of a proof")]
    Malformed(usize),
    #[error("line {0} speaks of something that the question does not have")]
    Unknown(usize),
    #[error("line {0} does not follow from its hints")]
    Follows(usize),
    #[error("line {0} answers another question")]
    Answer(usize),
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// A clause by the list it is in and its place there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Demanded(u32),
    Derived(u32),
}

/// What a solver derived, until it is written down.
#[derive(Default)]
pub struct Log {
    places: FxHashMap<i64, Place>,
    demanded: u32,
    /// By derived clause: where its literals end in `literals`, and its hints in `hints`.
    ends: Vec<(usize, usize)>,
    literals: Vec<i32>,
    hints: Vec<Place>,
    /// By question: how many clauses were derived when it was answered, and which answers it.
    answers: Vec<(u32, Place)>,
    /// Something happened that cannot be told.
    is_broken: bool,
}

impl Log {
    /// The solver was given a clause.
    pub fn original(&mut self, id: i64) {
        self.places.insert(id, Place::Demanded(self.demanded));
        self.demanded += 1;
    }

    /// The solver derived a clause; `follows`: by unit propagation.
    pub fn derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64], follows: bool) {
        self.is_broken |= !follows;
        self.literals.extend_from_slice(clause);
        for antecedent in antecedents {
            match self.places.get(antecedent) {
                Some(&place) => self.hints.push(place),
                None => self.is_broken = true,
            }
        }
        self.places.insert(id, Place::Derived(self.ends.len() as u32));
        self.ends.push((self.literals.len(), self.hints.len()));
    }

    /// The solver answered no, because of the first of these clauses.
    pub fn answered(&mut self, ids: &[i64]) {
        match ids.first().and_then(|id| self.places.get(id)) {
            Some(&place) => self.answers.push((self.ends.len() as u32, place)),
            None => self.is_broken = true,
        }
    }

    fn span(&self, derived: u32) -> (&[i32], &[Place]) {
        let (literals, hints) = derived.checked_sub(1).map_or((0, 0), |before| self.ends[before as usize]);
        let (literals_end, hints_end) = self.ends[derived as usize];
        (&self.literals[literals..literals_end], &self.hints[hints..hints_end])
    }

    /// The proof: what the answers need of all that was derived. `None` where something cannot be told.
    pub fn text(&self) -> Option<String> {
        use std::fmt::Write;
        if self.is_broken {
            return None;
        }
        let mut needed = vec![false; self.ends.len()];
        let mark = |needed: &mut Vec<bool>, place: &Place| {
            if let Place::Derived(derived) = place {
                needed[*derived as usize] = true;
            }
        };
        self.answers.iter().for_each(|(_, place)| mark(&mut needed, place));
        for derived in (0..self.ends.len()).rev() {
            if needed[derived] {
                self.span(derived as u32).1.iter().for_each(|place| mark(&mut needed, place));
            }
        }
        let mut numbers = vec![0u32; self.ends.len()];
        let (mut text, mut count, mut answers) = (String::new(), 0, self.answers.iter().peekable());
        let number = |numbers: &[u32], place: &Place| match *place {
            Place::Demanded(index) => i64::from(index) + 1,
            Place::Derived(index) => -i64::from(numbers[index as usize]),
        };
        for derived in 0..=self.ends.len() as u32 {
            while let Some((_, place)) = answers.next_if(|(until, _)| *until == derived) {
                writeln!(text, ". {}", number(&numbers, place)).ok()?;
            }
            if !needed.get(derived as usize).is_some_and(|&needed| needed) {
                continue;
            }
            count += 1;
            numbers[derived as usize] = count;
            let (literals, hints) = self.span(derived);
            for literal in literals {
                write!(text, "{literal} ").ok()?;
            }
            text.push('0');
            for hint in hints {
                write!(text, " {}", number(&numbers, hint)).ok()?;
            }
            text.push('\n');
        }
        Some(text)
    }
}

/// Clauses in one piece of memory.
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

/// Answers no to what a proof shows to be impossible, and nothing to anything else.
pub struct Follower {
    text: Arc<str>,
    /// How much of the text was read, in bytes and in lines.
    at: usize,
    line: usize,
    demanded: Clauses,
    derived: Clauses,
    /// 0 unknown, 1 true, -1 false, by variable.
    values: Vec<i8>,
    trail: Vec<i32>,
    control: Control,
    fault: Option<Fault>,
    failed: Vec<i32>,
}

impl Follower {
    pub fn new(text: Arc<str>, control: &Control) -> Follower {
        Follower {
            text,
            at: 0,
            line: 0,
            demanded: Clauses::default(),
            derived: Clauses::default(),
            values: vec![0],
            trail: Vec::new(),
            control: control.clone(),
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

    fn clause(&self, number: i64) -> Option<&[i32]> {
        match number {
            0 => None,
            1.. => self.demanded.get(number as usize - 1),
            _ => self.derived.get(number.unsigned_abs() as usize - 1),
        }
    }

    /// Reads until the answer to a question.
    fn follow(&mut self, assumptions: &[i32]) -> Result<(), Fault> {
        let text = self.text.clone();
        let mut clause = Vec::new();
        loop {
            let rest = &text[self.at..];
            if rest.is_empty() {
                return Err(Fault::Ends);
            }
            if self.line.is_multiple_of(64) {
                self.control.check()?;
            }
            let line = rest.split('\n').next().unwrap_or_default();
            self.at = text.len().min(self.at + line.len() + 1);
            self.line += 1;
            let malformed = Fault::Malformed(self.line);
            if let Some(number) = line.strip_prefix('.') {
                let number = number.trim().parse().map_err(|_| malformed)?;
                let answer = self.clause(number).ok_or(Fault::Unknown(self.line))?;
                let follows = answer.iter().all(|literal| assumptions.contains(&-literal));
                let failed = answer.iter().map(|literal| -literal).collect();
                if !follows {
                    return Err(Fault::Answer(self.line));
                }
                self.failed = failed;
                return Ok(());
            }
            let mut words = line.split(' ');
            clause.clear();
            loop {
                match words.next().and_then(|word| word.parse::<i32>().ok()) {
                    None => return Err(malformed),
                    Some(0) => break,
                    Some(literal) if (literal.unsigned_abs() as usize) < self.values.len() => clause.push(literal),
                    Some(_) => return Err(Fault::Unknown(self.line)),
                }
            }
            let result = self.follows(&clause, words);
            while let Some(literal) = self.trail.pop() {
                self.values[literal.unsigned_abs() as usize] = 0;
            }
            result?;
            self.derived.push(&clause);
        }
    }

    /// Whether the negation of the clause comes to a contradiction by the hinted clauses in their order.
    fn follows<'t>(&mut self, clause: &[i32], hints: impl Iterator<Item = &'t str>) -> Result<(), Fault> {
        for &literal in clause {
            match self.value(literal) {
                // The clause holds a literal and its negation: it says nothing.
                1 => return Ok(()),
                0 => self.assign(-literal),
                _ => {}
            }
        }
        for word in hints {
            let number = word.parse().map_err(|_| Fault::Malformed(self.line))?;
            let hint = self.clause(number).ok_or(Fault::Unknown(self.line))?;
            let mut open = None;
            for &literal in hint {
                if self.value(literal) >= 0 && open != Some(literal) {
                    if open.is_some() {
                        return Err(Fault::Follows(self.line));
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
        Err(Fault::Follows(self.line))
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

    fn limit(&mut self, control: &Control) {
        self.control = control.clone();
    }

    fn fault(&self) -> Option<Fault> {
        match &self.fault {
            None if self.at < self.text.len() => Some(Fault::GoesOn),
            fault => fault.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::super::Cadical;
    use super::*;

    /// All four clauses over two variables: no model, and resolving on the first gives the units.
    const SQUARE: [[i32; 2]; 4] = [[1, 2], [1, -2], [-1, 2], [-1, -2]];

    fn follow(formula: &[[i32; 2]], proof: &str, assumptions: &[i32]) -> Result<(), Fault> {
        let mut follower = Follower::new(proof.into(), &Control::default());
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
            ("1 0 1 2\n. 0\n", Fault::Unknown(2)),
            ("1 0 1 -1\n", Fault::Unknown(1)),
            ("3 0 1 2\n", Fault::Unknown(1)),
            ("-2147483648 0 1 2\n", Fault::Unknown(1)),
            ("1 1 2\n", Fault::Malformed(1)),
            ("1 0 1 two\n", Fault::Malformed(1)),
            (". x\n", Fault::Malformed(1)),
            ("1 0 1 -9223372036854775808\n", Fault::Unknown(1)),
            ("1 0 1 2\n0 -1 3 4\n. -2\n. -2\n", Fault::GoesOn),
        ] {
            assert_eq!(follow(&SQUARE, proof, &[]), Err(fault), "{proof:?}");
        }
        assert_eq!(follow(&SQUARE[..3], "1 0 1 2\n. -1\n", &[1]), Err(Fault::Answer(2)));
    }

    /// What the solver logs is followed, question after question, with clauses added in between; pigeons do not fit.
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
        let mut solver = Cadical::logging(log.clone(), &Control::default());
        assert_eq!(questions(&mut solver), [Some(false); 3]);
        let proof = log.borrow().text().expect("a proof");
        let mut follower = Follower::new(proof.as_str().into(), &Control::default());
        assert_eq!((questions(&mut follower), follower.fault()), ([Some(false); 3], None));
        // Without any one line it is no proof.
        let lines: Vec<&str> = proof.lines().collect();
        for left_out in 0..lines.len() {
            let rest: Vec<&str> =
                lines.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, line)| *line).collect();
            let mut follower = Follower::new((rest.join("\n") + "\n").into(), &Control::default());
            let answers = questions(&mut follower);
            assert!(answers.contains(&None) || follower.fault().is_some(), "without line {left_out}");
        }
    }
}
