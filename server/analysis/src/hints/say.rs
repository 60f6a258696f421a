//! Slips in comments that give the words of a move or a fluent: `; percept: say ...`.

use percept_syntax::Source;
use percept_syntax::near::nearest;
use percept_syntax::words::counted;

use super::Slip;
use crate::ide::nameable::Names;
use crate::ide::sayings::saying;

/// The slip of a comment, if it gives words and has one.
pub(super) fn slip<'a>(source: &Source, comment: &'a str) -> Option<Slip<'a>> {
    let pattern = match saying(comment)? {
        Ok(saying) => saying.pattern,
        Err(it) => {
            return Some(Slip { word: it.word, message: it.message, near: it.near.map(str::to_owned) });
        }
    };
    let names = Names::of(source)?;
    let (word, arity) = (pattern.head(), pattern.arity());
    if names.has(word, arity) {
        return None;
    }
    if let Some(own) = names.arities(word).next() {
        let message = format!("`{word}` has {}, but the pattern has {arity}", counted(own, "argument", "arguments"));
        return Some(Slip { word, message, near: None });
    }
    let near = nearest(word, names.names()).map(str::to_owned);
    Some(Slip { word, message: format!("`{word}` is neither a move nor a fluent"), near })
}
