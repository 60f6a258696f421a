//! One source file: its text, its tree, its typed syntax, its errors.

use std::sync::Arc;

use crate::{
    TextRange, gdl, nest, pddl,
    token::{Token, TokenKind},
    tree,
};

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
    /// All tokens in the order of the text, comments among them.
    pub tokens: Vec<Token>,
    pub comments: Vec<Comment>,
    /// In the order of the text.
    pub errors: Vec<SyntaxError>,
}

impl Source {
    /// Parses a whole text. Never fails: what could not be understood is in `errors`.
    pub fn parse(text: impl Into<Arc<str>>, language: Language) -> Source {
        let text = text.into();
        let tree =
            tree::parser(language).parse(text.as_bytes(), None).expect("a parser with a language and no time limit");
        Source::from_tree(&tree, text, language)
    }

    /// Builds the typed syntax from a tree of this very text.
    pub(crate) fn from_tree(tree: &tree_sitter::Tree, text: Arc<str>, language: Language) -> Source {
        let tokens = tree::tokens(tree, language, &text);
        let comments = tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Comment)
            .map(|token| Comment { range: token.range })
            .collect();
        let mut errors = Vec::new();
        let syntax = match language {
            Language::GdlPrefix => {
                let mut nesting = nest::nest(language, &text, &tokens);
                errors.append(&mut nesting.errors);
                Syntax::Gdl(gdl::prefix::lower(&text, &tokens, &nesting.nodes, &mut errors))
            }
            Language::GdlInfix => Syntax::Gdl(gdl::infix::parse(&text, &tokens, &mut errors)),
            Language::Pogddl => {
                let mut nesting = nest::nest(language, &text, &tokens);
                errors.append(&mut nesting.errors);
                Syntax::Pddl(pddl::lower::lower(&text, &tokens, &nesting.nodes, &mut errors))
            }
        };
        errors.sort_by_key(|error| (error.range.start, error.range.end));
        Source { language, text, syntax, tokens, comments, errors }
    }
}
