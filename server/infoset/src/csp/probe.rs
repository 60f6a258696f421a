//! Probing: what would follow if this move were made?
//!
//! Each open option is assumed and propagated. On a conflict it is dropped. A consequence of every option of a group
//! holds. The options that one option rules out become a bit row of the exclusion matrix. This completes the paper's
//! definite preconditions and effects, over all rounds at once.

use std::time::Instant;

use super::{
    engine::{Conflict, Engine},
    problem::Problem,
};
use crate::{Budget, Stop, net::Lit};

/// The options that are compatible: a square bit matrix over all options of all groups. Each group starts at a word.
#[derive(Clone, Debug)]
pub(crate) struct Compatible {
    /// The first bit of each group.
    pub starts: Vec<usize>,
    /// The number of words per row.
    pub words: usize,
    rows: Vec<u64>,
}

impl Compatible {
    fn new(problem: &Problem) -> Compatible {
        let mut starts = Vec::new();
        let mut bits = 0;
        for group in &problem.groups {
            starts.push(bits);
            bits += group.options.len().next_multiple_of(64);
        }
        let words = bits / 64;
        let mut all = vec![0u64; words];
        for (group, &start) in problem.groups.iter().zip(&starts) {
            (start..start + group.options.len()).for_each(|bit| all[bit / 64] |= 1 << (bit % 64));
        }
        let mut matrix = Compatible { starts, words, rows: all.repeat(bits) };
        for (group, start) in problem.groups.iter().zip(matrix.starts.clone()) {
            for left in start..start + group.options.len() {
                (start..left).for_each(|right| matrix.exclude(left, right));
            }
        }
        matrix
    }

    /// The size of a problem's matrix in bytes.
    pub(crate) fn bytes(problem: &Problem) -> usize {
        let bits: usize = problem.groups.iter().map(|group| group.options.len().next_multiple_of(64)).sum();
        bits.saturating_mul(bits / 8)
    }

    pub(crate) fn row(&self, bit: usize) -> &[u64] {
        &self.rows[bit * self.words..(bit + 1) * self.words]
    }

    pub(crate) fn allows(&self, left: usize, right: usize) -> bool {
        self.row(left)[right / 64] >> (right % 64) & 1 == 1
    }

    fn exclude(&mut self, left: usize, right: usize) {
        for (row, bit) in [(left, right), (right, left)] {
            self.rows[row * self.words + bit / 64] &= !(1 << (bit % 64));
        }
    }
}

/// Probes until nothing changes, or until `enough`: the results until then are right, only weaker. Returns the
/// remaining problem with its matrix, or `None` if the information set is empty.
///
/// # Errors
/// Fails when interrupted.
pub(crate) fn probed(
    problem: Problem,
    enough: Instant,
    budget: &Budget,
) -> Result<Option<(Problem, Compatible)>, Stop> {
    let Some(mut problem) = propagated(problem) else {
        return Ok(None);
    };
    loop {
        let Ok(mut engine) = Engine::new(&problem) else {
            return Ok(None);
        };
        let before = engine.trail().len();
        let Some(matrix) = pass(&problem, &mut engine, enough, budget)? else {
            return Ok(None);
        };
        if engine.trail().len() == before || Instant::now() >= enough {
            return Ok(Some((problem, matrix)));
        }
        let reduced = problem.reduced(|node| engine.node_value(node), |_, _| false);
        match propagated(reduced) {
            Some(reduced) => problem = reduced,
            None => return Ok(None),
        }
    }
}

/// Folds all results of propagation alone into the problem; `None` if there is a contradiction.
pub(crate) fn propagated(problem: Problem) -> Option<Problem> {
    let mut problem = problem;
    loop {
        let engine = Engine::new(&problem).ok()?;
        // Only the requirements and the constant are known.
        if engine.trail().len() <= 1 + problem.required.len() {
            return Some(problem);
        }
        let size = (problem.net.len(), problem.option_count());
        let reduced = problem.reduced(|node| engine.node_value(node), |_, _| false);
        if reduced.impossible {
            return None;
        }
        let stable = size == (reduced.net.len(), reduced.option_count());
        problem = reduced;
        if stable {
            return Some(problem);
        }
    }
}

/// Probes every open option once. `None`: a conflict without assumptions.
fn pass(
    problem: &Problem,
    engine: &mut Engine<'_>,
    enough: Instant,
    budget: &Budget,
) -> Result<Option<Compatible>, Stop> {
    let mut matrix = Compatible::new(problem);
    let mut bit_of = vec![u32::MAX; problem.net.len()];
    for (group, &start) in problem.groups.iter().zip(&matrix.starts) {
        for (index, &(_, input)) in group.options.iter().enumerate() {
            bit_of[input as usize] = (start + index) as u32;
        }
    }
    let mut common = Common::new(2 * problem.net.len());
    for (index, group) in problem.groups.iter().enumerate() {
        budget.check()?;
        if Instant::now() >= enough {
            break;
        }
        budget.report("groups of moves probed", index, Some(problem.groups.len()));
        common.start();
        for &(_, input) in &group.options {
            let lit = Lit::new(input, false);
            if engine.value(lit).is_some() {
                continue;
            }
            let outcome = engine.assume(lit);
            if outcome.is_ok() {
                let implied = &engine.trail()[engine.level_start()..];
                common.add(implied);
                let bit = bit_of[input as usize] as usize;
                for lit in implied.iter().filter(|lit| lit.is_negated()) {
                    let other = bit_of[lit.node() as usize];
                    if other != u32::MAX {
                        matrix.exclude(bit, other as usize);
                    }
                }
            }
            engine.undo();
            if outcome.is_err() && engine.learn(!lit).is_err() {
                return Ok(None);
            }
        }
        for lit in common.all() {
            if engine.learn(lit) == Err(Conflict) {
                return Ok(None);
            }
        }
    }
    Ok(Some(matrix))
}

/// Literals that follow from every option of a group.
struct Common {
    counts: Vec<u32>,
    touched: Vec<Lit>,
    options: u32,
}

impl Common {
    fn new(lits: usize) -> Common {
        Common { counts: vec![0; lits], touched: vec![], options: 0 }
    }

    fn start(&mut self) {
        for lit in self.touched.drain(..) {
            self.counts[lit.0 as usize] = 0;
        }
        self.options = 0;
    }

    fn add(&mut self, implied: &[Lit]) {
        for &lit in implied {
            let count = &mut self.counts[lit.0 as usize];
            if *count == 0 && self.options == 0 {
                self.touched.push(lit);
            }
            if *count == self.options {
                *count += 1;
            }
        }
        self.options += 1;
    }

    fn all(&self) -> Vec<Lit> {
        self.touched.iter().copied().filter(|lit| self.counts[lit.0 as usize] == self.options).collect()
    }
}
