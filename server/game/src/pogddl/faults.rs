//! Numbers that no match can have: those beyond 64 bits, and the results of a division by zero.

use std::sync::OnceLock;

use percept_syntax::TextRange;

use super::model::{NumericOp, Operation};
use crate::GameError;

/// The first place with such a number. The number is replaced by the nearest one, or by 0, and play continues.
#[derive(Default)]
pub(crate) struct Faults(OnceLock<GameError>);

impl Faults {
    pub(super) fn first(&self) -> Option<GameError> {
        self.0.get().cloned()
    }

    pub(super) fn take(&self, error: GameError) {
        self.0.get_or_init(|| error);
    }

    fn tell(&self, range: TextRange, message: String) {
        self.take(GameError { message, range, in_problem: false });
    }

    pub(super) fn beyond(&self, range: TextRange) {
        let message = format!("a match reaches a number that does not fit in 64 bits ({} to {})", i64::MIN, i64::MAX);
        self.tell(range, message);
    }

    fn by_zero(&self, range: TextRange) {
        self.tell(range, "a match divides by zero here".to_owned());
    }

    /// Checks an operation whose result is used.
    pub(super) fn look(&self, op: Operation, left: i64, right: i64, range: TextRange) {
        match op {
            Operation::Divide if right == 0 => self.by_zero(range),
            _ if op.checked(left, right).is_none() => self.beyond(range),
            _ => {}
        }
    }

    /// Checks a change of a number, except the sum of several increases.
    pub(super) fn look_at_change(&self, op: NumericOp, old: i64, value: i64, range: TextRange) {
        match op {
            NumericOp::Assign | NumericOp::Increase => {}
            NumericOp::Decrease => self.look(Operation::Subtract, 0, value, range),
            NumericOp::ScaleUp => self.look(Operation::Multiply, old, value, range),
            NumericOp::ScaleDown => self.look(Operation::Divide, old, value, range),
        }
    }
}
