//! Shared by the tests of POGDDL: domains at random, and the simplest evaluator of a round's circuit.

use percept_game::{
    FluentId, Ground, MoveId, PerceptId, RoleId, State, UpdateKind,
    circuit::{Lit, Node, Number, Order},
};

pub mod random_domain;

/// A domain that uses everything there is in POGDDL.
pub const EVERYTHING: &str = include_str!("everything.pog");

/// A circuit's value for one state and joint move.
pub struct Evaluation<'a> {
    pub ground: &'a Ground,
    nodes: Vec<bool>,
    state: &'a State,
}

fn number(number: &Number, state: &State) -> i64 {
    match number {
        Number::Constant(value) => *value,
        Number::Register(register) => state.registers[*register as usize],
        Number::Add(left, right) => self::number(left, state).saturating_add(self::number(right, state)),
        Number::Subtract(left, right) => self::number(left, state).saturating_sub(self::number(right, state)),
        Number::Multiply(left, right) => self::number(left, state).saturating_mul(self::number(right, state)),
        Number::Divide(left, right) => self::number(left, state).checked_div(self::number(right, state)).unwrap_or(0),
    }
}

impl<'a> Evaluation<'a> {
    pub fn new(ground: &'a Ground, state: &'a State, joint: &[MoveId]) -> Evaluation<'a> {
        let groups = ground.circuit.groups();
        let mut members: Vec<Vec<bool>> = groups.iter().map(|group| vec![false; group.definitions.len()]).collect();
        // A group depends on itself and on earlier ones only.
        for (number, group) in groups.iter().enumerate() {
            loop {
                let nodes = evaluate(ground, state, joint, &members);
                let value = |lit: Lit| nodes[lit.node() as usize] != lit.is_negated();
                let now: Vec<bool> = group.definitions.iter().map(|&lit| value(lit)).collect();
                if now == members[number] {
                    break;
                }
                members[number] = now;
            }
        }
        Evaluation { ground, nodes: evaluate(ground, state, joint, &members), state }
    }

    pub fn value(&self, lit: Lit) -> bool {
        self.nodes[lit.node() as usize] != lit.is_negated()
    }

    pub fn legal(&self, role: RoleId) -> Vec<MoveId> {
        let moves = &self.ground.moves[role.0 as usize];
        moves.iter().filter(|&&(_, gate)| self.value(gate)).map(|&(mv, _)| mv).collect()
    }

    pub fn next(&self) -> State {
        let mut next = State { bits: vec![0; self.state.bits.len()].into(), registers: self.state.registers.clone() };
        for &(FluentId(id), gate) in &self.ground.next {
            next.set(FluentId(id), self.value(gate));
        }
        for kind in [UpdateKind::Increase, UpdateKind::Assign] {
            for update in self.ground.updates.iter().filter(|update| update.kind == kind && self.value(update.gate)) {
                let value = number(&update.value, self.state);
                let register = &mut next.registers[update.register as usize];
                *register = if kind == UpdateKind::Assign { value } else { register.saturating_add(value) };
            }
        }
        next
    }

    pub fn sees(&self, role: RoleId) -> Vec<PerceptId> {
        let sees = &self.ground.sees[role.0 as usize];
        sees.iter().filter(|&&(_, gate)| self.value(gate)).map(|&(percept, _)| percept).collect()
    }

    pub fn goals(&self, role: RoleId) -> Vec<i64> {
        let constants = self.ground.goals[role.0 as usize].iter().map(|&(value, gate)| (value, gate));
        let numbers = self.ground.goal_numbers[role.0 as usize].iter();
        let numbers = numbers.map(|(value, gate)| (number(value, self.state), *gate));
        constants.chain(numbers).filter(|&(_, gate)| self.value(gate)).map(|(value, _)| value).collect()
    }

    pub fn terminal(&self) -> bool {
        self.value(self.ground.terminal)
    }
}

fn evaluate(ground: &Ground, state: &State, joint: &[MoveId], members: &[Vec<bool>]) -> Vec<bool> {
    let mut nodes: Vec<bool> = Vec::with_capacity(ground.circuit.nodes().len());
    for node in ground.circuit.nodes() {
        let value = |lit: &Lit| nodes[lit.node() as usize] != lit.is_negated();
        let result = match node {
            Node::True => true,
            Node::Fluent(fluent) => state.has(*fluent),
            Node::Move(role, mv) => joint[role.0 as usize] == *mv,
            Node::And(lits) => lits.iter().all(value),
            Node::Or(lits) => lits.iter().any(value),
            Node::Compare(index) => {
                let comparison = &ground.circuit.comparisons()[*index as usize];
                let (left, right) = (number(&comparison.left, state), number(&comparison.right, state));
                match comparison.order {
                    Order::Less => left < right,
                    Order::LessEqual => left <= right,
                    Order::Equal => left == right,
                }
            }
            Node::Loop { group, member } => members[*group as usize][*member as usize],
        };
        nodes.push(result);
    }
    nodes
}

/// Three-valued: the possible values of a gate, given those of fluents and moves. Registers are unknown.
pub struct Bounds {
    nodes: Vec<(bool, bool)>,
}

impl Bounds {
    /// `(can be false, can be true)` of every node; every listed move may or may not be made.
    pub fn new(ground: &Ground, possible: &State, certain: &State) -> Bounds {
        let mut nodes: Vec<(bool, bool)> = Vec::new();
        for node in ground.circuit.nodes() {
            let of = |lit: &Lit| {
                let (no, yes) = nodes[lit.node() as usize];
                if lit.is_negated() { (yes, no) } else { (no, yes) }
            };
            let result = match node {
                Node::True => (false, true),
                Node::Fluent(fluent) => (!certain.has(*fluent), possible.has(*fluent)),
                Node::And(lits) => (lits.iter().any(|lit| of(lit).0), lits.iter().all(|lit| of(lit).1)),
                Node::Or(lits) => (lits.iter().all(|lit| of(lit).0), lits.iter().any(|lit| of(lit).1)),
                Node::Move(..) | Node::Compare(_) | Node::Loop { .. } => (true, true),
            };
            nodes.push(result);
        }
        Bounds { nodes }
    }

    pub fn of(&self, lit: Lit) -> (bool, bool) {
        let (no, yes) = self.nodes[lit.node() as usize];
        if lit.is_negated() { (yes, no) } else { (no, yes) }
    }

    /// The possible and the certain facts after the round.
    pub fn next(&self, ground: &Ground, like: &State) -> (State, State) {
        let empty = State { bits: vec![0; like.bits.len()].into(), registers: like.registers.clone() };
        let (mut possible, mut certain) = (empty.clone(), empty);
        for &(fluent, gate) in &ground.next {
            let (no, yes) = self.of(gate);
            possible.set(fluent, yes);
            certain.set(fluent, !no);
        }
        (possible, certain)
    }
}
