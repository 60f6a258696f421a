//! Tables read back.

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::{Entry, Known, Strategy};

/// What is wrong with the text of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct StrategyError {
    /// From 1.
    pub line: usize,
    pub message: String,
}

/// Deepest nesting of terms.
const MAX_DEPTH: usize = 64;
/// How far from one the probabilities of a view may add up to.
const SLACK: f64 = 1e-6;

enum Expr {
    Word(String),
    List(usize, Vec<Expr>),
}

impl Expr {
    fn show(&self) -> String {
        match self {
            Expr::Word(word) => word.clone(),
            Expr::List(_, items) => format!("({})", items.iter().map(Expr::show).collect::<Vec<_>>().join(" ")),
        }
    }

    /// The items after the first of a list that begins with this word.
    fn after(&self, word: &str) -> Option<&[Expr]> {
        match self {
            Expr::List(_, items) => match items.split_first() {
                Some((Expr::Word(first), rest)) if first == word => Some(rest),
                _ => None,
            },
            Expr::Word(_) => None,
        }
    }
}

impl Strategy {
    /// Reads a table.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn from_text(text: &str) -> Result<Strategy, StrategyError> {
        let mut strategy = Strategy::default();
        for (line, expr) in read(text)? {
            let error = |message: String| StrategyError { line, message };
            let wanted =
                || error("an entry is written `(at ROLE (round MOVE PERCEPT ...) ... (play (1 MOVE) ...))`".into());
            let [Expr::Word(role), rounds @ .., play] = expr.after("at").ok_or_else(wanted)? else {
                return Err(wanted());
            };
            let view = rounds.iter().map(|round| known(round).ok_or_else(wanted));
            let view = view.collect::<Result<Vec<Known>, _>>()?;
            let moves = play.after("play").ok_or_else(wanted)?;
            let mut entry = Entry { role: role.clone(), view, moves: Vec::new(), fractions: Some(Vec::new()) };
            for mv in moves {
                let Expr::List(line, items) = mv else { return Err(wanted()) };
                let [Expr::Word(number), name] = &items[..] else { return Err(wanted()) };
                let wrong = || StrategyError { line: *line, message: format!("`{number}` is not a probability") };
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

fn known(round: &Expr) -> Option<Known> {
    let (own, percepts) = round.after("round")?.split_first()?;
    let own = own.show();
    Some(Known { own: (own != "-").then_some(own), percepts: percepts.iter().map(Expr::show).collect() })
}

/// `0.25`, `1/4`, `1`: between 0 and 1.
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

/// Lists and words, each top-level one with its line.
fn read(text: &str) -> Result<Vec<(usize, Expr)>, StrategyError> {
    let mut open: Vec<(usize, Vec<Expr>)> = Vec::new();
    let mut top: Vec<(usize, Expr)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let error = |message: &str| StrategyError { line: number, message: message.into() };
        let mut rest = line.split_once(';').map_or(line, |(code, _)| code).trim_start();
        while let Some(first) = rest.chars().next() {
            let finished = match first {
                '(' => {
                    if open.len() >= MAX_DEPTH {
                        return Err(error("lists are nested too deeply"));
                    }
                    open.push((number, Vec::new()));
                    rest = &rest[1..];
                    None
                }
                ')' => {
                    rest = &rest[1..];
                    let (line, items) = open.pop().ok_or_else(|| error("this `)` closes nothing"))?;
                    Some((line, Expr::List(line, items)))
                }
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')')).unwrap_or(rest.len());
                    let word = rest[..end].to_string();
                    rest = &rest[end..];
                    Some((number, Expr::Word(word)))
                }
            };
            if let Some((line, expr)) = finished {
                match open.last_mut() {
                    Some((_, items)) => items.push(expr),
                    None => top.push((line, expr)),
                }
            }
            rest = rest.trim_start();
        }
    }
    match open.first() {
        Some(&(line, _)) => Err(StrategyError { line, message: "this `(` is never closed".into() }),
        None => Ok(top),
    }
}
