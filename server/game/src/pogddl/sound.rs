//! A proof that no match has a number that is a fault, from the ranges of all numbers.
//!
//! A circuit does not notice such numbers, so only games without them are played by one.

use super::{engine::Engine, eval::Location, model::*};

/// The greatest number: sums of a million of them stay within 64 bits.
const MOST: i128 = 1 << 40;

type Range = (i128, i128);

/// A way in which numbers may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsound {
    /// A number may become too large.
    Large,
    /// A number may be divided by zero.
    ByZero,
}

/// The ranges of the functions of a game.
struct Ranges {
    functions: Vec<Range>,
}

/// Proves that no number is a fault as long as the registers are between these bounds.
///
/// # Errors
/// If a number may be too large or divided by zero, as far as this analysis knows.
pub(super) fn check(engine: &Engine, registers: (i64, i64)) -> Result<(), Unsound> {
    let ranges = Ranges::new(engine, (registers.0.into(), registers.1.into()));
    let model = &engine.model;
    for schema in &model.schemas {
        ranges.condition(&schema.precondition)?;
        ranges.items(&schema.items)?;
    }
    for rule in &model.derived {
        ranges.condition(&rule.body)?;
    }
    for gain in &model.gains {
        ranges.condition(&gain.condition)?;
        ranges.within(&gain.value, true)?;
    }
    Ok(())
}

fn join(left: Range, right: Range) -> Range {
    (left.0.min(right.0), left.1.max(right.1))
}

fn of_corners(left: Range, right: Range, of: impl Fn(i128, i128) -> i128) -> Range {
    let corners = [of(left.0, right.0), of(left.0, right.1), of(left.1, right.0), of(left.1, right.1)];
    corners.into_iter().fold((corners[0], corners[0]), |range, corner| join(range, (corner, corner)))
}

impl Ranges {
    fn new(engine: &Engine, registers: Range) -> Ranges {
        let of = |id: usize| {
            let layout = &engine.functions[id];
            // A number that has no place is 0.
            let mut range = (0, 0);
            if let Some(values) = &engine.values[id] {
                values.iter().for_each(|&value| range = join(range, (value.into(), value.into())));
            } else {
                let places = layout.base as usize..layout.base as usize + layout.size as usize;
                for location in &engine.locations[places] {
                    range = join(
                        range,
                        match *location {
                            Location::Word(_) => registers,
                            Location::Bits { low, len, .. } => (low.into(), i128::from(low) + i128::from(len) - 1),
                        },
                    );
                }
            }
            range
        };
        Ranges { functions: (0..engine.functions.len()).map(of).collect() }
    }

    /// The range of a number. `is_used`: false in a condition, in which a division by zero is not a fault.
    fn of(&self, number: &Num, is_used: bool) -> Result<Range, Unsound> {
        let range = match number {
            Num::Constant(value) => (i128::from(*value), i128::from(*value)),
            Num::Read(atom) => self.functions[atom.symbol as usize],
            Num::Binary(op, left, right, _) => {
                let (left, right) = (self.of(left, is_used)?, self.of(right, is_used)?);
                match op {
                    Operation::Add => (left.0 + right.0, left.1 + right.1),
                    Operation::Subtract => (left.0 - right.1, left.1 - right.0),
                    Operation::Multiply => of_corners(left, right, |left, right| left * right),
                    Operation::Divide if is_used && right.0 <= 0 && right.1 >= 0 => return Err(Unsound::ByZero),
                    Operation::Divide => {
                        let most = left.0.abs().max(left.1.abs());
                        (-most, most)
                    }
                }
            }
        };
        if range.0 < -MOST || range.1 > MOST { Err(Unsound::Large) } else { Ok(range) }
    }

    fn within(&self, number: &Num, is_used: bool) -> Result<(), Unsound> {
        self.of(number, is_used).map(|_| ())
    }

    fn condition(&self, condition: &Formula) -> Result<(), Unsound> {
        let mut found = Ok(());
        condition.numbers(&mut |number| found = found.and(self.within(number, false)));
        found
    }

    fn items(&self, items: &[Item]) -> Result<(), Unsound> {
        for item in items {
            match item {
                Item::Numeric(op, target, value, range) => {
                    let old = Box::new(Num::Read(target.clone()));
                    let scaled = |op| Num::Binary(op, old, Box::new(value.clone()), *range);
                    match op {
                        NumericOp::ScaleUp => self.within(&scaled(Operation::Multiply), true)?,
                        NumericOp::ScaleDown => self.within(&scaled(Operation::Divide), true)?,
                        _ => self.within(value, true)?,
                    }
                }
                Item::Block(block) => {
                    self.condition(&block.condition)?;
                    self.items(&block.items)?;
                }
                Item::Add(_) | Item::Delete(_) | Item::Observe(_) => {}
            }
        }
        Ok(())
    }
}
