//! The limits of tokens: the same rules as in the tree-sitter grammars, in one pass over bytes.
//!
//! A token's extent depends only on its own characters, never on the text before it. So the leaves of a tree and this
//! scanner agree, except after an error: there tree-sitter may skip characters, or take the `or` in the word `order`
//! for a token. The scanner names the tokens, fills the gaps and decides about the limits of tokens.

use crate::{
    Language, TextRange,
    token::{Token, TokenKind},
};

/// All tokens of a text.
pub(crate) fn tokens(language: Language, text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    scan(language, text, TextRange::new(0, text.len() as u32), &mut tokens);
    tokens
}

/// Appends the tokens that begin in `range` to `into`; returns the end of the last one, or `range.end` if that is
/// further. `range` must begin at an offset at which a token may begin.
pub(crate) fn scan(language: Language, text: &str, range: TextRange, into: &mut Vec<Token>) -> u32 {
    let bytes = text.as_bytes();
    let mut at = range.start as usize;
    while at < range.end as usize {
        if let Some(width) = space(bytes, at) {
            at += width;
            continue;
        }
        let (kind, end) = match language {
            Language::GdlPrefix => prefix(bytes, at),
            Language::GdlInfix => infix(bytes, at),
            Language::Pogddl => pddl(bytes, at),
        };
        into.push(Token { kind, range: TextRange::new(at as u32, end as u32) });
        at = end;
    }
    at as u32
}

/// The width of the white space character at `at`, if there is one. NUL is not white space: tree-sitter's lexer stops
/// at it, so it is a token of its own.
fn space(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes[at] {
        b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => Some(1),
        0xc2 if bytes.get(at + 1) == Some(&0xa0) => Some(2),
        0xef if bytes[at..].starts_with(b"\xef\xbb\xbf") => Some(3),
        _ => None,
    }
}

/// The end of the longest run from `at` without white space, NUL and the bytes in `stops`.
fn word(bytes: &[u8], mut at: usize, stops: &[u8]) -> usize {
    while at < bytes.len() && bytes[at] != 0 && !stops.contains(&bytes[at]) && space(bytes, at).is_none() {
        at += 1;
    }
    at
}

/// The end of a comment, from any of its bytes.
pub(crate) fn comment(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && !matches!(bytes[at], b'\n' | b'\r' | 0) {
        at += 1;
    }
    at
}

/// The end of the character at `at`.
fn character(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] & 0xc0 == 0x80 {
        end += 1;
    }
    end
}

fn is_integer(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

fn prefix(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    const STOPS: &[u8] = b"();";
    match bytes[at] {
        b'(' => (TokenKind::Open, at + 1),
        b')' => (TokenKind::Close, at + 1),
        b';' => (TokenKind::Comment, comment(bytes, at)),
        b'?' => (TokenKind::Variable, word(bytes, at + 1, STOPS)),
        0 => (TokenKind::Unknown, at + 1),
        _ => {
            let end = word(bytes, at, STOPS);
            let kind = match &bytes[at..end] {
                b"<=" => TokenKind::Arrow,
                text if is_integer(text) => TokenKind::Number,
                _ => TokenKind::Word,
            };
            (kind, end)
        }
    }
}

/// The characters that no infix name contains.
const INFIX_STOPS: &[u8] = b"()[]{},&|~\\.;%?:<>=\"";

fn infix(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    let next = bytes.get(at + 1);
    match bytes[at] {
        b'(' => (TokenKind::Open, at + 1),
        b')' => (TokenKind::Close, at + 1),
        b'&' => (TokenKind::And, at + 1),
        b',' => (TokenKind::Comma, at + 1),
        b'|' => (TokenKind::Or, at + 1),
        b'~' => (TokenKind::Not, at + 1),
        b'.' => (TokenKind::Stop, at + 1),
        b'\\' if next == Some(&b'+') => (TokenKind::Not, at + 2),
        b':' if next == Some(&b'-') => (TokenKind::Arrow, at + 2),
        b'<' if next == Some(&b'=') => (TokenKind::Arrow, at + 2),
        b';' | b'%' => (TokenKind::Comment, comment(bytes, at)),
        b'?' => (TokenKind::Variable, word(bytes, at + 1, INFIX_STOPS)),
        0 => (TokenKind::Unknown, at + 1),
        byte if INFIX_STOPS.contains(&byte) => (TokenKind::Unknown, character(bytes, at)),
        byte => {
            let end = word(bytes, at, INFIX_STOPS);
            let text = &bytes[at..end];
            let kind = if text.eq_ignore_ascii_case(b"not") {
                TokenKind::Not
            } else if text.eq_ignore_ascii_case(b"or") {
                TokenKind::Or
            } else if byte.is_ascii_uppercase() || byte == b'_' {
                TokenKind::Variable
            } else if is_integer(text) {
                TokenKind::Number
            } else {
                TokenKind::Word
            };
            (kind, end)
        }
    }
}

fn pddl(bytes: &[u8], at: usize) -> (TokenKind, usize) {
    const STOPS: &[u8] = b"();?\"";
    match bytes[at] {
        b'(' => (TokenKind::Open, at + 1),
        b')' => (TokenKind::Close, at + 1),
        b';' => (TokenKind::Comment, comment(bytes, at)),
        b'?' => (TokenKind::Variable, word(bytes, at + 1, STOPS)),
        b':' => (TokenKind::Keyword, word(bytes, at + 1, STOPS)),
        b'"' => (TokenKind::Text, string(bytes, at)),
        0 => (TokenKind::Unknown, at + 1),
        b'-' if !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => (TokenKind::Dash, at + 1),
        _ => {
            let end = word(bytes, at, STOPS);
            (if is_number(&bytes[at..end]) { TokenKind::Number } else { TokenKind::Word }, end)
        }
    }
}

/// The end of a string whose quote is at `at`: its other quote or the end of the line, whichever is first.
pub(crate) fn string(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && !matches!(bytes[end], b'"' | b'\n' | b'\r' | 0) {
        end += 1;
    }
    end + usize::from(bytes.get(end) == Some(&b'"'))
}

/// True for `-?[0-9]+(\.[0-9]+)?`.
fn is_number(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    match word.iter().position(|byte| *byte == b'.') {
        Some(point) => is_integer(&word[..point]) && is_integer(&word[point + 1..]),
        None => is_integer(word),
    }
}
