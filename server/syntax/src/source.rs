//! One source file: its text, its tree, its typed syntax, its errors.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::{
    Charset, MAX_BYTES, NotText, TextRange, flood, gdl, lex, nest, pddl,
    token::{Token, TokenKind},
};

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// KIF: `(<= head body)`.
    GdlPrefix,
    /// Rules with `:-`.
    GdlInfix,
    /// PDDL 2.2 with `observe` and `:gain`.
    Pogddl,
}

impl Language {
    const ALL: [Language; 3] = [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl];

    /// Its name for editors, in JSON and after the back-quotes of a code block.
    pub fn name(self) -> &'static str {
        match self {
            Language::GdlPrefix => "gdl",
            Language::GdlInfix => "gdl-infix",
            Language::Pogddl => "pogddl",
        }
    }

    /// The language of this name.
    pub fn named(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.name() == name)
    }
}

/// The typed syntax of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Syntax {
    /// GDL, prefix and infix.
    Gdl(gdl::Description),
    /// PDDL: a domain, a problem, or several of them.
    Pddl(pddl::File),
}

/// Text that could not be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place of the error.
    pub range: TextRange,
    /// The problem and its repair, one sentence without a final full stop.
    pub message: String,
    /// A related place, such as the `(` that is never closed.
    pub related: Option<(TextRange, String)>,
    /// True if the error is a `(` without its `)`.
    pub is_unclosed: bool,
}

/// A comment from its `;` or `%` to the end of the line (without the line break).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The place of the comment.
    pub range: TextRange,
}

/// The tokens of a text, in its order. Unless the text is being edited, they are made on first access, because they
/// take more memory than the text.
#[derive(Clone)]
pub struct Tokens {
    text: Arc<str>,
    language: Language,
    made: OnceLock<Arc<Vec<Token>>>,
}

impl Tokens {
    /// The tokens that the scanner will find in the text.
    pub(crate) fn of(text: Arc<str>, language: Language) -> Tokens {
        Tokens { text, language, made: OnceLock::new() }
    }

    /// The tokens that were found in the text.
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

/// An immutable parsed file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The language in which it was read.
    pub language: Language,
    /// The encoding of its file.
    pub charset: Charset,
    /// The whole text.
    pub text: Arc<str>,
    /// The typed syntax of all that was understood.
    pub syntax: Syntax,
    /// All tokens in the order of the text, including comments.
    pub tokens: Tokens,
    /// The comments, in the order of the text.
    pub comments: Vec<Comment>,
    /// The syntax errors, in the order of the text.
    pub errors: Vec<SyntaxError>,
}

impl Source {
    /// The first domain of a PDDL file.
    pub fn domain(&self) -> Option<&pddl::Domain> {
        match &self.syntax {
            Syntax::Pddl(file) => file.domain(),
            Syntax::Gdl(_) => None,
        }
    }

    /// The first problem of a PDDL file.
    pub fn problem(&self) -> Option<&pddl::Problem> {
        match &self.syntax {
            Syntax::Pddl(file) => file.problem(),
            Syntax::Gdl(_) => None,
        }
    }

    /// The texts of the comments, with their signs.
    pub fn comment_texts(&self) -> impl Iterator<Item = &str> {
        self.comments.iter().filter_map(|comment| self.text.get(comment.range.as_usize()))
    }

    /// The range of a part of the text, which must be a slice of [`Source::text`], not a copy of it.
    pub fn range_of(&self, part: &str) -> TextRange {
        TextRange::of_part(&self.text, part)
    }

    /// The tokens of a part of the text that begins and ends between tokens.
    pub fn tokens_in(&self, range: TextRange) -> Vec<Token> {
        let mut tokens = Vec::new();
        lex::scan(self.language, &self.text, range, &mut tokens);
        tokens
    }

    /// The same text without all but some of its parts (see [`pddl::File::places`]), at their places. `None` if it has
    /// errors.
    pub fn part(&self, shown: impl Iterator<Item = TextRange>) -> Option<Source> {
        let mut tokens = Vec::new();
        for range in shown {
            lex::scan(self.language, &self.text, range, &mut tokens);
        }
        let part = Source::from_tokens(Arc::new(tokens), self.text.clone(), self.language);
        part.errors.is_empty().then_some(part)
    }

