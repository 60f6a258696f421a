//! The statements of a description that is being edited: an edit reads those again that it touches, and the others only
//! move.
//!
//! This is correct because brackets that nest without an error nest in only one way: in a text that consists of lists
//! and has no error, every list before and after an edit reads the same. Any text that is less simple (an error, a word
//! outside of lists) is read as a whole.

use std::sync::Arc;

use crate::{
    Charset, Language, Source, Syntax, TextRange, flood, forms,
    gdl::{Description, Followed, Statements, prefix},
    lex, nest,
    source::{self, Comment, Tokens},
    token::{Token, TokenKind},
    tree::Unchanged,
};

/// The statements and comments of a text without errors, for the next version.
#[derive(Clone)]
pub(crate) struct Again {
    followed: Followed,
    comments: Arc<Vec<Comment>>,
}

/// The places of statements and comments.
struct Spans {
    statements: Vec<TextRange>,
    comments: Vec<Comment>,
}

impl Again {
    /// Follows the statements of a text in prefix notation from now on, if it consists of lists and has no error.
    /// `before` is an earlier version.
    pub(crate) fn of(source: &mut Source, before: Option<&Again>) -> Option<Again> {
        let Syntax::Gdl(description) = &mut source.syntax else { return None };
        if source.language != Language::GdlPrefix || !source.errors.is_empty() {
            return None;
        }
        let followed = Followed::new(lists(&source.tokens)?, before.map(|before| &before.followed));
        description.statements.follow(followed.clone());
        Some(Again { followed, comments: Arc::new(source.comments.clone()) })
    }

    /// The edited text with the statements that have no edits. `None` if it has to be read as a whole.
    pub(crate) fn read(&self, text: &Arc<str>, unchanged: Unchanged) -> Option<(Source, Again)> {
        let Spans { statements, comments } = self.spans(text, unchanged)?;
        let followed = Followed::new(statements, Some(&self.followed));
        let statements = Statements::followed(text, prefix::statements_in, followed.clone());
        let source = Source {
            language: Language::GdlPrefix,
            charset: Charset::default(),
            text: text.clone(),
            syntax: Syntax::Gdl(Description { statements }),
            tokens: Tokens::of(text.clone(), Language::GdlPrefix),
            comments: comments.clone(),
            errors: Vec::new(),
        };
        Some((source, Again { followed, comments: Arc::new(comments) }))
    }

    /// The places in the edited text. `None` if more than the touched lists may have changed.
    fn spans(&self, text: &Arc<str>, unchanged: Unchanged) -> Option<Spans> {
        let (statements, comments) = (self.followed.ranges(), &self.comments);
        let by = (text.len() as u32).wrapping_sub(unchanged.old_length);
        let behind = unchanged.old_length - unchanged.after;
        // A list that touches the edits may have changed.
        let first = statements.partition_point(|range| range.end < unchanged.before);
        let last = statements.partition_point(|range| range.start <= behind).max(first);
        let from = if first == 0 { 0 } else { statements[first - 1].end };
        let to = statements.get(last).map_or(unchanged.old_length, |range| range.start);
        let new = read_part(text, TextRange::new(from, to.wrapping_add(by)))?;
        let moved = |range: &TextRange| TextRange::new(range.start.wrapping_add(by), range.end.wrapping_add(by));
        let before = comments.partition_point(|comment| comment.range.end <= from);
        let after = comments.partition_point(|comment| comment.range.start < to);
        let shifted = comments[after..].iter().map(|comment| Comment { range: moved(&comment.range) });
        Some(Spans {
            statements: joined(&statements[..first], new.statements, statements[last..].iter().map(moved)),
            comments: joined(&comments[..before], new.comments, shifted),
        })
    }
}

fn joined<T: Copy>(before: &[T], new: Vec<T>, after: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let mut all = Vec::with_capacity(before.len() + new.len() + after.len());
    all.extend_from_slice(before);
    all.extend(new);
    all.extend(after);
    all
}

/// Reads a part of a text that begins and ends between lists; `None` if it is not made of lists without an error.
fn read_part(text: &str, part: TextRange) -> Option<Spans> {
    let mut tokens = Vec::new();
    // A comment that now reaches further hides what follows.
    if lex::scan(Language::GdlPrefix, text, part, &mut tokens) > part.end || flood::among(text, &tokens).is_some() {
        return None;
    }
    let nesting = nest::nest(Language::GdlPrefix, text, &tokens);
    let mut errors = Vec::new();
    let is_sound = |form| {
        prefix::statement(form, &mut errors);
        errors.is_empty()
    };
    if !nesting.errors.is_empty() || !forms::top(text, &tokens, &nesting.nodes).all(is_sound) {
        return None;
    }
    Some(Spans { statements: lists(&tokens)?, comments: source::comments(&tokens) })
}

/// The places of the outermost lists, of which all brackets are closed; `None` if there are words beside them.
fn lists(tokens: &[Token]) -> Option<Vec<TextRange>> {
    let (mut lists, mut depth, mut start) = (Vec::new(), 0, 0);
    for token in tokens {
        match token.kind {
            TokenKind::Open => {
                start = if depth == 0 { token.range.start } else { start };
                depth += 1;
            }
            TokenKind::Close => {
                depth -= 1;
                lists.extend((depth == 0).then(|| TextRange::new(start, token.range.end)));
            }
            TokenKind::Comment => {}
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    (depth == 0).then_some(lists)
}

#[cfg(test)]
mod tests {
    use crate::{Document, Language, Source, Syntax, TextRange};

    fn places(source: &Source) -> Option<Vec<&str>> {
        let Syntax::Gdl(description) = &source.syntax else { return None };
        let followed = description.statements.places()?;
        Some(followed.ranges().iter().map(|range| &source.text[range.as_usize()]).collect())
    }

    #[test]
    fn statements_are_followed_while_the_text_is_right() {
        let mut document = Document::new("(role a) ; one\n(role b)\n(role c)\n", Language::GdlPrefix);
        assert_eq!(places(&document.snapshot()), Some(vec!["(role a)", "(role b)", "(role c)"]));
        let mut edit = |start: u32, end: u32, new: &str| {
            document.edit(TextRange::new(start, end), new);
            let source = document.snapshot();
            let fresh = Source::parse(source.text.clone(), Language::GdlPrefix);
            assert_eq!((&source.syntax, &source.comments), (&fresh.syntax, &fresh.comments));
            places(&source).map(|places| places.join(" "))
        };
        assert_eq!(edit(22, 22, "x"), Some("(role a) (role bx) (role c)".into()));
        assert_eq!(edit(23, 24, ""), None, "a bracket is missing");
        assert_eq!(edit(23, 23, ")"), Some("(role a) (role bx) (role c)".into()));
        assert_eq!(edit(14, 15, " "), Some("(role a) (role c)".into()), "the comment reaches further");
        assert_eq!(edit(14, 15, "\n"), Some("(role a) (role bx) (role c)".into()));
        assert_eq!(edit(0, 0, "("), None);
        assert_eq!(edit(0, 1, "(role d) "), Some("(role d) (role a) (role bx) (role c)".into()));
        assert_eq!(edit(9, 9, "word "), None, "a word is not a list");
    }
}
