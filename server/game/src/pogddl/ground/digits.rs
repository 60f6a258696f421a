//! Registers in random play: fluents, one for each binary digit of the number, and arithmetic as gates over them.
//!
//! Digits are listed from the lowest; the last one is the sign (two's complement), so numbers of any length can be
//! extended. A register has a few digits only. A lane whose register would need more gives up, and its match is played
//! by the interpreter.

use rustc_hash::FxHashMap;

use crate::circuit::{Circuit, Lit, Number, Order};
use crate::{FluentId, RegisterUpdate, Registers, UpdateKind};

/// The least number of digits of a register.
const LEAST: u32 = 16;
/// The most digits of a register.
const MOST: u32 = 32;
/// The most digits of an expression. None needs more ([`super::super::sound`]).
const LONGEST: usize = 42;

/// The registers as digits.
pub(super) struct Digits {
    /// The fluents of the registers.
    pub registers: Registers,
    known: FxHashMap<Number, Vec<Lit>>,
    /// True if a number was a quotient, for which there are no gates.
    pub divides: bool,
}

impl Digits {
    /// Digits for the registers that are `initial` at first, numbered from fluent `first`. `None` if a number needs too
    /// many.
    pub(super) fn new(initial: &[i64], first: u32) -> Option<Digits> {
        let digits = |value: &i64| 1 + i64::BITS - (value ^ (value >> 63)).leading_zeros();
        let needed = initial.iter().map(digits).max().unwrap_or(0);
        // Numbers can grow to sixteen times their initial values.
        let width = LEAST.max(needed + 4);
        let registers = Registers { first, width };
        (width <= MOST).then(|| Digits { registers, known: FxHashMap::default(), divides: false })
    }
}

/// The last digit: true if the number is negative.
fn sign(digits: &[Lit]) -> Lit {
    digits.last().copied().unwrap_or(Lit::FALSE)
}

fn digit(digits: &[Lit], at: usize) -> Lit {
    digits.get(at).copied().unwrap_or_else(|| sign(digits))
}

/// Without leading digits that repeat the sign.
fn trimmed(mut digits: Vec<Lit>) -> Vec<Lit> {
    digits.truncate(LONGEST);
    while digits.len() > 1 && digits[digits.len() - 1] == digits[digits.len() - 2] {
        digits.pop();
    }
    digits
}

fn constant(value: i64) -> Vec<Lit> {
    let digits = (0..i64::BITS).map(|digit| if value >> digit & 1 == 1 { Lit::TRUE } else { Lit::FALSE });
    let mut digits: Vec<Lit> = digits.collect();
    while digits.len() > 1 && digits[digits.len() - 1] == digits[digits.len() - 2] {
        digits.pop();
    }
    digits
}

/// Arithmetic as gates.
pub(super) struct Arithmetic<'c> {
    pub circuit: &'c mut Circuit,
    pub digits: &'c mut Digits,
}

