//! A small, independent check of a solver's proof: every learned clause must follow by unit propagation (RUP), and
//! the last word must be a conflict.
//!
//! Deliberately plain: watched literals and nothing else, so that it can be read in one sitting. (Goldberg and
//! Novikov, "Verification of proofs of unsatisfiability for CNF formulas", 2003.)

use std::io::Write;

use varisat::{ExtendFormula, ProofFormat, Solver};

use crate::control::{Control, Stop};

/// Clauses that lead from `formula` and the units `assumptions` to a contradiction, each following by unit propagation;
/// found by a second solver (Varisat), which writes down all it learns. `None` where there is a model, or no time.
pub fn refutation(formula: &[Vec<i32>], assumptions: &[i32], control: &Control) -> Option<Vec<Vec<i32>>> {
    let mut log = Log { control, text: Vec::new() };
    let mut solver = Solver::new();
    solver.write_proof(&mut log, ProofFormat::Drat);
    let clause = |clause: &[i32]| clause.iter().map(|&lit| varisat::Lit::from_dimacs(lit as isize)).collect::<Vec<_>>();
    formula.iter().for_each(|it| solver.add_clause(&clause(it)));
    assumptions.iter().for_each(|&lit| solver.add_clause(&clause(&[lit])));
    if !matches!(solver.solve(), Ok(false)) || solver.close_proof().is_err() {
        return None;
    }
    drop(solver);
    let text = String::from_utf8(log.text).ok()?;
    let added = text.lines().filter(|line| !line.starts_with('d'));
    let literals =
        |line: &str| line.split_whitespace().filter_map(|word| word.parse().ok()).filter(|&lit| lit != 0).collect();
    Some(added.map(literals).filter(|clause: &Vec<i32>| !clause.is_empty()).collect())
}

/// Takes down a proof until the control ends the work.
struct Log<'a> {
    control: &'a Control,
    text: Vec<u8>,
}

impl Write for Log<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.control.stop() {
            Some(stop) => Err(std::io::Error::other(stop)),
            None => self.text.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The clauses known so far, with two watched literals each.
struct Checker {
    clauses: Vec<Vec<i32>>,
    /// Clauses that watch a literal, by literal.
    watches: Vec<Vec<u32>>,
    /// 0 unknown, 1 true, -1 false, by variable.
    values: Vec<i8>,
    trail: Vec<i32>,
    /// How much of the trail has been propagated.
    head: usize,
    conflict: bool,
}

/// Whether `proof` shows that `formula` together with the units `assumptions` has no model.
///
/// # Errors
/// Where the control ended the work.
pub fn refutes(formula: &[Vec<i32>], proof: &[Vec<i32>], assumptions: &[i32], control: &Control) -> Result<bool, Stop> {
    let largest = formula.iter().flatten().chain(assumptions).map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
    // A proof speaks of the formula's variables; anything else is no proof, and must not cost memory.
    if proof.iter().flatten().any(|&lit| lit == 0 || lit.unsigned_abs() > largest) {
        return Ok(false);
    }
    let mut checker = Checker::new(largest as usize);
    for clause in formula {
        checker.add(clause.clone());
    }
    for &lit in assumptions {
        checker.add(vec![lit]);
    }
    for clause in proof {
        if checker.conflict {
            return Ok(true);
        }
        control.check()?;
        if !checker.follows(clause) {
            return Ok(false);
        }
        checker.add(clause.clone());
    }
    Ok(checker.conflict)
}

const fn slot(lit: i32) -> usize {
    (lit.unsigned_abs() as usize) << 1 | (lit < 0) as usize
}

impl Checker {
    fn new(variables: usize) -> Checker {
        Checker {
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * variables + 2],
            values: vec![0; variables + 1],
            trail: Vec::new(),
            head: 0,
            conflict: false,
        }
    }

    fn value(&self, lit: i32) -> i8 {
        let value = self.values[lit.unsigned_abs() as usize];
        if lit < 0 { -value } else { value }
    }

    fn assign(&mut self, lit: i32) {
        self.values[lit.unsigned_abs() as usize] = if lit < 0 { -1 } else { 1 };
        self.trail.push(lit);
    }

