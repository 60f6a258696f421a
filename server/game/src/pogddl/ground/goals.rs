//! Goals and the end of the match, as gates over the old state.

use super::super::model::*;
use super::gates::{Gates, operation};
use crate::circuit::{Lit, Number, Order};

/// A role's possible goals: constants with their gates, and numbers that read registers with theirs.
pub(super) type Goals = (Vec<(i64, Lit)>, Vec<(Number, Lit)>);

/// The sums of each role's gains.
pub(super) struct Payoffs {
    /// The sums of each role.
    sums: Vec<Vec<(Number, Lit)>>,
    /// The gates of gains that pay a positive constant, and true if all gains do.
    positive: Vec<Lit>,
    only_positive: bool,
}

pub(super) fn payoffs(gates: &mut Gates) -> Payoffs {
    let engine = gates.engine;
    let mut payoffs = Payoffs { sums: Vec::new(), positive: Vec::new(), only_positive: true };
    let mut frame = [0; MAX_SLOTS];
    for (role, &object) in engine.model.roles.iter().enumerate() {
        let mut sums = vec![(Number::Constant(0), Lit::TRUE)];
        let is_chance = engine.model.chance == Some(role);
        for gain in engine.gains.iter().filter(|gain| !is_chance && gain.roles.contains(&object)) {
            frame[gain.slot as usize] = object;
            let gate = gates.condition(&gain.condition, &mut frame);
            if gate == Lit::FALSE {
                continue;
            }
            let values = gates.cases(&gain.value, &frame);
            for (value, value_gate) in &values {
                let gate = gates.circuit.and([gate, *value_gate]);
                match value {
                    Number::Constant(value) if *value > 0 => payoffs.positive.push(gate),
                    _ => payoffs.only_positive = false,
                }
            }
            sums = added(gates, &sums, gate, &values);
        }
        payoffs.sums.push(sums);
    }
    payoffs
}

/// Each sum stays as it is if the gain is not paid, and grows by one of the gain's values if it is.
fn added(gates: &mut Gates, sums: &[(Number, Lit)], gate: Lit, values: &[(Number, Lit)]) -> Vec<(Number, Lit)> {
    let mut cases = Vec::new();
    for (sum, sum_gate) in sums {
        let unpaid = gates.circuit.and([*sum_gate, !gate]);
        cases.push((sum.clone(), unpaid));
        for (value, value_gate) in values {
            let paid = gates.circuit.and([*sum_gate, gate, *value_gate]);
            cases.push((plus(sum, value), paid));
        }
    }
    cases.retain(|&(_, gate)| gate != Lit::FALSE);
    gates.merged(cases)
}

fn plus(left: &Number, right: &Number) -> Number {
    match (left, right) {
        (Number::Constant(0), other) | (other, Number::Constant(0)) => other.clone(),
        _ => operation(Operation::Add, left.clone(), right.clone()),
    }
}

impl Payoffs {
    pub(super) fn goals(&self) -> Vec<Goals> {
        let split = |sums: &Vec<(Number, Lit)>| {
            let mut goals: Goals = Default::default();
            for (sum, gate) in sums {
                match sum {
                    Number::Constant(value) => goals.0.push((*value, *gate)),
                    number => goals.1.push((number.clone(), *gate)),
                }
            }
            goals.0.sort_unstable();
            goals
        };
        self.sums.iter().map(split).collect()
    }

    /// The gate which states that the goals of all roles sum to more than zero.
    pub(super) fn is_paid(&self, gates: &mut Gates) -> Lit {
        if self.only_positive {
            return gates.circuit.or(self.positive.iter().copied());
        }
        let mut totals = vec![(Number::Constant(0), Lit::TRUE)];
        for sums in &self.sums {
            let mut cases = Vec::new();
            for (total, total_gate) in &totals {
                for (sum, gate) in sums {
                    let gate = gates.circuit.and([*total_gate, *gate]);
                    if gate != Lit::FALSE {
                        cases.push((plus(total, sum), gate));
                    }
                }
            }
            totals = gates.merged(cases);
        }
        let mut paid = Vec::new();
        for (total, gate) in totals {
            let is_more = match &total {
                Number::Constant(value) if *value > 0 => Lit::TRUE,
                Number::Constant(_) => Lit::FALSE,
                _ => gates.compared(Order::Less, Number::Constant(0), total.clone()),
            };
            paid.push(gates.circuit.and([gate, is_more]));
        }
        gates.circuit.or(paid)
    }
}
