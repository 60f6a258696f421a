//! Reads tables from text.

use std::io::BufRead;

use percept_game::sexpr;

use super::words::{SLACK, StrategyError, probability, view_round};
use super::{Entry, Shared, Strategy, ViewRound};

/// The first line of a table of views with the same future.
const SHARED: &str = "; percept strategy, version 2";

impl Strategy {
    /// Reads a table line by line. One of version 2 is never in memory as text, and takes at most `space` bytes.
    ///
    /// # Errors
    /// The first error, with its line. Errors of the reader have the number of the line, too.
    pub fn from_lines(reader: impl BufRead, most: usize, space: usize) -> Result<Strategy, StrategyError> {
        let mut strategy = Strategy::default();
        let mut text = String::new();
        let mut is_shared = false;
        let mut number = 0;
        for (at, line) in reader.lines().enumerate() {
            number = at + 1;
            let wrong = |message: String| StrategyError { line: number, message };
            let line = line.map_err(|error| wrong(error.to_string()))?;
            is_shared |= at == 0 && line == SHARED;
            if !is_shared {
                text += &line;
                text.push('\n');
                if text.len() > most {
                    return Err(wrong(format!("the table is longer than {} MiB", most >> 20)));
                }
            } else if line.starts_with("(view") {
                let shared = strategy.shared.last_mut().ok_or_else(|| wrong("the role is missing".into()))?;
                shared.line(number, &line)?;
                if number % 4_096 == 0 && strategy.bytes() > space {
                    return Err(wrong(format!("the table takes more than {} MiB", space >> 20)));
                }
            } else if let Some(role) = line.strip_prefix("(role ").and_then(|rest| rest.strip_suffix(')')) {
                strategy.shared.push(Shared::new(role.to_string()));
            } else if !line.is_empty() && !line.starts_with(';') {
                return Err(wrong("a line is a role or a view".into()));
            }
        }
        if !is_shared {
            return Strategy::from_text(&text);
        }
        strategy.shared.iter().try_for_each(|shared| shared.check(number))?;
        Ok(strategy)
    }

    /// Reads a table.
    ///
    /// # Errors
    /// The first error, with its line.
    pub fn from_text(text: &str) -> Result<Strategy, StrategyError> {
        if text.lines().next() == Some(SHARED) {
            return Strategy::from_lines(text.as_bytes(), usize::MAX, usize::MAX);
        }
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
            let view = rounds.iter().map(|round| round.after("round").and_then(view_round).ok_or_else(wanted));
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
