//! The one reader of words and lists: traces, names, questions, strategies.

use percept_syntax::TextRange;

/// The greatest depth of lists that are read, so that no walk through them can overflow the stack.
pub const MAX_DEPTH: usize = 200;

/// A word or a list, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The range in the text, in bytes.
    pub range: TextRange,
    /// The line it starts on, from 1.
    pub line: u32,
    /// The kind of the expression.
    pub kind: Kind,
}

/// The kind of an [`Expr`].
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Anything without blanks and parentheses.
    Word(String),
    /// The expressions between two parentheses.
    List(Vec<Expr>),
}

/// The reason why a text is not words and lists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unread {
    /// The error, and the way out.
    pub message: &'static str,
    /// The parenthesis at fault.
    pub range: TextRange,
    /// The line, from 1.
    pub line: u32,
}

impl Expr {
    /// The items of a list.
    pub fn list(&self) -> Option<&[Expr]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            Kind::Word(_) => None,
        }
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            Kind::List(_) => None,
        }
    }

    /// True if it is this word, in any case.
    pub fn is_word(&self, word: &str) -> bool {
        self.word().is_some_and(|mine| mine.eq_ignore_ascii_case(word))
    }

    /// The first word of a list.
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.word()
    }

    /// The items after the first of a list that begins with this word.
    pub fn after(&self, word: &str) -> Option<&[Expr]> {
        self.list()?.split_first().filter(|(first, _)| first.word() == Some(word)).map(|(_, rest)| rest)
    }

    /// Writes KIF with single spaces.
    pub fn show(&self) -> String {
        match &self.kind {
            Kind::Word(word) => word.clone(),
            Kind::List(items) => format!("({})", items.iter().map(Expr::show).collect::<Vec<_>>().join(" ")),
        }
    }
}

/// Reads every top-level expression. `;` starts a comment.
///
/// # Errors
/// If a parenthesis is extra or missing, or lists are nested too deeply.
pub fn read(text: &str) -> Result<Vec<Expr>, Unread> {
    Reader { text, is_name: false, open: Vec::new(), top: Vec::new(), line: 1 }.read()
}

/// Reads one name, in prefix (`(mark 1 2)`) or infix notation (`mark(1,2)`).
pub fn read_name(text: &str) -> Option<Expr> {
    let mut top = Reader { text, is_name: true, open: Vec::new(), top: Vec::new(), line: 1 }.read().ok()?;
    top.pop().filter(|_| top.is_empty())
}

struct Reader<'a> {
    text: &'a str,
    /// True for names, in which a comma separates and a word directly before a parenthesis belongs to the list.
    is_name: bool,
    /// Open lists: the start and the elements so far of each. The last entry is the innermost.
    open: Vec<(usize, u32, Vec<Expr>)>,
    top: Vec<Expr>,
    line: u32,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Vec<Expr>, Unread> {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\n' => {
                    self.line += 1;
                    at += 1;
                }
                b';' => at = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n),
                b'(' => {
                    self.open(at)?;
                    at += 1;
                }
                b')' => {
                    at += 1;
                    let Some((start, line, items)) = self.open.pop() else {
                        return Err(self.unread("this `)` closes nothing; remove it", at - 1, self.line));
                    };
                    self.items().push(Expr { range: place(start, at), line, kind: Kind::List(items) });
                }
                b if b.is_ascii_whitespace() || b == b',' && self.is_name => at += 1,
                _ => {
                    let ends = |&b: &u8| {
                        b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b';') || b == b',' && self.is_name
                    };
                    let end = bytes[at..].iter().position(ends).map_or(bytes.len(), |length| at + length);
                    let kind = Kind::Word(self.text[at..end].to_string());
                    let word = Expr { range: place(at, end), line: self.line, kind };
                    self.items().push(word);
                    at = end;
                }
            }
        }
        match self.open.last() {
            Some(&(start, line, _)) => Err(self.unread("this `(` is never closed; add a `)`", start, line)),
            None => Ok(self.top),
        }
    }

    fn open(&mut self, at: usize) -> Result<(), Unread> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.unread("lists are nested too deeply", at, self.line));
        }
        let is_name = self.is_name;
        let items = self.items();
        let called = |before: &Expr| is_name && before.word().is_some() && before.range.end as usize == at;
        let (start, head) = match items.last().is_some_and(called) {
            true => (items[items.len() - 1].range.start as usize, items.pop()),
            false => (at, None),
        };
        self.open.push((start, self.line, head.into_iter().collect()));
        Ok(())
    }

    /// The items of the innermost open list.
    fn items(&mut self) -> &mut Vec<Expr> {
        self.open.last_mut().map_or(&mut self.top, |(_, _, items)| items)
    }

    fn unread(&self, message: &'static str, at: usize, line: u32) -> Unread {
        Unread { message, range: place(at, at + 1), line }
    }
}

fn place(start: usize, end: usize) -> TextRange {
    TextRange::new(start as u32, end as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_both_notations() {
        let shown = |text: &str| read_name(text).map(|name| name.show());
        assert_eq!(shown(" ( mark 1\t2 ) ").as_deref(), Some("(mark 1 2)"));
        assert_eq!(shown("mark(1, s(2), x)").as_deref(), Some("(mark 1 (s 2) x)"));
        assert_eq!(shown("(mark 1 (s 2))").as_deref(), Some("(mark 1 (s 2))"));
        assert_eq!(shown("f()").as_deref(), Some("(f)"));
        assert_eq!(shown("(mark 1 2) 3"), None);
        assert_eq!(shown("mark(1 2"), None);
        assert_eq!(shown(&"(".repeat(100_000)), None);
        assert_eq!(shown(""), None);
    }
}
