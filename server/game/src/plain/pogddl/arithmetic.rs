//! Numbers, some of which are registers: constants are computed, the rest is written as expressions.
//!
//! Sums and products saturate at the greatest and the least number, division rounds towards zero and gives 0 for a
//! divisor of zero, as in all evaluations of a [`Number`]. A saturating operation is written as an expression even if
//! it is constant, so that its evaluation reports it.

use percept_syntax::pddl::{Comparison, Operator};

use crate::circuit::{self, Circuit, Lit, Number, Order};

/// The result for two numbers.
pub(super) fn calculated(op: Operator, left: &Number, right: &Number) -> Number {
    if let (Number::Constant(left), Number::Constant(right)) = (left, right)
        && let Some(value) = result(op, *left, *right)
    {
        return Number::Constant(value);
    }
    let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
    match op {
        Operator::Add => Number::Add(left, right),
        Operator::Subtract => Number::Subtract(left, right),
        Operator::Multiply => Number::Multiply(left, right),
        Operator::Divide => Number::Divide(left, right),
    }
}

/// The result, unless it does not fit in 64 bits.
fn result(op: Operator, left: i64, right: i64) -> Option<i64> {
    match op {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide if right == 0 => Some(0),
        Operator::Divide => left.checked_div(right),
    }
}

/// The number at which a result beyond 64 bits stops.
fn stopped(op: Operator, left: i64, right: i64) -> i64 {
    match op {
        Operator::Add => left.saturating_add(right),
        Operator::Subtract => left.saturating_sub(right),
        Operator::Multiply => left.saturating_mul(right),
        Operator::Divide => left.saturating_div(right),
    }
}

/// Operations without a result that were met.
#[derive(Default)]
pub(super) struct NumberFaults {
    pub beyond: bool,
    pub by_zero: bool,
}

/// The value of a number in a state with these registers.
pub(super) fn evaluated(number: &Number, registers: &[i64], faults: &mut NumberFaults) -> i64 {
    let (op, left, right) = match number {
        Number::Constant(value) => return *value,
        Number::Register(register) => return registers[*register as usize],
        Number::Add(left, right) => (Operator::Add, left, right),
        Number::Subtract(left, right) => (Operator::Subtract, left, right),
        Number::Multiply(left, right) => (Operator::Multiply, left, right),
        Number::Divide(left, right) => (Operator::Divide, left, right),
    };
    let (left, right) = (evaluated(left, registers, faults), evaluated(right, registers, faults));
    faults.by_zero |= op == Operator::Divide && right == 0;
    result(op, left, right).unwrap_or_else(|| {
        faults.beyond = true;
        stopped(op, left, right)
    })
}

/// The gate of a comparison.
pub(super) fn compared(circuit: &mut Circuit, op: Comparison, left: &Number, right: &Number) -> Lit {
    let mut gate = |order| match (left, right) {
        (Number::Constant(a), Number::Constant(b)) if holds(order, *a, *b) => Lit::TRUE,
        (Number::Constant(_), Number::Constant(_)) => Lit::FALSE,
        _ => circuit.compare(circuit::Comparison { order, left: left.clone(), right: right.clone() }),
    };
    match op {
        Comparison::Less => gate(Order::Less),
        Comparison::LessEqual => gate(Order::LessEqual),
        Comparison::Equal => gate(Order::Equal),
        Comparison::GreaterEqual => !gate(Order::Less),
        Comparison::Greater => !gate(Order::LessEqual),
    }
}

/// True if two values are in this order.
pub(super) fn holds(order: Order, left: i64, right: i64) -> bool {
    match order {
        Order::Less => left < right,
        Order::LessEqual => left <= right,
        Order::Equal => left == right,
    }
}
