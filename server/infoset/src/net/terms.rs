//! Numbers of which only their construction is known.
//!
//! A symbol represents any number. Terms constructed in the same way are the same number. Comparisons of the same terms
//! have the same answer, which is an input of the network. Nothing else is assumed, so a property that holds for all
//! inputs holds for all numbers. (Uninterpreted functions, as in Burch and Dill, "Automatic verification of pipelined
//! microprocessor control", CAV 1994.)

use percept_game::circuit::Order;
use rustc_hash::FxHashMap;

use super::{Lit, Net};

/// A number, identified by its construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term(u32);

/// The operations that make numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operation {
    /// Calculates as the rules do: saturating, and division by zero gives zero.
    pub(crate) fn of(self, left: i64, right: i64) -> i64 {
        match self {
            Operation::Add => left.saturating_add(right),
            Operation::Subtract => left.saturating_sub(right),
            Operation::Multiply => left.saturating_mul(right),
            Operation::Divide if right == 0 => 0,
            Operation::Divide => left.saturating_div(right),
        }
    }
}

/// True if the two numbers are in this order.
pub(crate) const fn is_ordered(order: Order, left: i64, right: i64) -> bool {
    match order {
        Order::Less => left < right,
        Order::LessEqual => left <= right,
        Order::Equal => left == right,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Making {
    Constant(i64),
    /// The index of the symbol.
    Symbol(u32),
    Of(Operation, Term, Term),
}

/// The terms and comparisons of a network.
#[derive(Clone, Default)]
pub(super) struct Terms {
    makings: Vec<Making>,
    ids: FxHashMap<Making, Term>,
    symbols: u32,
    comparisons: FxHashMap<(Order, Term, Term), Lit>,
}

impl Terms {
    fn term(&mut self, making: Making) -> Term {
        let (ids, makings) = (&mut self.ids, &mut self.makings);
        *ids.entry(making).or_insert_with(|| {
            makings.push(making);
            Term(makings.len() as u32 - 1)
        })
    }

    fn value(&self, term: Term) -> Option<i64> {
        match self.makings[term.0 as usize] {
            Making::Constant(value) => Some(value),
            _ => None,
        }
    }
}

impl Net {
    /// Returns a new symbol, which represents any number.
    pub(crate) fn symbol(&mut self) -> Term {
        self.terms.symbols += 1;
        self.terms.term(Making::Symbol(self.terms.symbols))
    }

    /// Returns the term of a constant.
    pub(crate) fn constant(&mut self, value: i64) -> Term {
        self.terms.term(Making::Constant(value))
    }

    /// Returns the result of an operation on two numbers.
    pub(crate) fn calculated(&mut self, operation: Operation, left: Term, right: Term) -> Term {
        match (self.terms.value(left), self.terms.value(right)) {
            (Some(left), Some(right)) => self.constant(operation.of(left, right)),
            _ => self.terms.term(Making::Of(operation, left, right)),
        }
    }

    /// Returns the literal that two numbers are in this order. Every pair of terms has an input of its own.
    pub(crate) fn compared(&mut self, order: Order, left: Term, right: Term) -> Lit {
        let constant = match (self.terms.value(left), self.terms.value(right)) {
            (Some(left), Some(right)) => Some(is_ordered(order, left, right)),
            _ => (left == right).then_some(order != Order::Less),
        };
        if let Some(holds) = constant {
            return if holds { Lit::TRUE } else { Lit::FALSE };
        }
        let key = match order {
            Order::Equal => (order, left.min(right), left.max(right)),
            Order::Less | Order::LessEqual => (order, left, right),
        };
        if let Some(&lit) = self.terms.comparisons.get(&key) {
            return lit;
        }
        let lit = self.input();
        self.terms.comparisons.insert(key, lit);
        lit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_terms_compare_alike() {
        let mut net = Net::new();
        let (x, y, two) = (net.symbol(), net.symbol(), net.constant(2));
        assert_ne!(x, y);
        let less = net.compared(Order::Less, x, y);
        assert_eq!(less, net.compared(Order::Less, x, y));
        assert_ne!(less, net.compared(Order::Less, y, x));
        assert_ne!(less, net.compared(Order::LessEqual, x, y));
        assert_eq!(net.compared(Order::Equal, x, y), net.compared(Order::Equal, y, x));
        assert_eq!((net.compared(Order::Equal, x, x), net.compared(Order::Less, x, x)), (Lit::TRUE, Lit::FALSE));
        let more = net.calculated(Operation::Add, x, two);
        assert_eq!(more, net.calculated(Operation::Add, x, two));
        assert_ne!(more, net.calculated(Operation::Subtract, x, two));
        assert_ne!(net.compared(Order::Less, x, two), net.compared(Order::Less, more, two));
        let four = net.calculated(Operation::Add, two, two);
        assert_eq!((four, net.compared(Order::Less, two, four)), (net.constant(4), Lit::TRUE));
    }

    #[test]
    fn numbers_are_counted_as_the_rules_count() {
        assert_eq!(Operation::Add.of(i64::MAX, 1), i64::MAX);
        assert_eq!(Operation::Subtract.of(i64::MIN, 1), i64::MIN);
        assert_eq!(Operation::Multiply.of(i64::MIN, 2), i64::MIN);
        assert_eq!((Operation::Divide.of(7, 0), Operation::Divide.of(-7, 2)), (0, -3));
    }
}
