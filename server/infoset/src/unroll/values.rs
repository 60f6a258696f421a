//! The possible values of a number, and operations on them.

use percept_game::circuit::Order;

use crate::net::{Lit, Net, Operation, Term, is_ordered};

/// The possible values of a number: constants or terms, each with the literal under which the number has it, or too
/// many to follow.
///
/// The type has no equality: two numbers that are not followed may be different numbers. Use [`Values::is_surely`].
#[derive(Clone, Debug)]
pub(crate) enum Values {
    OneOf(Vec<(i64, Lit)>),
    /// At least one of them is not a constant.
    Terms(Vec<(Term, Lit)>),
    Unknown,
}

/// The most values of a number; a number with more is not followed.
const MOST_VALUES: usize = 256;

impl Values {
    /// A goal that no state has: represents any goal if the value is unknown.
    pub(crate) const ANY_GOAL: i64 = i64::MIN;

    pub(crate) fn constant(value: i64) -> Values {
        Values::OneOf(vec![(value, Lit::TRUE)])
    }

    /// An unknown number.
    pub(crate) fn any(net: &mut Net) -> Values {
        Values::Terms(vec![(net.symbol(), Lit::TRUE)])
    }

    /// True if both are the same number in every case. If false, they may still be the same.
    pub(crate) fn is_surely(&self, other: &Values) -> bool {
        match (self, other) {
            (Values::OneOf(left), Values::OneOf(right)) => left == right,
            (Values::Terms(left), Values::Terms(right)) => left == right,
            (Values::Unknown, _) | (_, Values::Unknown) | (Values::OneOf(_), _) | (Values::Terms(_), _) => false,
        }
    }

    /// The value, if there is only one.
    pub(crate) fn single(&self) -> Option<i64> {
        match self {
            Values::OneOf(values) if values.len() == 1 => Some(values[0].0),
            _ => None,
        }
    }

    /// Converts the values to terms. `None`: not followed.
    fn terms(&self, net: &mut Net) -> Option<Vec<(Term, Lit)>> {
        match self {
            Values::OneOf(values) => Some(values.iter().map(|&(value, when)| (net.constant(value), when)).collect()),
            Values::Terms(terms) => Some(terms.clone()),
            Values::Unknown => None,
        }
    }

    /// The result of an operation; unknown if there are too many values.
    pub(crate) fn calculated(net: &mut Net, operation: Operation, left: &Values, right: &Values) -> Values {
        if let (Values::OneOf(left), Values::OneOf(right)) = (left, right) {
            let of = |_: &mut Net, a, b| operation.of(a, b);
            return each(net, left, right, of).map_or(Values::Unknown, Values::OneOf);
        }
        let (Some(left), Some(right)) = (left.terms(net), right.terms(net)) else { return Values::Unknown };
        let of = |net: &mut Net, a, b| net.calculated(operation, a, b);
        each(net, &left, &right, of).map_or(Values::Unknown, Values::Terms)
    }

    /// `then` if the gate holds, else `otherwise`.
    pub(crate) fn either(net: &mut Net, gate: Lit, then: &Values, otherwise: &Values) -> Values {
        if gate == Lit::TRUE {
            return then.clone();
        }
        if let (Values::OneOf(then), Values::OneOf(otherwise)) = (then, otherwise) {
            return chosen(net, gate, then, otherwise).map_or(Values::Unknown, Values::OneOf);
        }
        let (Some(then), Some(otherwise)) = (then.terms(net), otherwise.terms(net)) else { return Values::Unknown };
        chosen(net, gate, &then, &otherwise).map_or(Values::Unknown, Values::Terms)
    }

    /// Returns the literal that the comparison holds, and true if the literal is exact. Terms and numbers that are not
    /// followed compare freely.
    pub(crate) fn compared(net: &mut Net, order: Order, left: &Values, right: &Values) -> (Lit, bool) {
        if let (Values::OneOf(left), Values::OneOf(right)) = (left, right) {
            let mut cases = Vec::new();
            for &(a, when_a) in left {
                for &(_, when_b) in right.iter().filter(|&&(b, _)| is_ordered(order, a, b)) {
                    cases.push(net.and([when_a, when_b]));
                }
            }
            return (net.or(cases), true);
        }
        let (Some(left), Some(right)) = (left.terms(net), right.terms(net)) else { return (net.input(), false) };
        let mut cases = Vec::new();
        for &(a, when_a) in &left {
            for &(b, when_b) in &right {
                let holds = net.compared(order, a, b);
                cases.push(net.and([when_a, when_b, holds]));
            }
        }
        (net.or(cases), false)
    }

    /// The literal that the number is this one.
    pub(crate) fn is(&self, net: &mut Net, value: i64) -> Lit {
        match self {
            Values::OneOf(values) => values.iter().find(|(other, _)| *other == value).map_or(Lit::FALSE, |it| it.1),
            other => Values::compared(net, Order::Equal, other, &Values::constant(value)).0,
        }
    }

    /// The literal that two numbers may differ, because they are not the same value or term. They may still be equal,
    /// so nothing follows from the literal if it is demanded or forbidden.
    pub(crate) fn may_differ(&self, net: &mut Net, other: &Values) -> Lit {
        let (Some(left), Some(right)) = (self.terms(net), other.terms(net)) else { return Lit::TRUE };
        let mut same = Vec::new();
        for &(a, when_a) in &left {
            for &(_, when_b) in right.iter().filter(|(b, _)| *b == a) {
                same.push(net.and([when_a, when_b]));
            }
        }
        !net.or(same)
    }
}

/// The results of all pairs. `None`: too many.
fn each<T: Copy + Ord>(
    net: &mut Net,
    left: &[(T, Lit)],
    right: &[(T, Lit)],
    of: impl Fn(&mut Net, T, T) -> T,
) -> Option<Vec<(T, Lit)>> {
    if left.len() * right.len() > MOST_VALUES * MOST_VALUES {
        return None;
    }
    let mut cases = Vec::new();
    for &(a, when_a) in left {
        for &(b, when_b) in right {
            cases.push((of(net, a, b), net.and([when_a, when_b])));
        }
    }
    few(net, cases)
}

fn chosen<T: Copy + Ord>(net: &mut Net, gate: Lit, then: &[(T, Lit)], otherwise: &[(T, Lit)]) -> Option<Vec<(T, Lit)>> {
    let mut cases = Vec::new();
    for (values, gate) in [(then, gate), (otherwise, !gate)] {
        for &(value, when) in values {
            cases.push((value, net.and([when, gate])));
        }
    }
    few(net, cases)
}

/// One case for each value that is possible. `None`: too many.
fn few<T: Copy + Ord>(net: &mut Net, mut cases: Vec<(T, Lit)>) -> Option<Vec<(T, Lit)>> {
    cases.retain(|&(_, lit)| lit != Lit::FALSE);
    let values = merged(net, cases);
    (values.len() <= MOST_VALUES).then_some(values)
}

/// One case for each value.
pub(super) fn merged<T: Copy + Ord>(net: &mut Net, mut cases: Vec<(T, Lit)>) -> Vec<(T, Lit)> {
    cases.sort_unstable();
    let chunks = cases.chunk_by(|left, right| left.0 == right.0);
    chunks.map(|same| (same[0].0, net.or(same.iter().map(|&(_, lit)| lit)))).collect()
}
