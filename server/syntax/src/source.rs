//! One source file: its text, its tree, its typed syntax, its errors.

use std::sync::Arc;

use crate::{TextRange, gdl, pddl};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// KIF: `(<= head body)`.
    GdlPrefix,
    /// Rules with `:-`.
    GdlInfix,
    /// PDDL 2.2 with `observe` and `:gain`.
    Pogddl,
}

/// The typed syntax of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Syntax {
    Gdl(gdl::Description),
    Pddl(pddl::File),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub range: TextRange,
    /// What is wrong and what to do, one sentence without a final full stop.
    pub message: String,
    /// A related place, such as the `(` that is never closed.
    pub related: Option<(TextRange, String)>,
}

/// A comment from its `;` or `%` to the end of the line (without the line break).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    pub range: TextRange,
}

/// An immutable parsed file.
#[derive(Clone, Debug)]
pub struct Source {
    pub language: Language,
    pub text: Arc<str>,
    pub syntax: Syntax,
    pub comments: Vec<Comment>,
    pub errors: Vec<SyntaxError>,
}
