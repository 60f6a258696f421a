//! Words and brackets, the tokens of a text.

use crate::TextRange;

/// One token with its place. White space is between tokens and not part of any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The place of the token.
    pub range: TextRange,
}

/// The kinds of tokens.
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
    /// PDDL's `-` before a type, also if no space follows.
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
    /// A character that is not part of any token of the language.
    Unknown,
}
