//! Recognition of texts that cannot be games, before anything is built for their brackets.
//!
//! A tree, tokens and lists for ten million `(` take gigabytes, and the messages about them are useless. One pass over
//! the bytes determines whether brackets are nested deeper than any reader supports, or closed thousands of times
//! without having been opened, and whether one list has more variables, or declares more, than any description of a
//! game.

use crate::{
    Language, TextRange, lex,
    token::{Token, TokenKind},
};

/// The limit for nested brackets and for closing brackets without an opening one: no author's slip reaches it.
const MOST: usize = 10_000;
/// The limit for variables in one list: no move has as many parameters.
const MOST_VARIABLES: u32 = 10_000;
/// The limit for predicates or functions declared in one section: more of them can only be a malicious text. (The
/// largest published domains have some thousands.)
const MOST_DECLARED: u32 = 100_000;

mod calm;

/// The same limits for the examination of bytes.
const LIMITS: calm::Limits = calm::Limits { depth: MOST, lost: MOST, variables: MOST_VARIABLES, lists: MOST_DECLARED };

/// The contents of an open list, counted without those of inner lists.
#[derive(Default)]
struct List {
    variables: u32,
    lists: u32,
    declares: bool,
}

/// The place and kind of a flood; `None` for nearly every text.
pub(crate) fn find(language: Language, text: &str) -> Option<(TextRange, String)> {
    let is_calm = match language {
        // Any character may begin a variable; a text this short cannot be a flood.
        Language::GdlInfix => text.len() <= MOST.min(MOST_VARIABLES as usize),
        _ => calm::is_calm(text.as_bytes(), language, &LIMITS),
    };
    if is_calm {
        return None;
    }
    let mut flood = Flood::default();
    let mut tokens = Vec::new();
    let mut at = 0;
    while (at as usize) < text.len() {
        tokens.clear();
        // Works on one piece at a time, so that the tokens of the whole text are never in memory.
        let end = (at + 4096).min(text.len() as u32);
        at = lex::scan(language, text, TextRange::new(at, end), &mut tokens);
        if let Some(found) = tokens.iter().find_map(|token| flood.pass(text, *token)) {
            return Some(found);
        }
    }
    None
}

/// The same for some of the tokens of a text.
pub(crate) fn among(text: &str, tokens: &[Token]) -> Option<(TextRange, String)> {
    let mut flood = Flood::default();
    tokens.iter().find_map(|token| flood.pass(text, *token))
}

/// The brackets that are open before a token.
#[derive(Default)]
struct Flood {
    open: Vec<List>,
    lost: usize,
}

impl Flood {
    fn pass(&mut self, text: &str, token: Token) -> Option<(TextRange, String)> {
        let Flood { open, lost } = self;
        let found = match token.kind {
            TokenKind::Open => {
                let around = open.last_mut();
                let declared = around.map_or(0, |list| {
                    list.lists += 1;
                    if list.declares { list.lists } else { 0 }
                });
                open.push(List::default());
                match () {
                    () if open.len() > MOST => format!("brackets are nested more than {MOST} deep here"),
                    () if declared > MOST_DECLARED => {
                        format!("more than {MOST_DECLARED} names are declared in one section up to here")
                    }
                    () => return None,
                }
            }
            TokenKind::Close => {
                *lost += usize::from(open.pop().is_none());
                if *lost <= MOST {
                    return None;
                }
                format!("more than {MOST} `)` up to here close nothing")
            }
            TokenKind::Variable => {
                let list = open.last_mut()?;
                list.variables += 1;
                if list.variables <= MOST_VARIABLES {
                    return None;
                }
                format!("more than {MOST_VARIABLES} variables are in one list up to here")
            }
            TokenKind::Keyword => {
                let word = &text[token.range.as_usize()];
                if let Some(list) = open.last_mut() {
                    list.declares |= [":predicates", ":functions"].iter().any(|it| word.eq_ignore_ascii_case(it));
                }
                return None;
            }
            _ => return None,
        };
        Some((token.range, format!("{found}: nothing is read")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_that_declares_without_end_is_told() {
        let at = |head: &str, parts: usize| find(Language::Pogddl, &format!("({head} {})", "(p)".repeat(parts)));
        let most = MOST_DECLARED as usize;
        assert_eq!(at(":predicates", most), None);
        let place = ":predicates".len() + 2 + 3 * most;
        assert_eq!(at(":predicates", most + 1).map(|(range, _)| range.start as usize), Some(place));
        // A list may have many facts.
        assert_eq!(at(":init", most + 1), None);
    }

    #[test]
    fn floods_are_told_at_their_place() {
        for language in [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl] {
            let at = |text: &str| find(language, text).map(|(range, _)| range.start as usize);
            assert_eq!(at(&"(".repeat(MOST)), None);
            assert_eq!(at(&"(".repeat(MOST + 1)), Some(MOST));
            assert_eq!(at(&")".repeat(MOST + 1)), Some(MOST));
            assert_eq!(at(&"(a)".repeat(3 * MOST)), None);
            // Variables in separate lists, and in one list.
            assert_eq!(at(&"(a ?x)".repeat(3 * MOST)), None);
            assert_eq!(at(&format!("(a {})", "?x ".repeat(MOST))), None);
            assert_eq!(at(&format!("(a {})", "?x ".repeat(MOST + 1))), Some(3 + 3 * MOST));
            // Brackets in a comment do not count.
            assert_eq!(at(&format!(";{}\n(a)", "(".repeat(3 * MOST))), None);
        }
    }
}