    /// True if the text was not read because it is too long or a flood of brackets; the only error gives the reason.
    pub fn is_unread(&self) -> bool {
        !self.errors.is_empty() && self.tokens.is_empty()
    }

    /// Parses the bytes of a file, if they are text.
    pub fn from_bytes(bytes: Vec<u8>, language: Language) -> Result<Source, NotText> {
        let (text, charset) = Charset::read(bytes)?;
        Ok(Source { charset, ..Source::parse(text, language) })
    }

    /// Parses a whole text. Never fails: text that could not be understood is in `errors`. A text longer than
    /// [`MAX_BYTES`], or with a flood of brackets, is not read; the only error gives the reason.
    pub fn parse(text: impl Into<Arc<str>>, language: Language) -> Source {
        let text = text.into();
        if let Some(error) = unreadable(&text, language) {
            return refuse(text, language, error);
        }
        // The leaves of the tree are the tokens of the scanner (a test in `tree` compares the two), and this text is
        // not edited: a tree of forty times the size of the text would be built and dropped.
        let source = Source::from_tokens(Arc::new(lex::tokens(language, &text)), text, language);
        Source { tokens: Tokens::of(source.text.clone(), language), ..source }
    }

    /// Builds the typed syntax from the tokens of this very text.
    pub(crate) fn from_tokens(tokens: Arc<Vec<Token>>, text: Arc<str>, language: Language) -> Source {
        Source::read(tokens, text, language).0
    }

    /// The same; true if its brackets nest without an error.
    pub(crate) fn read(tokens: Arc<Vec<Token>>, text: Arc<str>, language: Language) -> (Source, bool) {
        let comments = comments(&tokens);
        let mut is_nested = true;
        let mut errors = Vec::new();
        let syntax = match language {
            Language::GdlInfix => Syntax::Gdl(gdl::infix::parse(&text, &tokens, &mut errors)),
            Language::GdlPrefix | Language::Pogddl => {
                let mut nesting = nest::nest(language, &text, &tokens);
                let nodes = &nesting.nodes;
                let syntax = match language {
                    Language::Pogddl => Syntax::Pddl(pddl::lower::lower(&text, &tokens, nodes, &mut errors).into()),
                    _ => Syntax::Gdl(gdl::prefix::description(&text, &tokens, &nesting, &mut errors)),
                };
                is_nested = nesting.errors.is_empty();
                if !is_nested {
                    let units = nest::blame::units(&text, &tokens, nodes);
                    nest::blame::drop_consequences(&mut nesting.errors, &units, &mut errors);
                    errors.append(&mut nesting.errors);
                }
                syntax
            }
        };
        errors.sort_by_key(|error| (error.range.start, error.range.end));
        let tokens = Tokens::made(text.clone(), language, tokens);
        (Source { language, charset: Charset::default(), text, syntax, tokens, comments, errors }, is_nested)
    }
}

/// The comments among the tokens.
pub(crate) fn comments(tokens: &[Token]) -> Vec<Comment> {
    let comments = tokens.iter().filter(|token| token.kind == TokenKind::Comment);
    comments.map(|token| Comment { range: token.range }).collect()
}

/// The reason why a text is not read: it is too long, or its brackets cannot be a game's.
pub(crate) fn unreadable(text: &str, language: Language) -> Option<SyntaxError> {
    let (range, message) = match text.len() > MAX_BYTES {
        true => (TextRange::at(0), NotText::TooLong(text.len()).to_string()),
        false => flood::find(language, text)?,
    };
    Some(SyntaxError { range, message, related: None, is_unclosed: false })
}

/// Creates the source of a text that is not read.
pub(crate) fn refuse(text: Arc<str>, language: Language, error: SyntaxError) -> Source {
    let tokens = Tokens::made(text.clone(), language, Arc::default());
    Source { text, tokens, errors: vec![error], ..Source::parse("", language) }
}
