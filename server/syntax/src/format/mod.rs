//! The formatter: it changes only white space between tokens.
//!
//! Tokens, comments and their order are kept. An author's line breaks are kept in the places in which a reader expects
//! one, with at most one blank line, and a form that is too long for a line is broken between its parts. Formatting is
//! idempotent. From the first form with a bracket mistake, the text is left as it is, because its indentation is the
//! best hint to the mistake.

mod infix;
mod lists;

use crate::{
    Language, Source, TextRange,
    token::{Token, TokenKind},
};

/// The settings of the formatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The line width in columns: forms that reach further right are broken.
    pub width: u32,
    /// The step of indentation, in columns.
    pub indent: u32,
    /// Indents with tabs of `indent` columns if true.
    pub tabs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 100, indent: 4, tabs: false }
    }
}

/// One change: `insert` replaces `range`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced range.
    pub range: TextRange,
    /// The new text.
    pub insert: String,
}

/// Formats the whole text.
pub fn format(source: &Source, options: &Options) -> String {
    apply(&source.text, &edits(source, options))
}

/// The smallest changes that format every form that touches `range`: each replaces white space between two tokens.
pub fn format_range(source: &Source, range: TextRange, options: &Options) -> Vec<Edit> {
    let mut edits = edits(source, options);
    edits.retain(|edit| edit.range.start <= range.end && range.start <= edit.range.end);
    edits
}

/// All changes, in the order of the text.
pub fn edits(source: &Source, options: &Options) -> Vec<Edit> {
    if source.tokens.is_empty() && !source.errors.is_empty() {
        // A text that was not read is not changed.
        return Vec::new();
    }
    let gaps = match source.language {
        Language::GdlInfix => infix::gaps(source, options),
        Language::GdlPrefix | Language::Pogddl => lists::gaps(source, options),
    };
    let ending = match () {
        () if source.text.contains("\r\n") => "\r\n",
        () if source.text.contains('\r') && !source.text.contains('\n') => "\r",
        () => "\n",
    };
    let mut edits = Vec::new();
    let mut start = 0;
    let mut change = |range: TextRange, insert: &str| {
        if source.text[range.as_usize()] != *insert {
            edits.push(Edit { range, insert: insert.to_owned() });
        }
    };
    let mut space = String::new();
    for (token, gap) in source.tokens.iter().zip(&gaps) {
        if let Some(gap) = gap {
            space.clear();
            gap.write(ending, options, &mut space);
            change(TextRange::new(start, token.range.start), &space);
        }
        start = token.range.end;
        if token.kind == TokenKind::Comment {
            start -= (source.text[token.range.as_usize()].len() - source.text[token.range.as_usize()].trim_end().len())
                as u32;
        }
    }
    let last = if source.tokens.is_empty() { "" } else { ending };
    change(TextRange::new(start, source.text.len() as u32), last);
    edits
}

/// Applies all edits; they must be in order and must not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.range.start as usize]);
        out.push_str(&edit.insert);
        at = edit.range.end as usize;
    }
    out.push_str(&text[at..]);
    out
}

/// The white space before a token: breaks and then columns. Without a `Gap` the text is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gap {
    breaks: u32,
    columns: u32,
}

impl Gap {
    const NONE: Gap = Gap { breaks: 0, columns: 0 };
    const SPACE: Gap = Gap { breaks: 0, columns: 1 };

    fn write(self, ending: &str, options: &Options, text: &mut String) {
        (0..self.breaks).for_each(|_| text.push_str(ending));
        let tabs = if options.tabs && self.breaks > 0 { self.columns / options.indent.max(1) } else { 0 };
        text.extend(std::iter::repeat_n('\t', tabs as usize));
        text.extend(std::iter::repeat_n(' ', (self.columns - tabs * options.indent.max(1)) as usize));
    }
}

/// The tokens with the author's white space between them.
struct Words<'a> {
    text: &'a str,
    tokens: &'a [Token],
}

impl<'a> Words<'a> {
    fn kind(&self, at: usize) -> TokenKind {
        self.tokens[at].kind
    }

    fn word(&self, at: usize) -> &'a str {
        &self.text[self.tokens[at].range.as_usize()]
    }

    /// The width of a token in columns; a comment's trailing space does not count.
    fn width(&self, at: usize) -> u32 {
        self.word(at).trim_end().chars().count() as u32
    }

    /// The author's white space before a token.
    fn space(&self, at: usize) -> &'a str {
        let start = at.checked_sub(1).map_or(0, |before| self.tokens[before].range.end);
        &self.text[start as usize..self.tokens[at].range.start as usize]
    }

    /// The number of line breaks before a token; a comment always ends with one.
    fn breaks(&self, at: usize) -> u32 {
        let space = self.space(at);
        let feeds = space.matches('\n').count();
        (feeds + space.matches('\r').count() - space.matches("\r\n").count()) as u32
    }

    /// True if the token before reaches to the end of its line: a comment, or an unclosed string.
    fn is_after_comment(&self, at: usize) -> bool {
        at > 0
            && match self.kind(at - 1) {
                TokenKind::Comment => true,
                TokenKind::Text => self.word(at - 1).len() == 1 || !self.word(at - 1).ends_with('"'),
                _ => false,
            }
    }

    /// The author's breaks, at least one, with at most one blank line.
    fn kept(&self, at: usize, columns: u32) -> Gap {
        Gap { breaks: self.breaks(at).clamp(1, 2), columns }
    }
}
