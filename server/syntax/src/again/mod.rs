//! The parts of a text that is being edited, the statements of a description or the actions and facts of a PDDL file: an
//! edit reads those again that it touches, and the others only move.
//!
//! This is correct because brackets that nest without an error nest in only one way: in a text that consists of lists
//! and has no error, every list before and after an edit reads the same. Any text that is less simple (an error, a word
//! outside of lists, an edit at the beginning or end of a section) is read as a whole.

mod pogddl;

use std::sync::Arc;

use crate::{
    Charset, Followed, Language, Part, Source, Syntax, TextRange, flood, forms,
    gdl::{Description, Statements, prefix},
    lex, nest,
    pddl::File,
    source::{self, Comment, Tokens},
    token::{Token, TokenKind},
    tree::Unchanged,
};

/// The parts and comments of a text without errors, for the next version.
#[derive(Clone)]
pub(crate) struct Again {
    language: Language,
    followed: Followed,
    comments: Arc<Vec<Comment>>,
}

/// The places of parts and comments.
#[derive(Default)]
struct Spans {
    places: Vec<TextRange>,
    /// The kinds of the parts of a PDDL file.
    parts: Vec<Part>,
    comments: Vec<Comment>,
}

impl Again {
    /// Follows the parts of a text from now on, if it consists of lists and has no error. `before` is an earlier
    /// version.
    pub(crate) fn of(source: &mut Source, before: Option<&Again>) -> Option<Again> {
        if !source.errors.is_empty() {
            return None;
        }
        let before = before.map(|before| &before.followed);
        let followed = match source.language {
            Language::GdlInfix => return None,
            Language::GdlPrefix => Followed::new(lists(&source.tokens)?, Vec::new(), before),
            Language::Pogddl => {
                let (places, parts) = pogddl::parts(source)?;
                Followed::new(places, parts, before)
            }
        };
        match &mut source.syntax {
            Syntax::Gdl(description) => description.statements.follow(followed.clone()),
            Syntax::Pddl(file) => file.follow(followed.clone()),
        }
        Some(Again { language: source.language, followed, comments: Arc::new(source.comments.clone()) })
    }

    /// True if the whole of an edited text need not be read. The findings in a description always need only the
    /// statements that its rules ask for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.language == Language::GdlPrefix || self.followed.is_wanted()
    }

    /// The edited text with the parts that have no edits. `None` if it has to be read as a whole.
    pub(crate) fn read(&self, text: &Arc<str>, unchanged: Unchanged) -> Option<(Source, Again)> {
        let Spans { places, parts, comments } = self.spans(text, unchanged)?;
        let followed = Followed::new(places, parts, Some(&self.followed));
        let syntax = match self.language {
            Language::Pogddl => Syntax::Pddl(File::followed(text, followed.clone())),
            _ => {
                let statements = Statements::followed(text, prefix::statements_in, followed.clone());
                Syntax::Gdl(Description { statements })
            }
        };
        let source = Source {
            language: self.language,
            charset: Charset::default(),
            text: text.clone(),
            syntax,
            tokens: Tokens::of(text.clone(), self.language),
            comments: comments.clone(),
            errors: Vec::new(),
        };
        Some((source, Again { language: self.language, followed, comments: Arc::new(comments) }))
    }

    /// The places in the edited text. `None` if more than the touched lists may have changed.
    fn spans(&self, text: &Arc<str>, unchanged: Unchanged) -> Option<Spans> {
        let (places, parts, comments) = (self.followed.ranges(), self.followed.parts(), &self.comments);
        let by = (text.len() as u32).wrapping_sub(unchanged.old_length);
        let behind = unchanged.old_length - unchanged.after;
        // A list that touches the edits may have changed.
        let first = places.partition_point(|range| range.end < unchanged.before);
        let last = places.partition_point(|range| range.start <= behind).max(first);
        let from = if first == 0 { 0 } else { places[first - 1].end };
        let to = places.get(last).map_or(unchanged.old_length, |range| range.start);
        let range = TextRange::new(from, to.wrapping_add(by));
        let new = match self.language {
            Language::Pogddl => pogddl::read_part(text, range, pogddl::parent(parts, first, last)?)?,
            _ => read_part(text, range)?,
        };
        let moved = |range: &TextRange| TextRange::new(range.start.wrapping_add(by), range.end.wrapping_add(by));
        let before = comments.partition_point(|comment| comment.range.end <= from);
        let after = comments.partition_point(|comment| comment.range.start < to);
        let shifted = comments[after..].iter().map(|comment| Comment { range: moved(&comment.range) });
        let kinds = (!parts.is_empty()).then(|| (&parts[..first], &parts[last..]));
        let (head, tail) = kinds.unwrap_or_default();
        Some(Spans {
            places: joined(&places[..first], new.places, places[last..].iter().map(moved)),
            parts: joined(head, new.parts, tail.iter().copied()),
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
    Some(Spans { places: lists(&tokens)?, parts: Vec::new(), comments: source::comments(&tokens) })
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

    #[test]
    fn parts_of_a_domain_are_followed_while_the_text_is_right() {
        let filler: String = (0..600).map(|n| format!("(:action a{n} :effect (p{n}))\n")).collect();
        let predicates: String = (0..600).map(|n| format!("(p{n})\n")).collect();
        let text = format!("(define (domain d)\n(:types t)\n(:predicates ; all\n{predicates})\n{filler})\n");
        let mut document = Document::new(&text, Language::Pogddl);
        let followed = |source: &Source| {
            let Syntax::Pddl(file) = &source.syntax else { panic!("PDDL") };
            file.places().map(|places| {
                places.set_wanted(true);
                assert_eq!(places.ranges().len(), places.parts().len());
                places.ranges().len()
            })
        };
        // `(define (domain d)`, the types, `(:predicates` and its `)`, and the last `)`.
        assert_eq!(followed(&document.snapshot()), Some(1_200 + 5));
        let mut edit = |old: &str, new: &str| {
            let at = document.rope().to_string().find(old).expect("it is there") as u32;
            document.edit(TextRange::new(at, at + old.len() as u32), new);
            let source = document.snapshot();
            let fresh = Source::parse(source.text.clone(), Language::Pogddl);
            assert_eq!(
                (&source.syntax, &source.comments, &source.errors),
                (&fresh.syntax, &fresh.comments, &fresh.errors)
            );
            followed(&source)
        };
        assert_eq!(edit("(p7)\n(p8)\n", "(p8 ?x - t)\n"), Some(1_199 + 5));
        assert_eq!(edit("(:action a300 :effect (p300))", "(:action b :effect (p1)) ; (\n(:action c)"), Some(1_200 + 5));
        assert_eq!(edit("(p300)", "(p300"), None, "a bracket is missing");
        assert_eq!(edit("(p300", "(p300)"), Some(1_200 + 5));
        assert_eq!(edit("(:action a5 ", "(:action a5 :duration 1 "), None, "a field of other languages");
        assert_eq!(edit("a5 :duration 1 ", "a5 "), Some(1_200 + 5));
        assert_eq!(edit("(p9)\n", "(p9)\n)\n(:functions (f))\n(:predicates\n"), Some(1_203 + 5), "another section");
        assert_eq!(edit("(:types t)", "(:types t) word"), None, "a word is not a section");
    }
}
