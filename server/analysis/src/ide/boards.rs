//! Comments that define the drawing of a fluent or a piece: `; percept: board cell column row piece`, `; percept: draw
//! holds cards`, `; percept: draw general G red`.

use std::str::SplitWhitespace;

use percept_syntax::{Source, TextRange};

/// The words for the arguments of a board.
pub const BOARD: [&str; 14] =
    ["column", "col", "x", "row", "y", "cell", "rack", "piece", "board", "against", "_", "up", "down", "hidden"];
/// The ways to draw the facts of a fluent.
pub const STYLES: [&str; 3] = ["cards", "dice", "grid"];
/// The colours of signs.
pub const COLOURS: [&str; 6] = ["white", "yellow", "red", "green", "blue", "black"];

/// The words of a board: the fluent's name, then a word for each argument. `None` for any other comment.
pub fn words(comment: &str) -> Option<SplitWhitespace<'_>> {
    after(comment, "board")
}

/// The words of a drawing: a name, then `cards`, `dice` or `grid` for a fluent, or a sign and a colour for a piece.
pub fn drawing(comment: &str) -> Option<SplitWhitespace<'_>> {
    after(comment, "draw")
}

/// The text after `percept:` of a comment that is for Percept.
pub(crate) fn order(comment: &str) -> Option<&str> {
    comment.trim_start_matches([';', '%']).trim().strip_prefix("percept:").map(str::trim_start)
}

fn after<'c>(comment: &'c str, what: &str) -> Option<SplitWhitespace<'c>> {
    let mut words = order(comment)?.split_whitespace();
    (words.next()? == what).then_some(words)
}

/// The places of the fluents' names in such comments.
pub(super) fn names(source: &Source) -> impl Iterator<Item = TextRange> + '_ {
    source
        .comment_texts()
        .filter_map(|comment| words(comment).or_else(|| drawing(comment))?.next())
        .map(|name| source.range_of(name))
}
