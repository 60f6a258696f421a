//! One round's circuit, translated over the literals of the round before.

use percept_game::{
    Ground, MoveId, RoleId, UpdateKind,
    circuit::{Comparison, Node, Number},
};
use rustc_hash::FxHashMap;

use super::values::{Values, merged};
use crate::net::{Lit, Net, Operation, Term};

/// Goals by value, and goals that are terms, with their literals.
pub(crate) type Goals = (Vec<(i64, Lit)>, Vec<(Term, Lit)>);

/// The translation of one round.
pub(crate) struct Round<'a> {
    ground: &'a Ground,
    state: &'a [Lit],
    registers: &'a [Values],
    pub net: &'a mut Net,
    /// The literals of the possible moves; moves not listed are not made.
    pub moves: FxHashMap<(RoleId, MoveId), Lit>,
    /// False once a comparison was replaced by a free input.
    pub(crate) faithful: bool,
    done: Vec<Option<Lit>>,
    /// Operands of the gates that are being translated, the innermost last.
    operands: Vec<Lit>,
    groups: FxHashMap<u32, Vec<Lit>>,
}

impl<'a> Round<'a> {
    pub(crate) fn new(ground: &'a Ground, state: &'a [Lit], registers: &'a [Values], net: &'a mut Net) -> Round<'a> {
        Round {
            ground,
            state,
            registers,
            net,
            moves: FxHashMap::default(),
            faithful: true,
            done: vec![None; ground.circuit.nodes().len()],
            operands: vec![],
            groups: FxHashMap::default(),
        }
    }

    /// The literal of a literal of the circuit. Gates that depend on moves need `moves` to be filled.
    pub(crate) fn lit(&mut self, lit: Lit) -> Lit {
        let value = self.node(lit.node());
        if lit.is_negated() { !value } else { value }
    }

    fn node(&mut self, node: u32) -> Lit {
        if let Some(constant) = self.at_once(node) {
            return constant;
        }
        let ground = self.ground;
        let value = match &ground.circuit.nodes()[node as usize] {
            Node::And(lits) => self.gate(lits, Lit::FALSE),
            Node::Or(lits) => !self.gate(lits, Lit::TRUE),
            Node::Compare(index) => self.compare(&ground.circuit.comparisons()[*index as usize]),
            Node::Loop { group, member } => self.group(*group)[*member as usize],
            Node::True | Node::Fluent(_) | Node::Move(..) => unreachable!("these are known at once"),
        };
        self.done[node as usize] = Some(value);
        value
    }

    /// The literal of a node, if nothing needs to be translated for it.
    #[inline]
    fn at_once(&mut self, node: u32) -> Option<Lit> {
        let done = &mut self.done[node as usize];
        if done.is_none() {
            *done = match &self.ground.circuit.nodes()[node as usize] {
                Node::True => Some(Lit::TRUE),
                Node::Fluent(fluent) => Some(self.state.get(fluent.0 as usize).copied().unwrap_or(Lit::FALSE)),
                Node::Move(role, mv) => Some(self.moves.get(&(*role, *mv)).copied().unwrap_or(Lit::FALSE)),
                _ => None,
            };
        }
        *done
    }

    /// The and-gate of `lits`; with `until` true, the and-gate of their negations. Looks for an operand that decides
    /// the gate among those known at once, then stops at the first such operand, so that irrelevant operands are not
    /// translated.
    fn gate(&mut self, lits: &[Lit], until: Lit) -> Lit {
        let signed = |lit: Lit, value: Lit| if lit.is_negated() { !value } else { value };
        for &lit in lits {
            if self.at_once(lit.node()).is_some_and(|value| signed(lit, value) == until) {
                return Lit::FALSE;
            }
        }
        let start = self.operands.len();
        for &lit in lits {
            let value = self.lit(lit);
            if value == until {
                self.operands.truncate(start);
                return Lit::FALSE;
            }
            self.operands.push(if until == Lit::TRUE { !value } else { value });
        }
        let gate = self.net.and(self.operands[start..].iter().copied());
        self.operands.truncate(start);
        gate
    }

    /// All nodes of the circuit, by number, once `moves` is filled.
    pub(crate) fn all(&mut self) -> Vec<Lit> {
        (0..self.done.len() as u32).map(|node| self.node(node)).collect()
    }

    /// Sets the literal of a node directly.
    pub(crate) fn set(&mut self, node: u32, lit: Lit) {
        self.done[node as usize] = Some(lit);
    }

    /// Returns the possible goals of a role with their literals: constants, and terms.
    pub(crate) fn goals(&mut self, role: usize) -> Goals {
        let ground = self.ground;
        let mut goals: Vec<(i64, Lit)> =
            ground.goals[role].iter().map(|&(goal, gate)| (goal, self.lit(gate))).collect();
        let mut terms = Vec::new();
        for (number, gate) in ground.goal_numbers.get(role).into_iter().flatten() {
            let gate = self.lit(*gate);
            match self.number(number) {
                _ if gate == Lit::FALSE => {}
                Values::OneOf(values) => {
                    goals.extend(values.into_iter().map(|(value, when)| (value, self.net.and([gate, when]))));
                }
                Values::Terms(values) => {
                    self.faithful = false;
                    terms.extend(values.into_iter().map(|(term, when)| (term, self.net.and([gate, when]))));
                }
                Values::Unknown => {
                    self.faithful = false;
                    // Any value: a goal that no state has, under a literal that nothing determines.
                    goals.push((Values::ANY_GOAL, self.net.input()));
                }
            }
        }
        (merged(self.net, goals), merged(self.net, terms))
    }

    /// The registers after the round.
    pub(crate) fn updated(&mut self) -> Vec<Values> {
        let ground = self.ground;
        let mut new = self.registers.to_vec();
        for kind in [UpdateKind::Increase, UpdateKind::Assign] {
            for update in ground.updates.iter().filter(|update| update.kind == kind) {
                let gate = self.lit(update.gate);
                let register = update.register as usize;
                if gate == Lit::FALSE || register >= new.len() {
                    continue;
                }
                let value = self.number(&update.value);
                let changed = match kind {
                    UpdateKind::Increase => Values::calculated(self.net, Operation::Add, &new[register], &value),
                    UpdateKind::Assign => value,
                };
                new[register] = Values::either(self.net, gate, &changed, &new[register]);
            }
        }
        new
    }

    /// The least solution of a fixpoint group: its definitions are applied to nothing, then to the result, once for
    /// each member.
    fn group(&mut self, group: u32) -> Vec<Lit> {
        if let Some(solved) = self.groups.get(&group) {
            return solved.clone();
        }
        let ground = self.ground;
        let definitions = &ground.circuit.groups()[group as usize].definitions;
        let inside = dependents(ground, group);
        let mut values = vec![Lit::FALSE; definitions.len()];
        for _ in 0..definitions.len() {
            let mut local = FxHashMap::default();
            let next: Vec<Lit> =
                definitions.iter().map(|&lit| self.in_group(lit, &inside, &values, &mut local)).collect();
            if next == values {
                break;
            }
            values = next;
        }
        self.groups.insert(group, values.clone());
        values
    }

    fn in_group(&mut self, lit: Lit, inside: &[bool], values: &[Lit], local: &mut FxHashMap<u32, Lit>) -> Lit {
        let node = lit.node();
        let value = if !inside[node as usize] {
            self.node(node)
        } else if let Some(&lit) = local.get(&node) {
            lit
        } else {
            let ground = self.ground;
            let value = match &ground.circuit.nodes()[node as usize] {
                Node::Loop { member, .. } => values[*member as usize],
                Node::And(lits) => {
                    let operands: Vec<Lit> =
                        lits.iter().map(|&lit| self.in_group(lit, inside, values, local)).collect();
                    self.net.and(operands)
                }
                Node::Or(lits) => {
                    let operands: Vec<Lit> =
                        lits.iter().map(|&lit| self.in_group(lit, inside, values, local)).collect();
                    self.net.or(operands)
                }
                _ => unreachable!("only gates and the group's own members depend on the group"),
            };
            local.insert(node, value);
            value
        };
        if lit.is_negated() { !value } else { value }
    }

    fn compare(&mut self, comparison: &Comparison) -> Lit {
        let (left, right) = (self.number(&comparison.left), self.number(&comparison.right));
        let (lit, faithful) = Values::compared(self.net, comparison.order, &left, &right);
        self.faithful &= faithful;
        lit
    }

    pub(crate) fn number(&mut self, number: &Number) -> Values {
        let (operation, left, right) = match number {
            Number::Constant(value) => return Values::constant(*value),
            Number::Register(register) => {
                return self.registers.get(*register as usize).cloned().unwrap_or(Values::Unknown);
            }
            Number::Add(left, right) => (Operation::Add, left, right),
            Number::Subtract(left, right) => (Operation::Subtract, left, right),
            Number::Multiply(left, right) => (Operation::Multiply, left, right),
            Number::Divide(left, right) => (Operation::Divide, left, right),
        };
        let (left, right) = (self.number(left), self.number(right));
        Values::calculated(self.net, operation, &left, &right)
    }
}

/// Marks the nodes that depend on members of a group.
fn dependents(ground: &Ground, group: u32) -> Vec<bool> {
    let mut inside: Vec<bool> = Vec::with_capacity(ground.circuit.nodes().len());
    for node in ground.circuit.nodes() {
        inside.push(match node {
            Node::Loop { group: of, .. } => *of == group,
            Node::And(lits) | Node::Or(lits) => lits.iter().any(|lit| inside[lit.node() as usize]),
            _ => false,
        });
    }
    inside
}
