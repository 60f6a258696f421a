//! Texts of both languages as nested lists: mutations remove, exchange or misspell a list or a word.

use percept_syntax::TextRange;

/// A list, or a word.
#[derive(Clone, Debug)]
pub(super) struct Form<'a> {
    /// The range from the first to the last letter.
    pub range: TextRange,
    /// The word as written; empty for a list.
    pub word: &'a str,
    /// The parts of a list.
    pub parts: Vec<Form<'a>>,
}

impl<'a> Form<'a> {
    /// The word that a list begins with, or the word itself.
    pub(super) fn head(&self) -> &'a str {
        self.parts.first().map_or(self.word, |first| first.word)
    }

    pub(super) fn is(&self, head: &str) -> bool {
        self.head().eq_ignore_ascii_case(head)
    }

    pub(super) fn is_variable(&self) -> bool {
        self.word.starts_with('?')
    }

    /// The form after a keyword such as `:effect`.
    pub(super) fn after(&self, keyword: &str) -> Option<&Form<'a>> {
        let at = self.parts.iter().position(|part| part.word.eq_ignore_ascii_case(keyword))?;
        self.parts.get(at + 1)
    }

    /// Calls `f` on this form and every form inside it, outermost first.
    pub(super) fn walk<'s>(&'s self, f: &mut dyn FnMut(&'s Form<'a>)) {
        f(self);
        self.parts.iter().for_each(|part| part.walk(f));
    }

    /// True if both have the same words.
    pub(super) fn same(&self, other: &Form<'_>) -> bool {
        self.word == other.word
            && self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(|(one, other)| one.same(other))
    }
}

/// The outermost forms of a text without syntax errors.
pub(super) fn read(text: &str) -> Vec<Form<'_>> {
    let mut open: Vec<(usize, Vec<Form<'_>>)> = vec![(0, Vec::new())];
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        at += 1;
        let done = match bytes[begin] {
            b';' => {
                at = text[begin..].find('\n').map_or(bytes.len(), |length| begin + length);
                continue;
            }
            b'(' => {
                open.push((begin, Vec::new()));
                continue;
            }
            b')' if open.len() > 1 => {
                let (begin, parts) = open.pop().expect("more than one");
                Form { range: range(begin, at), word: "", parts }
            }
            byte if byte.is_ascii_whitespace() || byte == b')' => continue,
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"();".contains(byte);
                at = bytes[begin..].iter().position(ends).map_or(bytes.len(), |length| begin + length);
                Form { range: range(begin, at), word: &text[begin..at], parts: Vec::new() }
            }
        };
        open.last_mut().expect("the outermost is never closed").1.push(done);
    }
    open.swap_remove(0).1
}

fn range(begin: usize, end: usize) -> TextRange {
    TextRange::new(begin as u32, end as u32)
}
