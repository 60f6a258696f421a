//! Three-valued propagation in both directions over a problem: unit propagation on its gates and groups.
//!
//! A gate that holds makes its operands hold. An operand that does not hold makes the gate not hold. If all operands
//! hold, so does the gate. If a gate does not hold but all its operands except one do, that one does not hold either
//! (two watched literals per gate). Exactly one option of each group holds.

use super::problem::Problem;
use crate::net::{Gate, Lit};

const UNKNOWN: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Another literal of the clause: if it holds, there is nothing to do.
    other: Lit,
}

#[derive(Clone)]
pub(crate) struct Engine<'a> {
    problem: &'a Problem,
    /// The value of each literal.
    values: Vec<u8>,
    /// The gates with a literal as an operand: `uses[use_ends[l-1]..use_ends[l]]`.
    uses: Vec<u32>,
    use_ends: Vec<u32>,
    clauses: Vec<Lit>,
    clause_ends: Vec<u32>,
    watches: Vec<Vec<Watch>>,
    /// The group of each node, if the node is an option.
    group_of: Vec<u32>,
    trail: Vec<Lit>,
    done: usize,
    levels: Vec<usize>,
}

/// The assumptions made so far contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict;

impl<'a> Engine<'a> {
    /// Creates an engine with the problem's requirements propagated.
    ///
    /// # Errors
    /// Fails if they contradict each other.
    pub(crate) fn new(problem: &'a Problem) -> Result<Engine<'a>, Conflict> {
        let nodes = problem.net.len();
        let mut engine = Engine {
            problem,
            values: vec![UNKNOWN; 2 * nodes],
            uses: vec![],
            use_ends: vec![],
            clauses: vec![],
            clause_ends: vec![],
            watches: vec![vec![]; 2 * nodes],
            group_of: vec![u32::MAX; nodes],
            trail: vec![],
            done: 0,
            levels: vec![],
        };
        engine.index_uses();
        for node in 0..nodes as u32 {
            if let Gate::And(operands) = problem.net.gate(node) {
                engine.clause(std::iter::once(Lit::new(node, false)).chain(operands.iter().map(|&lit| !lit)));
            }
        }
        for (index, group) in problem.groups.iter().enumerate() {
            for &(_, input) in &group.options {
                engine.group_of[input as usize] = index as u32;
            }
            engine.clause(group.options.iter().map(|&(_, input)| Lit::new(input, false)));
        }
        if problem.impossible {
            return Err(Conflict);
        }
        engine.set(Lit::TRUE)?;
        for &lit in &problem.required {
            engine.set(lit)?;
        }
        engine.propagate()?;
        Ok(engine)
    }

    fn index_uses(&mut self) {
        let net = &self.problem.net;
        let mut counts = vec![0u32; 2 * net.len() + 1];
        let gates = || {
            (0..net.len() as u32).filter_map(|node| match net.gate(node) {
                Gate::And(operands) => Some((node, operands)),
                _ => None,
            })
        };
        for (_, operands) in gates() {
            operands.iter().for_each(|lit| counts[lit.0 as usize + 1] += 1);
        }
        for index in 1..counts.len() {
            counts[index] += counts[index - 1];
        }
        self.uses = vec![0; counts[counts.len() - 1] as usize];
        let mut next = counts.clone();
        for (node, operands) in gates() {
            for lit in operands {
                self.uses[next[lit.0 as usize] as usize] = node;
                next[lit.0 as usize] += 1;
            }
        }
        self.use_ends = counts;
    }

    /// Adds a clause of at least two literals.
    fn clause(&mut self, lits: impl Iterator<Item = Lit>) {
        let start = self.clauses.len();
        self.clauses.extend(lits);
        let (first, second) = (self.clauses[start], self.clauses[start + 1]);
        let clause = self.clause_ends.len() as u32;
        self.clause_ends.push(self.clauses.len() as u32);
        self.watches[first.0 as usize].push(Watch { clause, other: second });
        self.watches[second.0 as usize].push(Watch { clause, other: first });
    }

    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.0 as usize] {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    pub(crate) fn node_value(&self, node: u32) -> Option<bool> {
        self.value(Lit::new(node, false))
    }

    /// The literals set so far, in the order in which they were set.
    pub(crate) fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// The start of the current level in the trail.
    pub(crate) fn level_start(&self) -> usize {
        self.levels.last().copied().unwrap_or(0)
    }

    pub(crate) fn level(&self) -> usize {
        self.levels.len()
    }

    /// Opens a level and assumes a literal there. On a conflict the level stays open: [`Engine::undo`] it.
    ///
    /// # Errors
    /// Fails if the literal contradicts the propagated ones.
    pub(crate) fn assume(&mut self, lit: Lit) -> Result<(), Conflict> {
        self.levels.push(self.trail.len());
        self.learn(lit)
    }

    /// Sets a literal at the current level, with its consequences.
    ///
    /// # Errors
    /// Fails if the literal contradicts the propagated ones.
    pub(crate) fn learn(&mut self, lit: Lit) -> Result<(), Conflict> {
        self.set(lit)?;
        self.propagate()
    }

    /// Closes the current level.
    pub(crate) fn undo(&mut self) {
        let Some(start) = self.levels.pop() else {
            return;
        };
        for lit in self.trail.drain(start..) {
            self.values[lit.0 as usize] = UNKNOWN;
            self.values[(!lit).0 as usize] = UNKNOWN;
        }
        self.done = start;
    }

    fn set(&mut self, lit: Lit) -> Result<(), Conflict> {
        match self.values[lit.0 as usize] {
            TRUE => Ok(()),
            FALSE => Err(Conflict),
            _ => {
                self.values[lit.0 as usize] = TRUE;
                self.values[(!lit).0 as usize] = FALSE;
                self.trail.push(lit);
                Ok(())
            }
        }
    }

    fn propagate(&mut self) -> Result<(), Conflict> {
        while self.done < self.trail.len() {
            let lit = self.trail[self.done];
            self.done += 1;
            self.downward(lit)?;
            self.upward(!lit)?;
            self.watched(!lit)?;
        }
        Ok(())
    }

    /// Propagates from a gate that holds, or from an option that is chosen.
    fn downward(&mut self, lit: Lit) -> Result<(), Conflict> {
        if lit.is_negated() {
            return Ok(());
        }
        let problem = self.problem;
        if let Gate::And(operands) = problem.net.gate(lit.node()) {
            for &operand in operands {
                self.set(operand)?;
            }
        }
        let group = self.group_of[lit.node() as usize];
        if let Some(group) = problem.groups.get(group as usize) {
            for &(_, input) in group.options.iter().filter(|&&(_, input)| input != lit.node()) {
                self.set(Lit::new(input, true))?;
            }
        }
        Ok(())
    }

    /// Propagates to the gates with an operand that does not hold.
    fn upward(&mut self, failed: Lit) -> Result<(), Conflict> {
        let range = self.use_ends[failed.0 as usize] as usize..self.use_ends[failed.0 as usize + 1] as usize;
        for index in range {
            self.set(Lit::new(self.uses[index], true))?;
        }
        Ok(())
    }

    fn watched(&mut self, failed: Lit) -> Result<(), Conflict> {
        let mut watches = std::mem::take(&mut self.watches[failed.0 as usize]);
        let mut kept = 0;
        let mut result = Ok(());
        let mut index = 0;
        while index < watches.len() {
            let watch = watches[index];
            index += 1;
            if self.values[watch.other.0 as usize] == TRUE {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let start = if watch.clause == 0 { 0 } else { self.clause_ends[watch.clause as usize - 1] as usize };
            let end = self.clause_ends[watch.clause as usize] as usize;
            let clause = &mut self.clauses[start..end];
            if clause[0] == failed {
                clause.swap(0, 1);
            }
            let first = clause[0];
            let watch = Watch { clause: watch.clause, other: first };
            if self.values[first.0 as usize] != TRUE
                && let Some(free) = (2..clause.len()).find(|&at| self.values[clause[at].0 as usize] != FALSE)
            {
                clause.swap(1, free);
                let lit = clause[1];
                self.watches[lit.0 as usize].push(watch);
                continue;
            }
            watches[kept] = watch;
            kept += 1;
            result = self.set(first);
            if result.is_err() {
                break;
            }
        }
        watches.copy_within(index.., kept);
        watches.truncate(kept + watches.len() - index);
        self.watches[failed.0 as usize] = watches;
        result
    }
}
