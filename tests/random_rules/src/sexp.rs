//! Lists of words, the syntax of both languages: a separate reader and writer.

use std::fmt;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sexp {
    Word(String),
    List(Vec<Sexp>),
}

impl Sexp {
    pub fn word(text: &str) -> Sexp {
        Sexp::Word(text.to_owned())
    }

    /// Reads a text that is one expression.
    ///
    /// # Panics
    /// The text is not exactly one expression.
    pub fn one(text: &str) -> Sexp {
        let mut all = read(text);
        assert_eq!(all.len(), 1, "one expression: {text}");
        all.remove(0)
    }

    /// The first word of a list, or the word itself.
    pub fn head(&self) -> &str {
        match self {
            Sexp::Word(word) => word,
            Sexp::List(parts) => parts.first().map_or("", Sexp::head),
        }
    }

    /// The elements after the first word of a list.
    pub fn args(&self) -> &[Sexp] {
        match self {
            Sexp::Word(_) => &[],
            Sexp::List(parts) => parts.get(1..).unwrap_or(&[]),
        }
    }

    /// The number of words.
    pub fn size(&self) -> usize {
        match self {
            Sexp::Word(_) => 1,
            Sexp::List(parts) => 1 + parts.iter().map(Sexp::size).sum::<usize>(),
        }
    }

    /// Calls `f` on every word.
    pub fn words<'a>(&'a self, f: &mut dyn FnMut(&'a str)) {
        match self {
            Sexp::Word(word) => f(word),
            Sexp::List(parts) => parts.iter().for_each(|part| part.words(f)),
        }
    }
}

impl fmt::Display for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexp::Word(word) => f.write_str(word),
            Sexp::List(parts) => {
                f.write_str("(")?;
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" ")?;
                    }
                    write!(f, "{part}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// All expressions of a text. Comments run from `;` to the end of the line.
///
/// # Panics
/// The parentheses do not match.
pub fn read(text: &str) -> Vec<Sexp> {
    let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
    for line in text.lines() {
        let line = line.split(';').next().unwrap_or_default();
        for token in line.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
            match token {
                "(" => open.push(Vec::new()),
                ")" => {
                    let list = open.pop().expect("something open");
                    open.last_mut().expect("a `(` for every `)`").push(Sexp::List(list));
                }
                word => open.last_mut().expect("something open").push(Sexp::word(word)),
            }
        }
    }
    assert_eq!(open.len(), 1, "a `)` for every `(`");
    open.remove(0)
}

/// Writes the expressions as a text, one per line.
pub fn write(all: &[Sexp]) -> String {
    all.iter().map(|sexp| format!("{sexp}\n")).collect()
}
