//! Hints in a description about its boards: `; percept: board cell column row piece`.
//!
//! The fluent's name is followed by a word for each argument: `column`, `row`, `cell` (both in one word, as `c01r01`),
//! `rack` (the same, the first half naming the row), `piece`, `board` (one of several), `against` (the other one of two
//! boards), or `_`. `; percept: draw holds cards` (or `dice`, `grid`) says how a fluent's facts are drawn, and `; percept:
//! draw knave J red` the sign and colour of a piece. After the words of a board, `up` (the first row is at the bottom) or `down` may follow. `; percept: board taken
//! hidden` draws no board of a fluent. Fluents with the same columns and rows that have hints share one board.

use std::collections::BTreeMap;

use percept_syntax::Source;

use super::Style;
use super::glyphs::{Glyph, Tone};

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

/// The drawing of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Drawing {
    /// The facts of a fluent.
    Style(Style),
    /// A piece.
    Sign(Glyph),
}

/// The longest sign of a piece.
const LONGEST: usize = 4;

/// The drawing of names by the comments of the files. A comment that says neither a style nor a sign is left out.
pub(super) fn drawings(sources: &[&Source]) -> BTreeMap<String, Drawing> {
    sources.iter().flat_map(|source| source.comment_texts()).filter_map(drawing).collect()
}

fn drawing(comment: &str) -> Option<(String, Drawing)> {
    let mut words = percept_analysis::ide::boards::drawing(comment)?;
    let name = words.next()?.to_ascii_lowercase();
    let drawing = match words.next()? {
        "cards" => Drawing::Style(Style::Cards),
        "dice" => Drawing::Style(Style::Dice),
        "grid" => Drawing::Style(Style::Grid),
        sign if sign.chars().count() <= LONGEST => {
            let tone = words.next().map(|word| Tone::of(&word.to_ascii_lowercase())).unwrap_or_default();
            Drawing::Sign(Glyph { sign: sign.to_owned(), tone })
        }
        _ => return None,
    };
    Some((name, drawing))
}

/// All hints of the files, in their order. A comment with an unknown word is not a hint.
pub(super) fn hints(sources: &[&Source]) -> Vec<Hint> {
    sources.iter().flat_map(|source| source.comment_texts()).filter_map(hint).collect()
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
    fn a_comment_says_how_a_name_is_drawn() {
        let sign = |sign: &str, tone| Some(Drawing::Sign(Glyph { sign: sign.into(), tone }));
        let read = |comment| drawing(comment).map(|it| it.1);
        assert_eq!(read("; percept: draw holds cards"), Some(Drawing::Style(Style::Cards)));
        assert_eq!(read("; percept: draw knave J red"), sign("J", Some(Tone::Red)));
        assert_eq!(read("% percept: draw general ★"), sign("★", None));
        assert_eq!(read("; percept: draw general"), None);
        assert_eq!(read("; percept: draw general something-long"), None);
        assert_eq!(read("; percept: board holds row column"), None);
    }

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
