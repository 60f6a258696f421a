//! The names of fluents, moves and percepts: a word, or a head with arguments.

use std::fmt;
use std::str::FromStr;

use smol_str::SmolStr;

use crate::sexpr::{Expr, Kind, read_name};

/// A ground term that belongs to no table. `Display` writes it in KIF with single spaces; `FromStr` reads prefix
/// (`(mark 1 2)`) and infix notation (`mark(1,2)`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term {
    head: SmolStr,
    /// The arguments; `None` for a word, which differs from a list of one.
    args: Option<Vec<Term>>,
}

impl Term {
    /// The term of a word: `noop`.
    pub fn word(word: impl Into<SmolStr>) -> Term {
        Term { head: word.into(), args: None }
    }

    /// `(cell 1 2 b)`; also without any argument: `(pass)`.
    pub fn list(head: impl Into<SmolStr>, args: impl IntoIterator<Item = Term>) -> Term {
        Term { head: head.into(), args: Some(args.into_iter().collect()) }
    }

    /// `(= number value)`: the name of a number that has this value.
    pub fn value(number: Term, value: i64) -> Term {
        Term::list("=", [number, Term::word(value.to_string())])
    }

    /// The number and its value, if the term is such a name.
    pub fn as_value(&self) -> Option<(&Term, i64)> {
        match self.args() {
            [number, value] if self.head == "=" => {
                Some((number, value.head.parse().ok().filter(|_| !value.is_list())?))
            }
            _ => None,
        }
    }

    /// The word itself, or the functor.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// The arguments; none for a word.
    pub fn args(&self) -> &[Term] {
        self.args.as_deref().unwrap_or_default()
    }

    /// True if the term is written in parentheses.
    pub fn is_list(&self) -> bool {
        self.args.is_some()
    }

    /// Reads a term typed by a person, who may have omitted the outer parentheses.
    pub fn typed(text: &str) -> Option<Term> {
        text.parse().or_else(|_| format!("({text})").parse()).ok()
    }

    /// The words of the term from left to right, including the heads of lists.
    pub fn words(&self) -> Vec<&str> {
        let mut words = vec![self.head()];
        words.extend(self.args().iter().flat_map(Term::words));
        words
    }

    /// The term of an expression; `None` if a list does not begin with a word.
    pub fn of(expr: &Expr) -> Option<Term> {
        match &expr.kind {
            Kind::Word(word) => Some(Term::word(word.as_str())),
            Kind::List(items) => {
                let args: Option<Vec<Term>> = items.get(1..)?.iter().map(Term::of).collect();
                Some(Term::list(expr.head()?, args?))
            }
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(args) = &self.args else { return f.write_str(&self.head) };
        write!(f, "({}", self.head)?;
        args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
        f.write_str(")")
    }
}

#[cfg(feature = "json")]
mod json {
    use schemars::{JsonSchema, Schema, SchemaGenerator};
    use serde::{Serialize, Serializer};

    use super::Term;

    /// Serialized as its text.
    impl Serialize for Term {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl JsonSchema for Term {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            String::schema_name()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            String::json_schema(generator)
        }

        fn inline_schema() -> bool {
            String::inline_schema()
        }
    }
}

/// The text is not one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a name: write a word, or a list such as `(mark 1 2)`")]
pub struct NotAName;

impl FromStr for Term {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Term, NotAName> {
        read_name(text).and_then(|expr| Term::of(&expr)).ok_or(NotAName)
    }
}
