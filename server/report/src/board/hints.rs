//! Hints in a description about its boards: `; percept: board cell column row piece`.
//!
//! The fluent's name is followed by a word for each argument: `column`, `row`, `cell` (both in one word, as `c01r01`),
//! `rack` (the same, the first half naming the row), `piece`, `board` (one of several), `against` (the other one of two
//! boards), or `_`. After these, `up` (the first row is at the bottom) or `down` may follow. `; percept: board taken
//! hidden` draws no board of a fluent. Fluents with the same columns and rows that have hints share one board.

use percept_syntax::Source;

/// The meaning of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Column,
    Row,
    Cell,
    Rack,
    Piece,
    Board,
    Against,
    Other,
}

/// The hint of one comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub functor: String,
    /// The meaning of each argument. Empty: no board is drawn.
    pub parts: Vec<Part>,
    /// True if the first row is at the bottom; `None` if the hint leaves it open.
    pub up: Option<bool>,
}

/// All hints of the files, in their order. A comment with an unknown word is not a hint.
pub(super) fn hints(sources: &[&Source]) -> Vec<Hint> {
    let comments = sources.iter().flat_map(|source| {
        source.comments.iter().map(|comment| &source.text[comment.range.start as usize..comment.range.end as usize])
    });
    comments.filter_map(hint).collect()
}

fn hint(comment: &str) -> Option<Hint> {
    let mut words = percept_analysis::ide::boards::words(comment)?;
    let functor = words.next()?.to_ascii_lowercase();
    let mut hint = Hint { functor, parts: Vec::new(), up: None };
    for word in words {
        let part = match word {
            "column" | "col" | "x" => Part::Column,
            "row" | "y" => Part::Row,
            "cell" => Part::Cell,
            "rack" => Part::Rack,
            "piece" => Part::Piece,
            "board" => Part::Board,
            "against" => Part::Against,
            "_" => Part::Other,
            "up" | "down" => {
                hint.up = Some(word == "up");
                continue;
            }
            "hidden" => continue,
            _ => return None,
        };
        hint.parts.push(part);
    }
    Some(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_says_what_each_argument_is() {
        let read = |comment| hint(comment).map(|it| (it.functor, it.parts, it.up));
        let parts = vec![Part::Column, Part::Row, Part::Piece];
        assert_eq!(read("; percept: board cell column row piece up"), Some(("cell".into(), parts, Some(true))));
        assert_eq!(read(";; percept: board taken hidden"), Some(("taken".into(), vec![], None)));
        assert_eq!(read("% percept: board at board piece cell").map(|it| it.1.len()), Some(3));
        for no in ["; percept: allow(x)", "; board cell column row", "; percept: board cell sideways"] {
            assert_eq!(read(no), None, "{no}");
        }
    }
}