    /// Adds a clause that is part of the formula or has been shown to follow.
    fn add(&mut self, mut clause: Vec<i32>) {
        clause.sort_unstable();
        clause.dedup();
        // Literals that are not false come first, so that the two watched ones are the best there are.
        clause.sort_by_key(|&lit| self.value(lit) < 0);
        match clause.iter().filter(|&&lit| self.value(lit) >= 0).count() {
            0 => self.conflict = true,
            1 if self.value(clause[0]) == 0 => {
                self.assign(clause[0]);
                if !self.propagate() {
                    self.conflict = true;
                }
            }
            _ => {}
        }
        if clause.len() >= 2 {
            let index = self.clauses.len() as u32;
            self.watches[slot(clause[0])].push(index);
            self.watches[slot(clause[1])].push(index);
            self.clauses.push(clause);
        }
    }

    /// Whether assuming every literal of `clause` false ends in a conflict by propagation alone.
    fn follows(&mut self, clause: &[i32]) -> bool {
        let mark = self.trail.len();
        let mut conflict = false;
        for &lit in clause {
            match self.value(lit) {
                1 => {
                    conflict = true;
                    break;
                }
                0 => self.assign(-lit),
                _ => {}
            }
        }
        let conflict = conflict || !self.propagate();
        while self.trail.len() > mark {
            if let Some(lit) = self.trail.pop() {
                self.values[lit.unsigned_abs() as usize] = 0;
            }
        }
        self.head = mark;
        conflict
    }

    /// `false` on a conflict.
    fn propagate(&mut self) -> bool {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            let falsified = slot(-lit);
            let mut watching = std::mem::take(&mut self.watches[falsified]);
            let mut kept = 0;
            let mut ok = true;
            for at in 0..watching.len() {
                let index = watching[at];
                if !ok || !self.visit(index, -lit, &mut ok) {
                    watching[kept] = index;
                    kept += 1;
                }
            }
            watching.truncate(kept);
            let added = std::mem::replace(&mut self.watches[falsified], watching);
            self.watches[falsified].extend(added);
            if !ok {
                return false;
            }
        }
        true
    }

    /// Looks at a clause one of whose watched literals, `falsified`, became false. True where it now watches another.
    fn visit(&mut self, index: u32, falsified: i32, ok: &mut bool) -> bool {
        let mut clause = std::mem::take(&mut self.clauses[index as usize]);
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let mut moved = false;
        if self.value(clause[0]) != 1 {
            match (2..clause.len()).find(|&at| self.value(clause[at]) >= 0) {
                Some(at) => {
                    clause.swap(1, at);
                    self.watches[slot(clause[1])].push(index);
                    moved = true;
                }
                None if self.value(clause[0]) == 0 => self.assign(clause[0]),
                None => *ok = false,
            }
        }
        self.clauses[index as usize] = clause;
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::Control;

    fn refutes(formula: &[Vec<i32>], proof: &[Vec<i32>], assumptions: &[i32]) -> bool {
        super::refutes(formula, proof, assumptions, &Control::default()).expect("no limit")
    }

    /// All four clauses over two variables: no model, and resolving on the first gives the units.
    const SQUARE: [[i32; 2]; 4] = [[1, 2], [1, -2], [-1, 2], [-1, -2]];

    fn formula() -> Vec<Vec<i32>> {
        SQUARE.iter().map(|clause| clause.to_vec()).collect()
    }

    #[test]
    fn a_right_proof_is_accepted() {
        assert!(refutes(&formula(), &[vec![1]], &[]));
    }

    #[test]
    fn a_missing_proof_is_refused() {
        assert!(!refutes(&formula(), &[], &[]));
    }

    #[test]
    fn a_clause_that_does_not_follow_is_refused() {
        let satisfiable = &formula()[..3];
        assert!(!refutes(satisfiable, &[vec![-1]], &[]));
    }

    #[test]
    fn assumptions_take_part() {
        let three = &formula()[..3];
        assert!(refutes(three, &[], &[-1]));
        assert!(!refutes(three, &[], &[1]));
    }
}
