//! The words of tables of strategies: rounds and probabilities, and errors in them.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use percept_game::sexpr::Expr;

use super::ViewRound;

/// The tolerated difference between the sum of a view's probabilities and one.
pub(super) const SLACK: f64 = 1e-6;

/// An error in the text of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct StrategyError {
    /// The line, from 1.
    pub line: usize,
    /// The message, without a full stop.
    pub message: String,
}

impl StrategyError {
    pub(super) fn at(line: u32, message: String) -> StrategyError {
        StrategyError { line: line as usize, message }
    }
}

pub(super) fn view_round(round: &[Expr]) -> Option<ViewRound> {
    let (own, percepts) = round.split_first()?;
    let own = own.show();
    Some(ViewRound { own: (own != "-").then_some(own), percepts: percepts.iter().map(Expr::show).collect() })
}

/// Reads a probability between 0 and 1, such as `0.25`, `1/4` or `1`.
pub(super) fn probability(text: &str) -> Option<(f64, Option<BigRational>)> {
    if text.len() > 10_000 {
        return None;
    }
    let fraction: Option<BigRational> =
        if text.split('/').nth(1).is_some_and(|denominator| denominator.bytes().all(|b| b == b'0')) {
            None
        } else {
            text.parse().ok()
        };
    let number = match &fraction {
        Some(fraction) => fraction.to_f64()?,
        None => text.parse().ok()?,
    };
    (0.0..=1.0).contains(&number).then_some((number, fraction))
}
