//! Reads tables from text.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use percept_game::sexpr::{self, Expr};

use super::{Entry, Strategy, ViewRound};

/// An error in the text of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct StrategyError {
    /// The line, from 1.
    pub line: usize,
    /// The message, without a full stop.
    pub message: String,
}

/// The tolerated difference between the sum of a view's probabilities and one.
const SLACK: f64 = 1e-6;

impl StrategyError {
    fn at(line: u32, message: String) -> StrategyError {
        StrategyError { line: line as usize, message }
    }
}

impl Strategy {
    /// Reads a table.
    ///
    /// # Errors
    /// The first error, with its line.
    pub fn from_text(text: &str) -> Result<Strategy, StrategyError> {
        let mut strategy = Strategy::default();
        let read = sexpr::read(text).map_err(|unread| StrategyError::at(unread.line, unread.message.into()))?;
        for expr in read {
            let error = |message: String| StrategyError::at(expr.line, message);
            let wanted =
                || error("an entry is written `(at ROLE (round MOVE PERCEPT ...) ... (play (1 MOVE) ...))`".into());
            let [role, rounds @ .., play] = expr.after("at").ok_or_else(wanted)? else {
                return Err(wanted());
            };
            let role = role.word().ok_or_else(wanted)?.to_owned();
            let view = rounds.iter().map(|round| view_round(round).ok_or_else(wanted));
            let view = view.collect::<Result<Vec<ViewRound>, _>>()?;
            let moves = play.after("play").ok_or_else(wanted)?;
            let mut entry = Entry { role, view, moves: Vec::new(), fractions: Some(Vec::new()) };
            for mv in moves {
                let [number, name] = mv.list().ok_or_else(wanted)? else { return Err(wanted()) };
                let number = number.word().ok_or_else(wanted)?;
                let wrong = || StrategyError::at(mv.line, format!("`{number}` is not a probability"));
                let (probability, fraction) = probability(number).ok_or_else(wrong)?;
                entry.moves.push((name.show(), probability));
                match (fraction, &mut entry.fractions) {
                    (Some(fraction), Some(fractions)) => fractions.push(fraction),
                    _ => entry.fractions = None,
                }
            }
            let sum: f64 = entry.moves.iter().map(|(_, probability)| probability).sum();
            if (sum - 1.0).abs() > SLACK {
                return Err(error(format!("the probabilities of this view add up to {sum}, not to 1")));
            }
            strategy.add(entry);
        }
        Ok(strategy)
    }
}

fn view_round(round: &Expr) -> Option<ViewRound> {
    let (own, percepts) = round.after("round")?.split_first()?;
    let own = own.show();
    Some(ViewRound { own: (own != "-").then_some(own), percepts: percepts.iter().map(Expr::show).collect() })
}

/// Reads a probability between 0 and 1, such as `0.25`, `1/4` or `1`.
fn probability(text: &str) -> Option<(f64, Option<BigRational>)> {
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
