//! The numbers that stay in a small range, so that they can be fluents, one per value, instead of registers.
//!
//! An interval fixpoint per function symbol: it starts with the initial values and grows by every effect that writes
//! the function, with the old value bounded by the comparisons that guard the effect (in the precondition, in its
//! `when`s and, if matches end at the first payoff, in the gains). A range that keeps growing is given up.

use rustc_hash::FxHashSet;

use super::{
    engine::Engine,
    layout::{NONE, Position},
    model::*,
};
use crate::circuit::Order;

/// More values than this stay a register.
const MAX_VALUES: i64 = 64;
/// The most fluents for all instances of one function; functions that need more stay registers.
const MAX_BITS: u64 = 1 << 14;

type Interval = (i64, i64);

/// The context of an effect: its variables and conditions.
struct Scope<'a> {
    engine: &'a Engine,
    vars: Vec<&'a Var>,
    conditions: Vec<&'a Formula>,
}

impl<'a> Scope<'a> {
    fn new(engine: &'a Engine, vars: impl Iterator<Item = &'a Var>, condition: &'a Formula) -> Self {
        Scope { engine, vars: vars.collect(), conditions: vec![condition] }
    }

    fn inside(&self, block: &'a Block) -> Self {
        Scope {
            engine: self.engine,
            vars: self.vars.iter().copied().chain(&block.vars).collect(),
            conditions: self.conditions.iter().copied().chain([&block.condition]).collect(),
        }
    }

    fn conjuncts(&self) -> impl Iterator<Item = &'a Formula> {
        self.conditions.iter().flat_map(|condition| condition.conjuncts())
    }

    /// True if every instance of the atom has a number here. Instances without a number are zero and are not in any
    /// table.
    fn is_laid_out(&self, atom: &Atom) -> bool {
        let is_at = |position: &Position, object: Obj| position.contribution[object as usize] != NONE;
        let positions = &self.engine.functions[atom.symbol as usize].positions;
        positions.iter().zip(&atom.args).all(|(position, term)| match term {
            Term::Const(object) => is_at(position, *object),
            Term::Var(slot) => {
                // The innermost variable of this slot.
                let var = self.vars.iter().rev().find(|var| var.slot == *slot);
                var.is_some_and(|var| var.domain.iter().all(|&object| is_at(position, object)))
            }
        })
    }

    /// The range of a number that only reads static functions.
    fn interval(&self, number: &Num) -> Option<Interval> {
        match number {
            Num::Constant(value) => Some((*value, *value)),
            Num::Read(atom) => {
                let values = self.engine.values[atom.symbol as usize].as_ref()?;
                let zero = (!self.is_laid_out(atom)).then_some(0);
                let values = values.iter().copied().chain(zero);
                Some((values.clone().min().unwrap_or(0), values.max().unwrap_or(0)))
            }
            Num::Binary(op, left, right, _) => {
                let (left, right) = (self.interval(left)?, self.interval(right)?);
                let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
                let values = corners.map(|(left, right)| op.apply(left, right));
                let is_monotone = !matches!(op, Operation::Divide) || right.0 > 0;
                is_monotone.then(|| (values.into_iter().min().unwrap_or(0), values.into_iter().max().unwrap_or(0)))
            }
        }
    }
}

/// One effect that writes a function, with the knowledge about the old value when it happens.
struct Write {
    op: NumericOp,
    /// `None` if the new value reads a changing number.
    value: Option<Interval>,
    guards: Vec<Guard>,
}

/// A fact about the old value of the function that is written.
#[derive(Clone, Copy)]
enum Guard {
    AtMost(i64),
    AtLeast(i64),
    Not(i64),
}

/// The least and greatest value of each function's instances, if both are known and close.
pub(crate) fn bounds(engine: &Engine, ends_at_payoff: bool) -> Vec<Option<Interval>> {
    (0..engine.functions.len()).map(|function| bound(engine, function as u16, ends_at_payoff)).collect()
}

fn bound(engine: &Engine, function: u16, ends_at_payoff: bool) -> Option<Interval> {
    let size = engine.functions[function as usize].size;
    if engine.values[function as usize].is_some() || size == 0 {
        return None;
    }
    let mut writes = Vec::new();
    for schema in &engine.model.schemas {
        let before = writes.len();
        let scope = Scope::new(engine, schema.params.iter(), &schema.precondition);
        collect(&scope, function, &schema.items, &mut writes)?;
        // Several writes in one action may meet in one instance.
        if writes.len() - before > 1 {
            return None;
        }
    }
    let limits = if ends_at_payoff { unpaid(engine, function) } else { Vec::new() };
    let mut range = initial(engine, function);
    for _ in 0..=2 * MAX_VALUES {
        let mut wider = range;
        for write in &writes {
            if let Some((least, greatest)) = written(write, &limits, range)? {
                wider = (wider.0.min(least), wider.1.max(greatest));
            }
        }
        let values = wider.1.checked_sub(wider.0)?.checked_add(1)?;
        if values > MAX_VALUES || size.saturating_mul(values as u64) > MAX_BITS {
            return None;
        }
        if wider == range {
            return Some(range);
        }
        range = wider;
    }
    None
}

