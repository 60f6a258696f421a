//! Turns a solution in floating-point numbers into an exact one.
//!
//! An interior-point method ends near a *strictly complementary* pair of plans: its numbers show the sequences that an
//! optimal plan may use, and the inequalities that hold with equality ([`crate::lp::Face::used`]). These equalities are
//! solved in exact fractions. If they leave a choice, simple fractions near the numbers are taken. The result is only a
//! proposal: [`crate::exact`] proves it by best responses.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use percept_infoset::{Budget, Pace};
use rustc_hash::FxHashMap;

use crate::tree::Treeplex;

/// The most bits of a number. Larger fractions are unreadable and too slow to compute.
const BITS: u64 = 3_000;
/// The most coefficients in all equations together.
const FILL: usize = 400_000;

/// The fraction with the smallest denominator that is near a number, by continued fractions.
pub(crate) fn fraction(number: f64, near: f64) -> Option<BigRational> {
    let (mut before, mut now) = ((0i64, 1i64), (1i64, 0i64));
    let mut rest = number;
    for _ in 0..40 {
        let whole = rest.floor();
        if whole.abs() > 1e9 {
            break;
        }
        let digit = whole as i64;
        let next = (digit.checked_mul(now.0)?.checked_add(before.0)?, digit.checked_mul(now.1)?.checked_add(before.1)?);
        (before, now) = (now, next);
        if (now.0 as f64 / now.1 as f64 - number).abs() <= near {
            return Some(BigRational::new(BigInt::from(now.0), BigInt::from(now.1)));
        }
        if rest == whole {
            break;
        }
        rest = 1.0 / (rest - whole);
    }
    None
}

/// A linear equation: the terms add up to the constant.
#[derive(Clone, Debug, Default)]
struct Equation {
    terms: FxHashMap<u32, BigRational>,
    constant: BigRational,
}

impl Equation {
    fn add(&mut self, variable: u32, factor: &BigRational) {
        let term = self.terms.entry(variable).or_insert_with(BigRational::zero);
        *term += factor;
        if term.is_zero() {
            self.terms.remove(&variable);
        }
    }

    /// Subtracts `factor` times another equation.
    fn reduce(&mut self, other: &Equation, factor: &BigRational) {
        for (&variable, term) in &other.terms {
            self.add(variable, &-(term * factor));
        }
        self.constant -= &other.constant * factor;
    }
}

/// A plan in floating-point numbers, with its slacks.
#[derive(Clone, Copy)]
pub(crate) struct FloatPlan<'a> {
    pub plan: &'a [f64],
    /// [`crate::lp::Face::values`] of the same player.
    pub values: &'a [f64],
}

/// An exact plan of `own` near `found`, if the equalities that hold at `found` and at the other player's `against` have
/// one. `entries`: the payoffs of `own` by its sequence and the other's. `used`: the sequences of both optimal plans.
/// `near`: the greatest distance of choices from the numbers, relative to them. `None` as well if the budget is spent.
pub(crate) fn plan(
    own: &Treeplex,
    other: &Treeplex,
    entries: &[(u32, u32, BigRational)],
    found: FloatPlan<'_>,
    used: [&[bool]; 2],
    near: f64,
    budget: &Budget,
) -> Option<Vec<BigRational>> {
    let equations = equations(own, other, entries, used);
    let solved = solve(equations, budget, |variable| {
        let variable = variable as usize;
        let number = match variable.checked_sub(own.sequences()) {
            None => found.plan[variable],
            Some(value) => found.values[value],
        };
        fraction(number, near * number.abs())
    })?;
    let mut plan = vec![BigRational::zero(); own.sequences()];
    plan[0] = BigRational::one();
    for (sequence, share) in plan.iter_mut().enumerate().skip(1) {
        if let Some(value) = solved.get(&(sequence as u32)) {
            if value.is_negative() {
                return None;
            }
            *share = value.clone();
        }
    }
    Some(plan)
}

/// The equations. Their variables are the own sequences, by number, then the value of the game, then the values of the
/// other's information sets.
fn equations(
    own: &Treeplex,
    other: &Treeplex,
    entries: &[(u32, u32, BigRational)],
    [own_used, other_used]: [&[bool]; 2],
) -> Vec<Equation> {
    let one = BigRational::one();
    let used = |sequence: usize| own_used[sequence];
    let root = own.sequences() as u32;
    let mut equations = Vec::new();
    for infoset in own.infosets.iter().filter(|infoset| used(infoset.parent as usize)) {
        let mut equation = Equation::default();
        for sequence in infoset.sequences().filter(|&sequence| used(sequence)) {
            equation.add(sequence as u32, &one);
        }
        match infoset.parent {
            0 => equation.constant = one.clone(),
            parent => equation.add(parent, &-&one),
        }
        equations.push(equation);
    }
    // If the other player uses a sequence, its gain from it equals that of the continuation.
    let mut tight: FxHashMap<u32, Equation> = FxHashMap::default();
    let owners = other.owners();
    for (sequence, &owner) in owners.iter().enumerate() {
        if other_used[sequence] {
            let value = if owner == u32::MAX { root } else { root + 1 + owner };
            let mut equation = Equation::default();
            equation.add(value, &one);
            tight.insert(sequence as u32, equation);
        }
    }
    for (index, infoset) in other.infosets.iter().enumerate() {
        if let Some(equation) = tight.get_mut(&infoset.parent) {
            equation.add(root + 1 + index as u32, &-&one);
        }
    }
    for (row, column, payoff) in entries {
        let Some(equation) = tight.get_mut(column) else { continue };
        match *row {
            0 => equation.constant += payoff,
            row if used(row as usize) => equation.add(row, &-payoff),
            _ => {}
        }
    }
    let mut tight: Vec<(u32, Equation)> = tight.into_iter().collect();
    tight.sort_by_key(|(sequence, _)| *sequence);
    equations.extend(tight.into_iter().map(|(_, equation)| equation));
    equations
}

