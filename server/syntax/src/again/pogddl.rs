//! The parts of a PDDL file: its actions, declared predicates and initial facts one by one, and its other sections.

use super::{Spans, lists};
use crate::{
    Language, Parent, Part, Source, Syntax, TextRange, flood, lex, nest,
    pddl::{Dialect, lower},
    source,
    token::{Token, TokenKind},
};

/// Shorter texts are read as a whole in no time.
const LEAST: usize = 16 << 10;
/// Forms that are nested deeper than this are read as a whole, to be reported.
const DEEP: usize = 200;
/// The words of a section that an action may consist of.
const KEYWORDS: [&str; 4] = [":action", ":parameters", ":precondition", ":effect"];

/// The parts of a text without errors. `None` if it is not one definition in POGDDL.
pub(super) fn parts(source: &Source) -> Option<(Vec<TextRange>, Vec<Part>)> {
    let Syntax::Pddl(file) = &source.syntax else { return None };
    let is_simple = file.outside.is_empty() && file.definitions.len() == 1 && source.text.len() >= LEAST;
    if !is_simple || Dialect::of(source).is_some() {
        return None;
    }
    let mut tokens = source.tokens.iter().filter(|token| token.kind != TokenKind::Comment).peekable();
    let word = |token: &Token| &source.text[token.range.as_usize()];
    let (mut places, mut parts) = (Vec::new(), Vec::new());
    let mut push = |range, part| {
        places.push(range);
        parts.push(part);
    };
    let start = tokens.next()?.range;
    tokens.next_if(|token| word(token).eq_ignore_ascii_case("define"))?;
    let title = list(&mut tokens)?;
    push(start.cover(title), Part::Open(Parent::Define));
    while let Some(open) = tokens.next_if(|token| token.kind == TokenKind::Open) {
        let keyword = tokens.next_if(|token| token.kind == TokenKind::Keyword)?;
        let parent = match () {
            () if word(keyword).eq_ignore_ascii_case(":predicates") => Parent::Predicates,
            () if word(keyword).eq_ignore_ascii_case(":init") => Parent::Init,
            () => {
                let range = open.range.cover(end(&mut tokens)?);
                let is_action = word(keyword).eq_ignore_ascii_case(":action");
                push(range, if is_action { Part::Free(Parent::Define) } else { Part::Section });
                continue;
            }
        };
        push(open.range.cover(keyword.range), Part::Open(parent));
        while let Some(range) = list(&mut tokens) {
            push(range, Part::Free(parent));
        }
        push(tokens.next_if(|token| token.kind == TokenKind::Close)?.range, Part::Close);
    }
    push(tokens.next_if(|token| token.kind == TokenKind::Close)?.range, Part::Close);
    tokens.next().is_none().then_some((places, parts))
}

/// Takes the tokens of a list, if there is one.
fn list<'t>(tokens: &mut std::iter::Peekable<impl Iterator<Item = &'t Token>>) -> Option<TextRange> {
    let open = tokens.next_if(|token| token.kind == TokenKind::Open)?;
    Some(open.range.cover(end(tokens)?))
}

/// Takes the tokens to the end of a list whose `(` has been taken.
fn end<'t>(tokens: &mut impl Iterator<Item = &'t Token>) -> Option<TextRange> {
    let mut depth = 1;
    let close = tokens.find(|token| {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    close.map(|close| close.range)
}

/// The list that edits in `parts[first..last]` are in; `None` if they touch more than its free parts.
pub(super) fn parent(parts: &[Part], first: usize, last: usize) -> Option<Parent> {
    let is_free = |part: &Part| matches!(part, Part::Free(_));
    let is_inside = parts[first..last].iter().all(is_free) && last < parts.len();
    let around =
        parts[..first].iter().rev().find(|part| !matches!(part, Part::Free(Parent::Predicates | Parent::Init)));
    match around? {
        _ if !is_inside => None,
        Part::Open(parent) => Some(*parent),
        Part::Close | Part::Section | Part::Free(_) => Some(Parent::Define),
    }
}

/// Reads a part of a list that begins and ends between its parts; `None` if it is not made of them without an error.
pub(super) fn read_part(text: &str, range: TextRange, parent: Parent) -> Option<Spans> {
    let mut tokens = Vec::new();
    // A comment that now reaches further hides what follows.
    if lex::scan(Language::Pogddl, text, range, &mut tokens) > range.end || flood::among(text, &tokens).is_some() {
        return None;
    }
    let places = lists(&tokens)?;
    let mut depth = 0usize;
    let is_plain = tokens.iter().all(|token| {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Keyword => {
                let word = &text[token.range.as_usize()];
                return parent == Parent::Define && KEYWORDS.iter().any(|known| word.eq_ignore_ascii_case(known));
            }
            _ => {}
        }
        depth < DEEP
    });
    let nesting = nest::nest(Language::Pogddl, text, &tokens);
    let is_sound = nesting.errors.is_empty() && lower::is_sound(text, &tokens, &nesting.nodes, parent);
    if !is_plain || !is_sound {
        return None;
    }
    let parts = vec![Part::Free(parent); places.len()];
    Some(Spans { places, parts, comments: source::comments(&tokens) })
}
