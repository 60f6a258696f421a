//! A reader for the expressions of traces: words and lists, each with its place and line.

use super::{MAX_DEPTH, TraceError};
use percept_syntax::TextRange;

/// A word or a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// From its first to its last character.
    pub range: TextRange,
    /// The line it starts on, from 1.
    pub line: u32,
    pub kind: Kind,
}

/// What an expression is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Word(String),
    List(Vec<Expr>),
}

impl Expr {
    /// The items of a list.
    pub fn list(&self) -> Option<&[Expr]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            Kind::Word(_) => None,
        }
    }

    /// The word that it is.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            Kind::List(_) => None,
        }
    }

    /// Whether it is this word, in any case.
    pub fn is_word(&self, word: &str) -> bool {
        self.word().is_some_and(|mine| mine.eq_ignore_ascii_case(word))
    }

    /// The first word of a list.
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.word()
    }

    /// In KIF with single spaces.
    pub fn show(&self) -> String {
        match &self.kind {
            Kind::Word(word) => word.clone(),
            Kind::List(items) => format!("({})", items.iter().map(Expr::show).collect::<Vec<_>>().join(" ")),
        }
    }
}

/// Reads every top-level expression. `;` starts a comment. Depth is bounded, so nothing here can overflow the stack.
///
/// # Errors
/// A parenthesis without its other, or lists nested too deeply.
pub fn read(text: &str) -> Result<Vec<Expr>, TraceError> {
    let bytes = text.as_bytes();
    // Open lists: where each started and what it holds so far. The last entry is the innermost.
    let mut open: Vec<(usize, u32, Vec<Expr>)> = Vec::new();
    let mut top = Vec::new();
    let mut line = 1;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
            }
            b';' => at = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n),
            b'(' => {
                if open.len() >= MAX_DEPTH {
                    return Err(TraceError::at(place(at, at + 1), "lists are nested too deeply for a trace"));
                }
                open.push((at, line, Vec::new()));
                at += 1;
            }
            b')' => {
                at += 1;
                let Some((start, start_line, items)) = open.pop() else {
                    return Err(TraceError::at(place(at - 1, at), "this `)` closes nothing; remove it"));
                };
                let list = Expr { range: place(start, at), line: start_line, kind: Kind::List(items) };
                open.last_mut().map_or(&mut top, |(_, _, items)| items).push(list);
            }
            b if b.is_ascii_whitespace() => at += 1,
            _ => {
                let start = at;
                while at < bytes.len() && !bytes[at].is_ascii_whitespace() && !matches!(bytes[at], b'(' | b')' | b';') {
                    at += 1;
                }
                let word = Expr { range: place(start, at), line, kind: Kind::Word(text[start..at].to_string()) };
                open.last_mut().map_or(&mut top, |(_, _, items)| items).push(word);
            }
        }
    }
    match open.last() {
        Some(&(start, ..)) => Err(TraceError::at(place(start, start + 1), "this `(` is never closed; add a `)`")),
        None => Ok(top),
    }
}

fn place(start: usize, end: usize) -> TextRange {
    TextRange::new(start as u32, end as u32)
}
