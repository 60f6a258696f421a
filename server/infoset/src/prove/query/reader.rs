//! A question's text as lists and words, each with its place.

use super::QueryError;

/// A term with its place, as read.
pub struct Read {
    pub at: usize,
    pub shape: Shape,
}

pub enum Shape {
    Word(String),
    List(Vec<Read>),
}

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 200;

impl Read {
    /// The one term of a text.
    ///
    /// # Errors
    /// A parenthesis too many or too few, nothing at all, or something behind the term.
    pub fn whole(text: &str) -> Result<Read, QueryError> {
        let mut reader = Reader { text, at: 0 };
        let read = reader.term(0)?;
        reader.space();
        match text[reader.at..].chars().next() {
            None => Ok(read),
            Some(')') => Err(reader.error("this `)` closes nothing")),
            Some(_) => Err(reader.error("one question at a time: nothing may follow it")),
        }
    }

    pub fn word(&self) -> Option<&str> {
        match &self.shape {
            Shape::Word(word) => Some(word),
            Shape::List(_) => None,
        }
    }

    pub fn error(&self, message: impl Into<String>) -> QueryError {
        QueryError { at: self.at, message: message.into() }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, message: &str) -> QueryError {
        QueryError { at: self.at, message: message.to_owned() }
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn term(&mut self, depth: usize) -> Result<Read, QueryError> {
        self.space();
        let at = self.at;
        let rest = &self.text[at..];
        if depth > MAX_DEPTH {
            return Err(self.error("the question is nested too deeply"));
        }
        if rest.starts_with(')') {
            return Err(self.error("this `)` closes nothing"));
        }
        if !rest.starts_with('(') {
            let length = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
            if length == 0 {
                return Err(self.error("a formula is missing here"));
            }
            self.at += length;
            return Ok(Read { at, shape: Shape::Word(rest[..length].to_owned()) });
        }
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            self.space();
            match self.text[self.at..].chars().next() {
                None => return Err(QueryError { at, message: "this `(` is never closed".to_owned() }),
                Some(')') => {
                    self.at += 1;
                    return Ok(Read { at, shape: Shape::List(parts) });
                }
                Some(_) => parts.push(self.term(depth + 1)?),
            }
        }
    }
}
