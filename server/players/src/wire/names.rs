//! Symbols without regard to case.

use percept_game::Term;
use percept_game::sexpr::{Expr, read};
use rustc_hash::{FxHashMap, FxHashSet};

use super::outline::words;

/// The words of a description, found without regard to case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    words: FxHashSet<String>,
    folded: FxHashMap<String, String>,
}

impl Names {
    /// Collects the words of a text in prefix GDL.
    pub(crate) fn of(text: &str) -> Names {
        let mut names = Names::default();
        for word in words(text) {
            names.folded.insert(word.to_lowercase(), word.into());
            if !names.words.contains(word) {
                names.words.insert(word.into());
            }
        }
        names
    }

    /// Returns a word as the description writes it.
    fn word(&self, word: &str) -> String {
        if self.words.contains(word) {
            return word.into();
        }
        self.folded.get(&word.to_lowercase()).cloned().unwrap_or_else(|| word.into())
    }

    /// Returns a term with its words as the description writes them; `None` if a list does not begin with a word.
    pub(crate) fn term(&self, expr: &Expr) -> Option<Term> {
        Some(self.respelt(&Term::of(expr)?))
    }

    fn respelt(&self, term: &Term) -> Term {
        match term.is_list() {
            true => Term::list(self.word(term.head()), term.args().iter().map(|arg| self.respelt(arg))),
            false => Term::word(self.word(term.head())),
        }
    }

    /// Reads a term from text; `None` if the text is not exactly one term.
    pub(crate) fn read(&self, text: &str) -> Option<Term> {
        match &read(text).ok()?[..] {
            [only] => self.term(only),
            _ => None,
        }
    }
}
