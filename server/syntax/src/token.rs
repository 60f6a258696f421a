//! Words and brackets: what a text is made of, whatever it means.

use crate::TextRange;

/// One token with its place. White space lies between tokens and is in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub range: TextRange,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A name: `cell`, `+`, `:-` in prefix text.
    Word,
    /// `12`, and in PDDL also `-1` and `2.5`.
    Number,
    /// `?x`, and in infix text `X` and `_`.
    Variable,
    /// PDDL's `:init`.
    Keyword,
    /// PDDL's `-` before a type, also where it is glued to it.
    Dash,
    /// PDDL's `"pddl"`.
    Text,
    /// `<=`, and in infix text also `:-`.
    Arrow,
    /// Infix `&`.
    And,
    /// Infix `,`.
    Comma,
    /// Infix `|` or `or`.
    Or,
    /// Infix `~`, `\+` or `not`.
    Not,
    /// Infix `.`
    Stop,
    /// From `;` or `%` to the end of the line.
    Comment,
    /// A character that belongs to no token of the language.
    Unknown,
}