impl Arithmetic<'_> {
    /// A comparison of numbers that are not both constants.
    pub(super) fn compared(&mut self, order: Order, left: Number, right: Number) -> Lit {
        let (left, right) = (self.digits_of(&left), self.digits_of(&right));
        match order {
            Order::Less => self.is_less(&left, &right),
            Order::LessEqual => !self.is_less(&right, &left),
            Order::Equal => {
                let longest = left.len().max(right.len());
                let differs = (0..longest).map(|at| self.xor(digit(&left, at), digit(&right, at))).collect::<Vec<_>>();
                !self.circuit.or(differs)
            }
        }
    }

    fn is_less(&mut self, left: &[Lit], right: &[Lit]) -> Lit {
        let difference = self.less(left, right);
        sign(&difference)
    }

    fn xor(&mut self, left: Lit, right: Lit) -> Lit {
        let only_left = self.circuit.and([left, !right]);
        let only_right = self.circuit.and([!left, right]);
        self.circuit.or([only_left, only_right])
    }

    /// The sum of two numbers, and one more if `carry` holds.
    fn sum(&mut self, left: &[Lit], right: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::new();
        for at in 0..=left.len().max(right.len()) {
            let (left, right) = (digit(left, at), digit(right, at));
            let odd = self.xor(left, right);
            sum.push(self.xor(odd, carry));
            let both = self.circuit.and([left, right]);
            let carried = self.circuit.and([odd, carry]);
            carry = self.circuit.or([both, carried]);
        }
        trimmed(sum)
    }

    fn less(&mut self, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
        let inverse: Vec<Lit> = right.iter().map(|&lit| !lit).collect();
        self.sum(left, &inverse, Lit::TRUE)
    }

    fn product(&mut self, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
        let longest = (left.len() + right.len()).min(LONGEST);
        let mut product = vec![Lit::FALSE];
        for at in 0..longest {
            let factor = digit(right, at);
            let mut row = vec![Lit::FALSE; at];
            row.extend((0..longest - at).map(|place| self.circuit.and([factor, digit(left, place)])));
            product = self.sum(&product, &row, Lit::FALSE);
            // Modulo the length of the product, which is long enough for it.
            product.truncate(longest);
        }
        trimmed(product)
    }

    /// The digits of a number.
    pub(super) fn digits_of(&mut self, number: &Number) -> Vec<Lit> {
        if let Some(known) = self.digits.known.get(number) {
            return known.clone();
        }
        let found = match number {
            Number::Constant(value) => constant(*value),
            Number::Register(register) => self.digits_of_register(*register),
            Number::Add(left, right) => {
                let (left, right) = (self.digits_of(left), self.digits_of(right));
                self.sum(&left, &right, Lit::FALSE)
            }
            Number::Subtract(left, right) => {
                let (left, right) = (self.digits_of(left), self.digits_of(right));
                self.less(&left, &right)
            }
            Number::Multiply(left, right) => {
                let (left, right) = (self.digits_of(left), self.digits_of(right));
                self.product(&left, &right)
            }
            Number::Divide(..) => {
                self.digits.divides = true;
                vec![Lit::FALSE]
            }
        };
        self.digits.known.insert(number.clone(), found.clone());
        found
    }

    fn digits_of_register(&mut self, register: u32) -> Vec<Lit> {
        let registers = self.digits.registers;
        (0..registers.width).map(|digit| self.circuit.fluent(registers.fluent(register, digit))).collect()
    }

    /// The number whose gate holds, of which at most one does; 0 if none does.
    pub(super) fn choice(&mut self, cases: &[(Lit, Vec<Lit>)]) -> Vec<Lit> {
        let longest = cases.iter().map(|(_, digits)| digits.len()).max().unwrap_or(1);
        let digit = |at: usize| {
            let set: Vec<Lit> =
                cases.iter().map(|(gate, digits)| self.circuit.and([*gate, digit(digits, at)])).collect();
            self.circuit.or(set)
        };
        trimmed((0..longest).map(digit).collect())
    }

    /// The digits of the registers after these updates, and the gate which states that one is too large.
    ///
    /// `is_shared`: true for a register that an action may change several times.
    pub(super) fn updated(
        &mut self,
        registers: usize,
        updates: &[RegisterUpdate],
        is_shared: &dyn Fn(u32) -> bool,
    ) -> (Vec<(FluentId, Lit)>, Lit) {
        let (mut next, mut beyond) = (Vec::new(), Vec::new());
        for register in 0..registers as u32 {
            let own: Vec<&RegisterUpdate> = updates.iter().filter(|update| update.register == register).collect();
            let number = self.updated_number(register, &own, is_shared(register));
            let (registers, width) = (self.digits.registers, self.digits.registers.width);
            let fluents: Vec<FluentId> = (0..width).map(|at| registers.fluent(register, at)).collect();
            let sign = digit(&number, width as usize - 1);
            let more = (width as usize..number.len()).map(|at| self.xor(sign, number[at]));
            beyond.extend(more.collect::<Vec<_>>());
            next.extend(fluents.into_iter().enumerate().map(|(at, fluent)| (fluent, digit(&number, at))));
        }
        next.retain(|(_, gate)| *gate != Lit::FALSE);
        (next, self.circuit.or(beyond))
    }

    /// `is_shared`: true if an action may change the register several times, so that the last assignment counts.
    fn updated_number(&mut self, register: u32, updates: &[&RegisterUpdate], is_shared: bool) -> Vec<Lit> {
        let old = Number::Register(register);
        // Additions to the old number are the most frequent assignments.
        let (mut assigned, mut added, mut increases) = (Vec::new(), Vec::new(), Vec::new());
        for RegisterUpdate { gate, kind, value, .. } in updates {
            match (kind, value) {
                (UpdateKind::Increase, _) => increases.push((*gate, self.digits_of(value))),
                (UpdateKind::Assign, Number::Add(left, right)) if **left == old && !is_shared => {
                    added.push((*gate, self.digits_of(right)));
                }
                (UpdateKind::Assign, _) => assigned.push((*gate, self.digits_of(value))),
            }
        }
        let mut sum = self.digits_of(&old);
        for increase in increases.iter() {
            let amount = self.choice(std::slice::from_ref(increase));
            sum = self.sum(&sum, &amount, Lit::FALSE);
        }
        if !added.is_empty() {
            // An action does not both add and increase.
            let amount = self.choice(&added);
            sum = self.sum(&sum, &amount, Lit::FALSE);
        }
        if assigned.is_empty() {
            return sum;
        }
        let mut later = Lit::FALSE;
        for (gate, _) in assigned.iter_mut().rev() {
            let any = self.circuit.or([later, *gate]);
            if is_shared {
                *gate = self.circuit.and([*gate, !later]);
            }
            later = any;
        }
        assigned.push((!later, sum));
        self.choice(&assigned)
    }
}
