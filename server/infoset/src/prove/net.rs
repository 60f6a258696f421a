//! A growing formula: copies of a round's circuit over fresh variables, and its clauses in a SAT solver.
//!
//! The formula is a [`Circuit`] again, so equal parts of two copies become one node and constants fold away before
//! any clause is written; its `Fluent` leaves are plain variables here. Clauses are Tseitin's, written only for the
//! nodes a query reaches.

use cadical::Solver;
use percept_game::circuit::{Circuit, Lit, Node};
use percept_game::{FluentId, MoveId, RoleId};

use super::Budget;

/// The formula under construction.
pub struct Net {
    circuit: Circuit,
    variables: u32,
}

/// What the leaves of a copied circuit stand for.
pub trait Leaves {
    fn fluent(&mut self, net: &mut Net, fluent: FluentId) -> Lit;
    fn does(&mut self, net: &mut Net, role: RoleId, mv: MoveId) -> Lit;
    /// A comparison of registers. Registers are not modelled, so this is a free variable: any answer is possible.
    fn compare(&mut self, net: &mut Net, comparison: u32) -> Lit;
}

impl Default for Net {
    fn default() -> Self {
        Net { circuit: Circuit::new(), variables: 0 }
    }
}

impl Net {
    pub fn new() -> Net {
        Net::default()
    }

    /// A variable that occurs nowhere yet.
    pub fn fresh(&mut self) -> Lit {
        self.variables += 1;
        self.circuit.fluent(FluentId(self.variables - 1))
    }

    pub fn and(&mut self, operands: impl IntoIterator<Item = Lit>) -> Lit {
        self.circuit.and(operands)
    }

    pub fn or(&mut self, operands: impl IntoIterator<Item = Lit>) -> Lit {
        self.circuit.or(operands)
    }

    /// True where exactly one of the two is.
    pub fn differ(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b {
            return Lit::FALSE;
        }
        if a == !b {
            return Lit::TRUE;
        }
        let left = self.and([a, !b]);
        let right = self.and([!a, b]);
        self.or([left, right])
    }

    /// Copies `circuit` with its leaves replaced: the literal of every node, by node. `replace` may give a node's
    /// literal outright (used where two copies are known to agree).
    ///
    /// Fixpoint groups are unrolled: each pass computes the next approximation from below, and the passes end when
    /// nothing changes, at the latest after as many passes as the groups have members.
    pub fn copy(
        &mut self,
        circuit: &Circuit,
        leaves: &mut dyn Leaves,
        replace: &dyn Fn(u32) -> Option<Lit>,
    ) -> Vec<Lit> {
        let mut inputs = vec![None; circuit.nodes().len()];
        for (index, node) in circuit.nodes().iter().enumerate() {
            inputs[index] = match replace(index as u32) {
                Some(lit) => Some(lit),
                None => match node {
                    Node::True => Some(Lit::TRUE),
                    Node::Fluent(fluent) => Some(leaves.fluent(self, *fluent)),
                    Node::Move(role, mv) => Some(leaves.does(self, *role, *mv)),
                    Node::Compare(comparison) => Some(leaves.compare(self, *comparison)),
                    Node::And(_) | Node::Or(_) | Node::Loop { .. } => None,
                },
            };
        }
        let mut members: Vec<Vec<Lit>> =
            circuit.groups().iter().map(|group| vec![Lit::FALSE; group.definitions.len()]).collect();
        let passes: usize = members.iter().map(Vec::len).sum::<usize>() + 1;
        let mut map = Vec::new();
        for _ in 0..passes {
            map = self.pass(circuit, &inputs, &members);
            let next: Vec<Vec<Lit>> = circuit
                .groups()
                .iter()
                .map(|group| group.definitions.iter().map(|&lit| through(&map, lit)).collect())
                .collect();
            if next == members {
                break;
            }
            members = next;
        }
        map
    }

