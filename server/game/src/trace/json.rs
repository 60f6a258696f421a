//! Match records in JSON, as ggp-base's servers write them: `{"moves": [["( mark 1 1 )", "noop"], ...]}`.

use super::read::{Checker, Round};
use super::{MAX_ROUNDS, TraceError};
use crate::sexpr::{self, Expr};
use crate::{Game, JointMove};
use percept_syntax::TextRange;
use serde_json::Value;

pub(super) fn read(game: &Game, text: &str) -> Result<Vec<JointMove>, TraceError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let at = offset(text, error.line(), error.column());
        TraceError::at(TextRange::at(at), format!("this begins like JSON but is none: {error}"))
    })?;
    let rounds = match &value {
        Value::Array(rounds) => rounds,
        Value::Object(record) => match record.get("moves") {
            Some(Value::Array(rounds)) => rounds,
            _ => return Err(TraceError::at(TextRange::at(0), "a match record has its rounds in an array `moves`")),
        },
        _ => return Err(TraceError::at(TextRange::at(0), "a match record is a JSON object with an array `moves`")),
    };
    if rounds.len() > MAX_ROUNDS {
        return Err(TraceError::at(TextRange::at(0), format!("the match has more than {MAX_ROUNDS} rounds")));
    }
    let mut checker = Checker::new(game);
    for (index, round) in rounds.iter().enumerate() {
        let moves = moves(round).map_err(|message| TraceError {
            round: Some(index + 1),
            ..TraceError::at(TextRange::at(0), format!("round {}: {message}", index + 1))
        })?;
        // A move inside a JSON string has no place of its own in the file.
        let joint = match &moves[..] {
            [only] if game.is_sequential => checker.action(only),
            _ => checker.joint(&Round { range: TextRange::at(0), moves }),
        };
        checker.advance(joint.map_err(|error| TraceError { range: TextRange::at(0), ..error })?);
    }
    Ok(checker.joints)
}

/// The moves of a round: an array of strings, or one string.
fn moves(round: &Value) -> Result<Vec<Expr>, String> {
    let read = |text: &str| sexpr::read(text).map_err(|error| error.message.to_string());
    match round {
        Value::String(text) => match &read(text)?[..] {
            [only] if only.list().is_some_and(|items| items.iter().any(|item| item.list().is_some())) => {
                Ok(only.list().unwrap_or_default().to_vec())
            }
            moves => Ok(moves.to_vec()),
        },
        Value::Array(moves) => moves
            .iter()
            .map(|one| match one {
                Value::String(text) => match &mut read(text)?[..] {
                    [only] => Ok(only.clone()),
                    _ => Err(format!("`{text}` is not one move")),
                },
                other => Err(format!("`{other}` is not a move; write it as a string")),
            })
            .collect(),
        other => Err(format!("`{other}` is not a round; write an array of moves")),
    }
}

/// The byte offset of a line and column as serde_json counts them (from 1, bytes).
fn offset(text: &str, line: usize, column: usize) -> u32 {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}