fn initial(engine: &Engine, function: u16) -> Interval {
    let given = || engine.model.init_values.iter().filter(|(symbol, ..)| *symbol == function);
    let instances: FxHashSet<_> = given().map(|(_, args, _)| args).collect();
    // Instances without a value are zero.
    let all_given = instances.len() as u64 >= engine.functions[function as usize].size;
    let zero = (!all_given).then_some(0);
    let values = given().map(|&(_, _, value)| value).chain(zero);
    (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
}

/// The values after an effect; `Some(None)` if it cannot happen, `None` if nothing is known.
fn written(write: &Write, limits: &[Guard], range: Interval) -> Option<Option<Interval>> {
    let value = write.value?;
    let old = write.guards.iter().chain(limits).fold(range, |range, guard| narrowed(range, *guard));
    // A second pass: a bound may have moved to a value that is excluded.
    let old = write.guards.iter().chain(limits).fold(old, |range, guard| narrowed(range, *guard));
    if old.0 > old.1 {
        return Some(None);
    }
    Some(Some(match write.op {
        NumericOp::Assign => value,
        NumericOp::Increase => (old.0.checked_add(value.0)?, old.1.checked_add(value.1)?),
        NumericOp::Decrease => (old.0.checked_sub(value.1)?, old.1.checked_sub(value.0)?),
        NumericOp::ScaleUp | NumericOp::ScaleDown => return None,
    }))
}

fn narrowed((least, greatest): Interval, guard: Guard) -> Interval {
    match guard {
        Guard::AtMost(value) => (least, greatest.min(value)),
        Guard::AtLeast(value) => (least.max(value), greatest),
        Guard::Not(value) => {
            (least.saturating_add((least == value).into()), greatest.saturating_sub((greatest == value).into()))
        }
    }
}

/// The writes of a function; `None` if one repeats for a variable that its instance does not contain.
fn collect(scope: &Scope, function: u16, items: &[Item], writes: &mut Vec<Write>) -> Option<()> {
    for item in items {
        match item {
            Item::Numeric(op, target, value, _) if target.symbol == function => {
                let guards = scope.conjuncts().flat_map(|conjunct| guard(scope, conjunct, target)).collect();
                writes.push(Write { op: *op, value: scope.interval(value), guards });
            }
            Item::Block(block) => {
                let before = writes.len();
                collect(&scope.inside(block), function, &block.items, writes)?;
                let is_repeated = writes.len() > before && !block.vars.is_empty();
                let names_all = block.items.iter().all(|item| match item {
                    Item::Numeric(_, target, ..) if target.symbol == function => {
                        block.vars.iter().all(|var| target.args.contains(&Term::Var(var.slot)))
                    }
                    Item::Block(_) => false,
                    _ => true,
                });
                if is_repeated && !names_all {
                    return None;
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// The bounds that a conjunct gives to the old value of `target`.
fn guard(scope: &Scope, conjunct: &Formula, target: &Atom) -> Vec<Guard> {
    let is_target = |number: &Num| matches!(number, Num::Read(atom) if atom == target);
    match conjunct {
        Formula::Compare(order, left, right) if is_target(left) => {
            let Some((least, greatest)) = scope.interval(right) else { return Vec::new() };
            match order {
                Order::Less => vec![Guard::AtMost(greatest.saturating_sub(1))],
                Order::LessEqual => vec![Guard::AtMost(greatest)],
                Order::Equal => vec![Guard::AtMost(greatest), Guard::AtLeast(least)],
            }
        }
        Formula::Compare(order, left, right) if is_target(right) => {
            let Some((least, greatest)) = scope.interval(left) else { return Vec::new() };
            match order {
                Order::Less => vec![Guard::AtLeast(least.saturating_add(1))],
                Order::LessEqual => vec![Guard::AtLeast(least)],
                Order::Equal => vec![Guard::AtMost(greatest), Guard::AtLeast(least)],
            }
        }
        Formula::Not(inner) => match &**inner {
            Formula::Compare(Order::Equal, left, right) => {
                let other = if is_target(left) { right } else { left };
                let is_about = is_target(left) || is_target(right);
                scope
                    .interval(other)
                    .filter(|(least, greatest)| is_about && least == greatest)
                    .map(|(value, _)| Guard::Not(value))
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The bounds of every instance of a function before an action, because no role has been paid yet.
fn unpaid(engine: &Engine, function: u16) -> Vec<Guard> {
    let gains = &engine.model.gains;
    if !gains.iter().all(|gain| matches!(gain.value, Num::Constant(value) if value > 0)) {
        return Vec::new();
    }
    // The instance must belong to the gain's role, and every instance must belong to a role of the gain.
    let own = Atom { symbol: function, args: Box::new([Term::Var(0)]) };
    let positions = &engine.functions[function as usize].positions;
    let [position] = &positions[..] else { return Vec::new() };
    let applies = |gain: &&Gain| {
        let is_paid_role =
            |object: &Obj| gain.roles.contains(object) && engine.model.objects[*object as usize] != "chance";
        position.objects.iter().all(is_paid_role)
    };
    let opposite = |gain: &Gain| match &gain.condition {
        Formula::Compare(Order::Equal, ..) => Formula::not(gain.condition.clone()),
        Formula::Compare(Order::Less, left, right) => Formula::Compare(Order::LessEqual, right.clone(), left.clone()),
        Formula::Compare(Order::LessEqual, left, right) => Formula::Compare(Order::Less, right.clone(), left.clone()),
        _ => Formula::True,
    };
    let limits = |gain: &Gain| {
        let role = Var { slot: 0, domain: gain.roles.clone() };
        guard(&Scope::new(engine, [&role].into_iter(), &gain.condition), &opposite(gain), &own)
    };
    gains.iter().filter(applies).flat_map(limits).collect()
}
