//! The statements of a text as rows of words, the same for all languages.

use std::hash::{Hash, Hasher};

use percept_syntax::TextRange;
use rustc_hash::FxHasher;
use smol_str::SmolStr;

use crate::gdl::Size;

/// The content of a text that is needed to find its islands.
pub(super) struct Outline {
    /// The names of the text, each once.
    pub names: Vec<(SmolStr, Standing)>,
    /// The statements, in the order of the text.
    pub statements: Vec<Statement>,
    /// The words of all statements.
    pub words: Vec<Word>,
    /// The places of faults that no finding has.
    pub faults: Vec<TextRange>,
    /// The names with uses that a rule compares with each other.
    pub compared: Vec<u32>,
    /// True for a name that resembles a keyword of the language.
    pub is_like_keyword: fn(&str) -> bool,
    /// The room for the analysis of domains.
    pub size: Size,
}

/// The standing of a name in its language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It has a meaning in the language.
    Keyword,
    /// It is never the own name of a few statements.
    Common,
    /// It is the own name of a few statements, if only they have it.
    Any,
}

/// A statement: its words follow those of the statement before it.
pub(super) struct Statement {
    /// The end of its words.
    pub end: u32,
    /// The name that has to be the statement's own, if there is one: other statements are like no other.
    pub lead: Option<u32>,
    /// True if it is like no other.
    pub is_special: bool,
    /// True if it was read with a fault.
    pub is_broken: bool,
}

/// A word of a statement. Two statements with the same words are the same.
#[derive(Clone, Copy)]
pub(super) enum Word {
    /// The number of a name.
    Name(u32),
    /// The hash of anything else.
    Other(u64),
}

impl Word {
    /// A word that is not a name.
    pub(super) fn of(what: impl Hash) -> Word {
        let mut hash = FxHasher::default();
        what.hash(&mut hash);
        Word::Other(hash.finish())
    }
}

impl Outline {
    /// The statements, each with its words.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Statement, &[Word])> {
        let starts = std::iter::once(0).chain(self.statements.iter().map(|statement| statement.end));
        let words = |(statement, start): (_, u32)| -> (&Statement, &[Word]) {
            let statement: &Statement = statement;
            (statement, &self.words[start as usize..statement.end as usize])
        };
        self.statements.iter().zip(starts).map(words)
    }
}
