//! Conditions as gates over the possible and the certain facts.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::super::{
    engine::Engine,
    eval::{Location, World, has},
    layout::NONE,
    model::*,
    plan::*,
};
use super::digits::{Arithmetic, Digits};
use crate::{
    FluentId, Registers,
    circuit::{Circuit, Comparison, Lit, Number},
};

/// The most combinations of values that are enumerated for one comparison.
const MAX_CASES: usize = 1 << 14;

/// Builds gates. Fluents that are certain or impossible are constants.
pub(super) struct Gates<'a> {
    pub engine: &'a Engine,
    pub world: World<'a>,
    pub circuit: Circuit,
    /// Gates of the derived atoms that are neither certain nor impossible.
    pub derived: FxHashMap<u32, Lit>,
    /// The last disjunction built at each step of a plan: its operands, sorted, and its gate. Neighbouring bindings
    /// often give growing disjunctions (all smaller cards), which then share the smaller one.
    last_or: FxHashMap<*const Step, (Vec<Lit>, Lit)>,
    /// True if an expression had more than [`MAX_CASES`] values, so that the circuit is not right.
    pub overflow: bool,
    /// The registers as digits; `None` if they are compared as numbers.
    pub digits: Option<Digits>,
}

impl<'a> Gates<'a> {
    pub(super) fn new(engine: &'a Engine, world: World<'a>) -> Gates<'a> {
        let (derived, last_or) = (FxHashMap::default(), FxHashMap::default());
        Gates { engine, world, circuit: Circuit::new(), derived, last_or, overflow: false, digits: None }
    }

    /// The literal of a fluent or derived atom.
    pub(super) fn fluent(&mut self, id: u32) -> Lit {
        if id == NONE || !has(self.world.upper, id) {
            Lit::FALSE
        } else if has(self.world.lower, id) {
            Lit::TRUE
        } else if id >= self.engine.derived_start && self.engine.needs_closure() {
            self.derived.get(&id).copied().unwrap_or(Lit::FALSE)
        } else {
            self.circuit.fluent(FluentId(id))
        }
    }

    pub(super) fn condition(&mut self, condition: &Cond, frame: &mut Frame) -> Lit {
        match condition {
            Cond::True | Cond::False | Cond::Equal(..) | Cond::Static(..) | Cond::SparseStatic(..) => {
                if self.world.may(condition, frame) { Lit::TRUE } else { Lit::FALSE }
            }
            Cond::Fluent(atom) => self.fluent(atom.id(frame)),
            Cond::Compare(order, left, right) => {
                if !self.world.may(condition, frame) {
                    Lit::FALSE
                } else if self.world.swap().may(condition, frame) {
                    Lit::TRUE
                } else {
                    self.compare(*order, left, right, frame)
                }
            }
            Cond::Not(inner) => !self.condition(inner, frame),
            Cond::And(parts) => {
                let mut gates = Vec::with_capacity(parts.len());
                for part in parts {
                    match self.condition(part, frame) {
                        Lit::FALSE => return Lit::FALSE,
                        gate => gates.push(gate),
                    }
                }
                self.circuit.and(gates)
            }
            Cond::Or(parts) => {
                let mut gates = Vec::with_capacity(parts.len());
                for part in parts {
                    match self.condition(part, frame) {
                        Lit::TRUE => return Lit::TRUE,
                        gate => gates.push(gate),
                    }
                }
                self.circuit.or(gates)
            }
            Cond::Exists(plan) => self.exists(&plan.steps, frame),
        }
    }

    /// The gate which states that some binding of the steps' variables satisfies all steps.
    pub(super) fn exists(&mut self, steps: &[Step], frame: &mut Frame) -> Lit {
        let Some((step, rest)) = steps.split_first() else { return Lit::TRUE };
        if let Step::Test(condition) = step {
            return match self.condition(condition, frame) {
                Lit::FALSE => Lit::FALSE,
                gate => {
                    let rest = self.exists(rest, frame);
                    self.circuit.and([gate, rest])
                }
            };
        }
        let mut operands = Vec::new();
        let is_true = self.choices(step, frame, &mut |gates, frame, atom| {
            gates.world.look()?;
            let inner = gates.exists(rest, frame);
            let gate = gates.circuit.and([atom, inner]);
            match gate {
                Lit::TRUE => return ControlFlow::Break(()),
                Lit::FALSE => {}
                gate => operands.push(gate),
            }
            ControlFlow::Continue(())
        });
        if is_true.is_break() { Lit::TRUE } else { self.shared_or(step, operands) }
    }

    /// Calls `visit` for every possible choice of a binding step, with the literal of the atom behind it.
    pub(super) fn choices(
        &mut self,
        step: &Step,
        frame: &mut Frame,
        visit: &mut dyn FnMut(&mut Self, &mut Frame, Lit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match step {
            Step::Test(condition) => match self.condition(condition, frame) {
                Lit::FALSE => ControlFlow::Continue(()),
                gate => visit(self, frame, gate),
            },
            Step::Domain(slot, objects) => {
                for &object in objects.iter() {
                    frame[*slot as usize % MAX_SLOTS] = object;
                    visit(self, frame, Lit::TRUE)?;
                }
                ControlFlow::Continue(())
            }
            Step::Rows(rows) => rows.each(frame, &mut |frame| visit(self, frame, Lit::TRUE)),
            Step::Scan(scan) => {
                let world = self.world;
                scan.each(&world, frame, &mut |frame, id| {
                    let atom = self.fluent(id);
                    visit(self, frame, if scan.is_negated { !atom } else { atom })
                })
            }
        }
    }

    /// Calls `visit` for every binding that may satisfy the plan, with the gate under which it does.
    pub(super) fn each(
        &mut self,
        steps: &[Step],
        frame: &mut Frame,
        gate: Lit,
        visit: &mut dyn FnMut(&mut Self, &mut Frame, Lit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((step, rest)) = steps.split_first() else { return visit(self, frame, gate) };
        self.choices(step, frame, &mut |gates, frame, literal| {
            gates.world.look()?;
            match gates.circuit.and([gate, literal]) {
                Lit::FALSE => ControlFlow::Continue(()),
                gate => gates.each(rest, frame, gate, visit),
            }
        })
    }

    fn shared_or(&mut self, step: &Step, mut operands: Vec<Lit>) -> Lit {
        operands.sort_unstable();
        operands.dedup();
        if operands.len() < 3 {
            return self.circuit.or(operands);
        }
        let shared = match self.last_or.get(&std::ptr::from_ref(step)) {
            Some((smaller, gate)) if smaller.len() > 1 && is_subset(smaller, &operands) => {
                let mut rest: Vec<Lit> =
                    operands.iter().copied().filter(|lit| smaller.binary_search(lit).is_err()).collect();
                rest.push(*gate);
                Some(rest)
            }
            _ => None,
        };
        let gate = match shared {
            Some(rest) => self.circuit.or(rest),
            None => self.circuit.or(operands.iter().copied()),
        };
        self.last_or.insert(std::ptr::from_ref(step), (operands, gate));
        gate
    }

    fn compare(
        &mut self,
        order: crate::circuit::Order,
        left: &Expression,
        right: &Expression,
        frame: &mut Frame,
    ) -> Lit {
        let (left, right) = (self.cases(left, frame), self.cases(right, frame));
        let mut gates = Vec::new();
        for (left, left_gate) in &left {
            for (right, right_gate) in &right {
                let (left, right) = (left.clone(), right.clone());
                let holds = match (&left, &right) {
                    (Number::Constant(left), Number::Constant(right)) => match order {
                        crate::circuit::Order::Less if left < right => Lit::TRUE,
                        crate::circuit::Order::LessEqual if left <= right => Lit::TRUE,
                        crate::circuit::Order::Equal if left == right => Lit::TRUE,
                        _ => Lit::FALSE,
                    },
                    _ => self.compared(order, left, right),
                };
                let gate = self.circuit.and([*left_gate, *right_gate, holds]);
                gates.push(gate);
            }
        }
        self.circuit.or(gates)
    }

    /// A comparison of numbers that are not both constants.
    pub(super) fn compared(&mut self, order: crate::circuit::Order, left: Number, right: Number) -> Lit {
        match self.arithmetic() {
            Some(mut arithmetic) => arithmetic.compared(order, left, right),
            None => self.circuit.compare(Comparison { order, left, right }),
        }
    }

    /// The fluents of the registers, if they are digits.
    pub(super) fn registers(&self) -> Option<Registers> {
        self.digits.as_ref().map(|digits| digits.registers)
    }

    /// Arithmetic over the registers as digits, if they are.
    pub(super) fn arithmetic(&mut self) -> Option<Arithmetic<'_>> {
        let Gates { circuit, digits, .. } = self;
        digits.as_mut().map(|digits| Arithmetic { circuit, digits })
    }

    /// The possible values of an expression, each with its gate. Registers stay in the number.
    pub(super) fn cases(&mut self, expression: &Expression, frame: &Frame) -> Vec<(Number, Lit)> {
        match expression {
            Expression::Constant(value) => vec![(Number::Constant(*value), Lit::TRUE)],
            Expression::Table(..) => vec![(Number::Constant(self.world.value(expression, frame)), Lit::TRUE)],
            Expression::Register(atom) => match atom.id(frame) {
                NONE => vec![(Number::Constant(0), Lit::TRUE)],
                register => self.register_cases(register),
            },
            Expression::Binary(op, left, right, _) => {
                let (left, right) = (self.cases(left, frame), self.cases(right, frame));
                let mut cases: Vec<(Number, Lit)> = Vec::new();
                for (left, left_gate) in &left {
                    for (right, right_gate) in &right {
                        let gate = self.circuit.and([*left_gate, *right_gate]);
                        if cases.len() >= MAX_CASES {
                            self.overflow = true;
                            return cases;
                        }
                        if gate != Lit::FALSE {
                            cases.push((operation(*op, left.clone(), right.clone()), gate));
                        }
                    }
                }
                self.merged(cases)
            }
        }
    }

    pub(super) fn register_cases(&mut self, register: u32) -> Vec<(Number, Lit)> {
        match self.engine.locations[register as usize] {
            Location::Word(word) => vec![(Number::Register(word), Lit::TRUE)],
            Location::Bits { first, low, len } => (0..len)
                .map(|rank| (Number::Constant(low + rank as i64), self.fluent(first + rank)))
                .filter(|&(_, gate)| gate != Lit::FALSE)
                .collect(),
        }
    }

    /// Merges cases with the same number.
    pub(super) fn merged(&mut self, cases: Vec<(Number, Lit)>) -> Vec<(Number, Lit)> {
        let mut places: FxHashMap<Number, usize> = FxHashMap::default();
        let mut merged: Vec<(Number, Vec<Lit>)> = Vec::new();
        for (number, gate) in cases {
            let place = *places.entry(number.clone()).or_insert(merged.len());
            match merged.get_mut(place) {
                Some((_, gates)) => gates.push(gate),
                None => merged.push((number, vec![gate])),
            }
        }
        merged.into_iter().map(|(number, gates)| (number, self.circuit.or(gates))).collect()
    }
}

/// The operation on two numbers, computed if both are constants.
pub(super) fn operation(op: Operation, left: Number, right: Number) -> Number {
    if let (Number::Constant(left), Number::Constant(right)) = (&left, &right) {
        return Number::Constant(op.apply(*left, *right));
    }
    let (left, right) = (Box::new(left), Box::new(right));
    match op {
        Operation::Add => Number::Add(left, right),
        Operation::Subtract => Number::Subtract(left, right),
        Operation::Multiply => Number::Multiply(left, right),
        Operation::Divide => Number::Divide(left, right),
    }
}

/// Both sorted, without repeats.
fn is_subset(smaller: &[Lit], larger: &[Lit]) -> bool {
    let mut rest = larger.iter();
    smaller.len() <= larger.len() && smaller.iter().all(|lit| rest.any(|other| other == lit))
}
