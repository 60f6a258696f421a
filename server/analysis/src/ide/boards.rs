//! Comments that define the drawing of a fluent: `; percept: board cell column row piece`.

use std::str::SplitWhitespace;

use percept_syntax::{Source, TextRange};

/// The words of such a comment: the fluent's name, then a word for each argument. `None` for any other comment.
pub fn words(comment: &str) -> Option<SplitWhitespace<'_>> {
    let text = comment.trim_start_matches([';', '%']).trim();
    let mut words = text.strip_prefix("percept:")?.split_whitespace();
    (words.next()? == "board").then_some(words)
}

/// The places of the fluents' names in such comments.
pub(super) fn names(source: &Source) -> impl Iterator<Item = TextRange> + '_ {
    let comments = source.comments.iter().filter_map(|comment| source.text.get(comment.range.as_usize()));
    comments.filter_map(|comment| words(comment)?.next()).map(|name| source.range_of(name))
}