    fn pass(&mut self, circuit: &Circuit, inputs: &[Option<Lit>], members: &[Vec<Lit>]) -> Vec<Lit> {
        let mut map: Vec<Lit> = Vec::with_capacity(inputs.len());
        for (index, node) in circuit.nodes().iter().enumerate() {
            let lit = match (inputs[index], node) {
                (Some(lit), _) => lit,
                (None, Node::And(operands)) => {
                    let operands: Vec<Lit> = operands.iter().map(|&lit| through(&map, lit)).collect();
                    self.circuit.and(operands)
                }
                (None, Node::Or(operands)) => {
                    let operands: Vec<Lit> = operands.iter().map(|&lit| through(&map, lit)).collect();
                    self.circuit.or(operands)
                }
                (None, Node::Loop { group, member }) => members[*group as usize][*member as usize],
                (None, _) => unreachable!("leaves were given their literals above"),
            };
            map.push(lit);
        }
        map
    }

    fn nodes(&self) -> &[Node] {
        self.circuit.nodes()
    }

    /// Number of nodes, the measure of the memory used.
    pub fn size(&self) -> usize {
        self.circuit.nodes().len()
    }
}

/// What a literal of the copied circuit became.
pub fn through(map: &[Lit], lit: Lit) -> Lit {
    let mapped = map[lit.node() as usize];
    if lit.is_negated() { !mapped } else { mapped }
}

/// Ends a solver run at a deadline, and keeps what the solver learns where a proof is wanted.
struct Watch {
    budget: Budget,
    learned: Option<Vec<Vec<i32>>>,
}

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.budget.is_spent()
    }

    fn max_length(&self) -> i32 {
        if self.learned.is_some() { i32::MAX } else { 0 }
    }

    fn learn(&mut self, clause: &[i32]) {
        if let Some(learned) = &mut self.learned {
            learned.push(clause.to_vec());
        }
    }
}

/// Clauses of parts of one [`Net`], in an incremental solver.
pub struct Clauses {
    solver: Solver<Watch>,
    /// Everything demanded, where a proof is wanted.
    formula: Option<Vec<Vec<i32>>>,
    /// The solver's variable of each node; 0 where the node has no clauses yet.
    variables: Vec<i32>,
    next: i32,
}

impl Clauses {
    /// `budget`: when solving gives up.
    pub fn new(budget: &Budget) -> Clauses {
        Clauses::with(Solver::new(), budget, false)
    }

    /// A solver without inprocessing, whose learned clauses are a proof by unit propagation.
    pub fn proving(budget: &Budget) -> Clauses {
        let solver = Solver::with_config("plain").unwrap_or_default();
        Clauses::with(solver, budget, true)
    }

    fn with(mut solver: Solver<Watch>, budget: &Budget, proving: bool) -> Clauses {
        solver.set_callbacks(Some(Watch { budget: budget.clone(), learned: proving.then(Vec::new) }));
        // Node 0, the constant true, is variable 1.
        let mut clauses = Clauses { solver, formula: proving.then(Vec::new), variables: vec![1], next: 2 };
        clauses.push(&[1]);
        clauses
    }

    fn push(&mut self, clause: &[i32]) {
        if let Some(formula) = &mut self.formula {
            formula.push(clause.to_vec());
        }
        self.solver.add_clause(clause.iter().copied());
    }

    /// Everything demanded so far; empty unless a proof is wanted.
    pub fn formula(&self) -> &[Vec<i32>] {
        self.formula.as_deref().unwrap_or_default()
    }

    /// What the solver has learned so far; empty unless a proof is wanted.
    pub fn learned(&mut self) -> Vec<Vec<i32>> {
        self.solver.get_callbacks().and_then(|watch| watch.learned.clone()).unwrap_or_default()
    }

    /// The solver's literal for `lit`; writes the clauses of its cone on first sight.
    pub fn literal(&mut self, net: &Net, lit: Lit) -> i32 {
        self.encode(net, lit.node());
        let variable = self.variables[lit.node() as usize];
        if lit.is_negated() { -variable } else { variable }
    }

