//! Words and brackets, the tokens of a text.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::{Language, TextRange, lex};

/// The tokens of a text, in its order. Unless the text is being edited, they are made when they are first asked for:
/// they take more memory than the text.
#[derive(Clone)]
pub struct Tokens {
    text: Arc<str>,
    language: Language,
    made: OnceLock<Arc<Vec<Token>>>,
}

impl Tokens {
    /// Those that the scanner will find in the text.
    pub(crate) fn of(text: Arc<str>, language: Language) -> Tokens {
        Tokens { text, language, made: OnceLock::new() }
    }

    /// Those that were found in the text.
    pub(crate) fn made(text: Arc<str>, language: Language, tokens: Arc<Vec<Token>>) -> Tokens {
        Tokens { text, language, made: tokens.into() }
    }

    pub(crate) fn shared(&self) -> &Arc<Vec<Token>> {
        self.made.get_or_init(|| Arc::new(lex::tokens(self.language, &self.text)))
    }
}

impl Deref for Tokens {
    type Target = [Token];

    fn deref(&self) -> &[Token] {
        self.shared()
    }
}

impl PartialEq for Tokens {
    fn eq(&self, other: &Tokens) -> bool {
        self[..] == other[..]
    }
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self[..].fmt(f)
    }
}

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
