//! Match records in JSON, as written by ggp-base's servers: `{"moves": [["( mark 1 1 )", "noop"], ...]}`. Moves are in
//! the order of `gameRoleNames` if a record has it, else in that of the game's roles.

use super::read::{Checker, Round, role_named};
use super::{MAX_ROUNDS, TraceError};
use crate::sexpr::{self, Expr, Kind};
use crate::{Game, JointMove, RoleId};
use percept_syntax::TextRange;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) fn read(game: &Game, text: &str) -> Result<Vec<JointMove>, TraceError> {
    let all = Json { text, value: text };
    let whole = all.inner(all.read()?);
    let mut checker = Checker::new(game);
    let rounds = if whole.value.starts_with('[') {
        whole.items()?
    } else {
        let record = whole.fields()?;
        if let Some(names) = record.get("gameRoleNames") {
            checker.order = roles(game, *names)?;
        }
        match record.get("moves").filter(|moves| moves.value.starts_with('[')) {
            Some(moves) => moves.items()?,
            None => return Err(TraceError::at(TextRange::at(0), "a match record has its rounds in an array `moves`")),
        }
    };
    if rounds.len() > MAX_ROUNDS {
        return Err(TraceError::at(TextRange::at(0), format!("the match has more than {MAX_ROUNDS} rounds")));
    }
    for (index, round) in rounds.iter().enumerate() {
        let moves = moves(*round).map_err(|error| TraceError {
            message: format!("round {}: {}", index + 1, error.message),
            round: Some(index + 1),
            ..error
        })?;
        let joint = match &moves[..] {
            [only] if game.is_sequential => checker.action(only),
            _ => checker.joint(&Round { range: round.range(), moves }),
        }?;
        checker.advance(joint);
    }
    Ok(checker.joints)
}

/// The roles in the order of their names in the record, which has each name once.
fn roles(game: &Game, names: Json<'_>) -> Result<Vec<RoleId>, TraceError> {
    let mut roles = Vec::new();
    for item in names.items()? {
        let role = role_named(game, &item.string("a role's name; write it as a string")?, item.range())?;
        if roles.contains(&role) {
            return Err(item.error("this role is twice in `gameRoleNames`"));
        }
        roles.push(role);
    }
    match game.role_ids().find(|role| !roles.contains(role)) {
        Some(lacking) => {
            let name = &game.roles[lacking.0 as usize].name;
            Err(names.error(format!("`gameRoleNames` lacks {name}: it names every role of the game")))
        }
        None => Ok(roles),
    }
}

/// The moves of a round: an array of strings, or one string. Every part of a move has the place of its string.
fn moves(round: Json<'_>) -> Result<Vec<Expr>, TraceError> {
    if round.value.starts_with('[') {
        return round.items()?.into_iter().map(one_move).collect();
    }
    let text = round.string("a round; write an array of moves")?;
    match &round.words(&text)?[..] {
        [only] if only.list().is_some_and(|items| items.iter().any(|item| item.list().is_some())) => {
            Ok(only.list().unwrap_or_default().to_vec())
        }
        moves => Ok(moves.to_vec()),
    }
}

fn one_move(item: Json<'_>) -> Result<Expr, TraceError> {
    let text = item.string("a move; write it as a string")?;
    match &item.words(&text)?[..] {
        [only] => Ok(only.clone()),
        _ => Err(item.error(format!("`{text}` is not one move"))),
    }
}

/// A value in the text of a record.
#[derive(Clone, Copy)]
struct Json<'t> {
    text: &'t str,
    value: &'t str,
}

impl<'t> Json<'t> {
    fn range(self) -> TextRange {
        TextRange::of_part(self.text, self.value)
    }

    fn error(self, message: impl Into<String>) -> TraceError {
        TraceError::at(self.range(), message)
    }

    fn read<T: Deserialize<'t>>(self) -> Result<T, TraceError> {
        serde_json::from_str(self.value).map_err(|error| {
            let at = self.range().start + offset(self.value, error.line(), error.column());
            TraceError::at(TextRange::at(at), format!("this begins like JSON but is not valid JSON: {error}"))
        })
    }

    /// A value inside this one.
    fn inner(self, value: &'t RawValue) -> Json<'t> {
        Json { text: self.text, value: value.get() }
    }

    fn items(self) -> Result<Vec<Json<'t>>, TraceError> {
        Ok(self.read::<Vec<&RawValue>>()?.into_iter().map(|value| self.inner(value)).collect())
    }

    fn fields(self) -> Result<FxHashMap<String, Json<'t>>, TraceError> {
        let fields: FxHashMap<String, &RawValue> = self.read()?;
        Ok(fields.into_iter().map(|(name, value)| (name, self.inner(value))).collect())
    }

    /// The content of a string; `wanted` is the expected kind, for the message.
    fn string(self, wanted: &str) -> Result<String, TraceError> {
        match self.value.starts_with('"') {
            true => self.read(),
            false => Err(self.error(format!("`{}` is not {wanted}", self.value))),
        }
    }

    /// The words and lists in the string, all at its place.
    fn words(self, text: &str) -> Result<Vec<Expr>, TraceError> {
        let mut words = sexpr::read(text).map_err(|error| self.error(error.message))?;
        words.iter_mut().for_each(|word| put(word, self.range()));
        Ok(words)
    }
}

fn put(expr: &mut Expr, range: TextRange) {
    expr.range = range;
    if let Kind::List(items) = &mut expr.kind {
        items.iter_mut().for_each(|item| put(item, range));
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