    fn encode(&mut self, net: &Net, root: u32) {
        self.variables.resize(net.nodes().len(), 0);
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if self.variables[node as usize] != 0 {
                stack.pop();
                continue;
            }
            let operands: &[Lit] = match &net.nodes()[node as usize] {
                Node::And(operands) | Node::Or(operands) => operands,
                _ => &[],
            };
            let before = stack.len();
            stack.extend(operands.iter().map(|lit| lit.node()).filter(|&node| self.variables[node as usize] == 0));
            if stack.len() == before {
                stack.pop();
                self.define(net, node);
            }
        }
    }

    fn define(&mut self, net: &Net, node: u32) {
        let variable = self.next;
        self.next += 1;
        self.variables[node as usize] = variable;
        // An or-gate is an and-gate with everything negated.
        let (operands, sign) = match &net.nodes()[node as usize] {
            Node::And(operands) => (operands, 1),
            Node::Or(operands) => (operands, -1),
            _ => return,
        };
        let gate = sign * variable;
        let mut long = vec![gate];
        for &lit in operands.iter() {
            let known = self.variables[lit.node() as usize];
            let operand = sign * if lit.is_negated() { -known } else { known };
            self.push(&[-gate, operand]);
            long.push(-operand);
        }
        self.push(&long);
    }

    /// Demands `clause`.
    pub fn add(&mut self, net: &Net, clause: impl IntoIterator<Item = Lit>) {
        let clause: Vec<i32> = clause.into_iter().map(|lit| self.literal(net, lit)).collect();
        self.push(&clause);
    }

    /// Demands that exactly one of `lits` is true (at least one, and a ladder that allows no second).
    pub fn exactly_one(&mut self, net: &Net, lits: &[Lit]) {
        self.add(net, lits.iter().copied());
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
            let next = self.next;
            self.next += 1;
            self.push(&[-seen, next]);
            self.push(&[-lit, next]);
            seen = next;
        }
    }

    /// Whether everything demanded can hold together with `assumptions`; `None` where the deadline came first.
    pub fn solve(&mut self, net: &Net, assumptions: &[Lit]) -> Option<bool> {
        let assumptions: Vec<i32> = assumptions.iter().map(|&lit| self.literal(net, lit)).collect();
        self.solver.solve_with(assumptions)
    }

    /// The value in the model just found. Parts without clauses are free: false.
    pub fn value(&self, lit: Lit) -> bool {
        let variable = self.variables.get(lit.node() as usize).copied().unwrap_or(0);
        let value = variable != 0 && self.solver.value(variable).unwrap_or(false);
        value != lit.is_negated()
    }
}

/// Many questions "can this be true?" answered together: each model answers yes to several, and the rest are asked
/// again, until no model is left.
pub struct Candidates {
    /// What is asked, and the switch that asks it.
    open: Vec<Option<(Lit, Lit)>>,
}

impl Candidates {
    /// The clauses must not be used for anything else afterwards: one demand stays that one open candidate is true.
    pub fn new(net: &mut Net, clauses: &mut Clauses, targets: &[Lit]) -> Candidates {
        let mut open = Vec::with_capacity(targets.len());
        for &target in targets {
            let switch = net.fresh();
            clauses.add(net, [!switch, target]);
            open.push((target != Lit::FALSE).then_some((target, switch)));
        }
        let all: Vec<Lit> = open.iter().flatten().map(|&(_, switch)| switch).collect();
        clauses.add(net, all);
        Candidates { open }
    }

    /// Finds all candidates that can be true; the indices that cannot remain. `None` where the time was up.
    pub fn possible(mut self, net: &Net, clauses: &mut Clauses) -> Option<Vec<bool>> {
        let mut possible = vec![false; self.open.len()];
        while self.open.iter().any(Option::is_some) {
            if !clauses.solve(net, &[])? {
                break;
            }
            let hits: Vec<usize> = (0..self.open.len())
                .filter(|&index| self.open[index].is_some_and(|(target, _)| clauses.value(target)))
                .collect();
            for index in hits {
                possible[index] = true;
                if let Some((_, switch)) = self.open[index].take() {
                    clauses.add(net, [!switch]);
                }
            }
        }
        Some(possible)
    }
}
