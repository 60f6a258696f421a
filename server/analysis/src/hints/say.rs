//! Slips in comments that give the words of a move, a fluent or a percept: `; percept: say ...`.

use percept_syntax::Source;
use percept_syntax::near::nearest;
use percept_syntax::words::counted;

use super::Slip;
use crate::ide::nameable::{Nameable, Names};
use crate::ide::sayings::{Pattern, SEES, saying};

/// The slip of a comment, if it gives words and has one.
pub(super) fn slip<'a>(source: &Source, comment: &'a str) -> Option<Slip<'a>> {
    let pattern = match saying(comment)? {
        Ok(saying) => saying.pattern,
        Err(it) => {
            return Some(Slip { word: it.word, message: it.message, near: it.near.map(str::to_owned) });
        }
    };
    let all = Nameable::of(source)?;
    match pattern.percept() {
        Some((role, percept)) => role_slip(&all, role).or_else(|| name_slip(&all.percepts, percept, "not a percept")),
        None if pattern.head().eq_ignore_ascii_case(SEES) && all.moves.arities(SEES).next().is_none() => {
            let message = "the words of a percept need its role and its name: `say (sees ?r (taken ?m ?n)) \"...\"`";
            Some(Slip { word: pattern.head(), message: message.into(), near: None })
        }
        None => name_slip(&all.moves, &pattern, "neither a move nor a fluent"),
    }
}

fn role_slip<'a>(all: &Nameable, role: &Pattern<'a>) -> Option<Slip<'a>> {
    let Pattern::Word(word) = *role else { return None };
    let roles = all.roles.as_ref().filter(|roles| !roles.contains(&word.to_ascii_lowercase()))?;
    let near = nearest(word, roles.iter().map(String::as_str)).map(str::to_owned);
    Some(Slip { word, message: format!("`{word}` is not a role"), near })
}

/// The slip of a pattern whose name is not among these; `lacks` says what it is instead.
fn name_slip<'a>(names: &Names, pattern: &Pattern<'a>, lacks: &str) -> Option<Slip<'a>> {
    let (word, arity) = (pattern.head(), pattern.arity());
    if names.has(word, arity) {
        return None;
    }
    if let Some(own) = names.arities(word).next() {
        let message = format!("`{word}` has {}, but the pattern has {arity}", counted(own, "argument", "arguments"));
        return Some(Slip { word, message, near: None });
    }
    let near = nearest(word, names.names()).map(str::to_owned);
    Some(Slip { word, message: format!("`{word}` is {lacks}"), near })
}