/// Gaussian elimination, the shortest equations first; `choose` supplies the variables that remain free.
fn solve(
    mut equations: Vec<Equation>,
    budget: &Budget,
    choose: impl Fn(u32) -> Option<BigRational>,
) -> Option<FxHashMap<u32, BigRational>> {
    let mut places: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (index, equation) in equations.iter().enumerate() {
        for &variable in equation.terms.keys() {
            places.entry(variable).or_default().push(index as u32);
        }
    }
    let mut open: Vec<bool> = vec![true; equations.len()];
    let mut order: Vec<(u32, Equation)> = Vec::new();
    let mut pace = Pace::default();
    let mut fill: usize = equations.iter().map(|equation| equation.terms.len()).sum();
    loop {
        let open_ones = (0..equations.len()).filter(|&index| open[index]);
        let Some(index) = open_ones.min_by_key(|&index| equations[index].terms.len()) else { break };
        open[index] = false;
        let pivot = std::mem::take(&mut equations[index]);
        let Some(variable) = pivot.terms.keys().copied().min_by_key(|variable| (places[variable].len(), *variable))
        else {
            // No variable is left in it: it followed from the others, or contradicts them.
            if pivot.constant.is_zero() {
                continue;
            }
            return None;
        };
        let lead = pivot.terms[&variable].clone();
        for place in places.remove(&variable).unwrap_or_default() {
            pace.check(budget).ok()?;
            let place = place as usize;
            let Some(factor) = equations[place].terms.get(&variable).filter(|_| open[place]) else { continue };
            let factor = factor / &lead;
            if factor.numer().bits() + factor.denom().bits() > BITS {
                return None;
            }
            let before = equations[place].terms.len();
            let mut equation = std::mem::take(&mut equations[place]);
            equation.reduce(&pivot, &factor);
            for &other in pivot.terms.keys().filter(|&&other| other != variable) {
                let list = places.entry(other).or_default();
                if equation.terms.contains_key(&other) && !list.contains(&(place as u32)) {
                    list.push(place as u32);
                }
            }
            fill = (fill + equation.terms.len()).saturating_sub(before);
            equations[place] = equation;
            if fill > FILL {
                return None;
            }
        }
        order.push((variable, pivot));
    }
    let mut values: FxHashMap<u32, BigRational> = FxHashMap::default();
    for (variable, equation) in order.iter().rev() {
        pace.check(budget).ok()?;
        let mut sum = equation.constant.clone();
        let mut terms: Vec<_> = equation.terms.iter().filter(|(other, _)| *other != variable).collect();
        terms.sort_by_key(|(other, _)| **other);
        for (other, factor) in terms {
            let value = match values.get(other) {
                Some(value) => value,
                None => {
                    let value = choose(*other)?;
                    values.entry(*other).or_insert(value)
                }
            };
            sum -= factor * value;
        }
        values.insert(*variable, sum / &equation.terms[variable]);
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_the_simplest_near_a_number() {
        let shown = |number: f64, near: f64| fraction(number, near).map(|it| it.to_string());
        assert_eq!(shown(1.0 / 3.0, 1e-9).as_deref(), Some("1/3"));
        assert_eq!(shown(0.0, 0.0).as_deref(), Some("0"));
        assert_eq!(shown(1.0, 1e-9).as_deref(), Some("1"));
        assert_eq!(shown(17.0 / 54.0 + 1e-12, 1e-9).as_deref(), Some("17/54"));
        assert_eq!(shown(0.31, 0.03).as_deref(), Some("1/3"));
    }

    #[test]
    fn equations_are_solved_and_choices_are_made() {
        let fraction = |text: &str| text.parse::<BigRational>().expect("a fraction");
        let equation = |terms: &[(u32, &str)], constant: &str| Equation {
            terms: terms.iter().map(|&(variable, factor)| (variable, fraction(factor))).collect(),
            constant: fraction(constant),
        };
        let system = vec![
            equation(&[(0, "1"), (1, "1"), (2, "1")], "1"),
            equation(&[(0, "1/2"), (1, "-1")], "0"),
            equation(&[(0, "3/2"), (2, "1")], "1"),
        ];
        let values = solve(system.clone(), &Budget::default(), |_| Some(fraction("1/3"))).expect("there are solutions");
        for equation in &system {
            let sum: BigRational = equation.terms.iter().map(|(variable, factor)| &values[variable] * factor).sum();
            assert_eq!(sum, equation.constant);
        }
        assert!(values.values().any(|value| *value == fraction("1/3")));
        let contradiction = vec![equation(&[(0, "1")], "1"), equation(&[(0, "2")], "1")];
        assert!(solve(contradiction, &Budget::default(), |_| None).is_none());
    }
}
