//! Texts that are no game's, told before anything is built for their brackets.
//!
//! A tree, tokens and lists for ten million `(` take gigabytes, and nobody reads what is said about them. One pass over the
//! bytes finds out whether brackets are nested far deeper than anything reads them, or closed thousands of times without
//! having been opened.

use crate::{Language, TextRange, lex, token::TokenKind};

/// Brackets nested deeper, or closed more often than they were opened: no author's slip does that.
const MOST: usize = 10_000;

/// The place and kind of such a flood; `None` for nearly every text.
pub(crate) fn find(language: Language, text: &str) -> Option<(TextRange, String)> {
    // Cheap for every real text: so few brackets cannot flood anything.
    let count = |wanted: u8| text.bytes().filter(|byte| *byte == wanted).count();
    if count(b'(') <= MOST && count(b')') <= MOST {
        return None;
    }
    let (mut depth, mut lost) = (0, 0);
    let mut tokens = Vec::new();
    let mut at = 0;
    while (at as usize) < text.len() {
        tokens.clear();
        // A piece at a time, so that the tokens of the whole text are never held.
        let end = (at + 4096).min(text.len() as u32);
        at = lex::scan(language, text, TextRange::new(at, end), &mut tokens);
        for token in &tokens {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => lost += 1,
                TokenKind::Close => depth -= 1,
                _ => continue,
            }
            if depth > MOST {
                return Some((token.range, format!("brackets are nested more than {MOST} deep here: nothing is read")));
            }
            if lost > MOST {
                return Some((token.range, format!("more than {MOST} `)` up to here close nothing: nothing is read")));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floods_are_told_at_their_place() {
        for language in [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl] {
            let at = |text: &str| find(language, text).map(|(range, _)| range.start as usize);
            assert_eq!(at(&"(".repeat(MOST)), None);
            assert_eq!(at(&"(".repeat(MOST + 1)), Some(MOST));
            assert_eq!(at(&")".repeat(MOST + 1)), Some(MOST));
            assert_eq!(at(&"(a)".repeat(3 * MOST)), None);
            // What a comment holds is no bracket.
            assert_eq!(at(&format!(";{}\n(a)", "(".repeat(3 * MOST))), None);
        }
    }
}
