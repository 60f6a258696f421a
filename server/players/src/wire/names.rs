//! Symbols in any case.

use percept_game::Term;
use percept_game::sexpr::{Expr, read};
use rustc_hash::{FxHashMap, FxHashSet};

use super::outline::words;

/// The words of a description, found in whatever case they come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    words: FxHashSet<String>,
    folded: FxHashMap<String, String>,
}

impl Names {
    /// The words of a text in prefix GDL.
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

    /// A word as the description writes it.
    fn word(&self, word: &str) -> String {
        if self.words.contains(word) {
            return word.into();
        }
        self.folded.get(&word.to_lowercase()).cloned().unwrap_or_else(|| word.into())
    }

    /// A term as the description writes its words; `None` where a list does not begin with a word.
    pub(crate) fn term(&self, expr: &Expr) -> Option<Term> {
        Some(self.respelt(&Term::of(expr)?))
    }

    fn respelt(&self, term: &Term) -> Term {
        match term.is_list() {
            true => Term::list(self.word(term.head()), term.args().iter().map(|arg| self.respelt(arg))),
            false => Term::word(self.word(term.head())),
        }
    }

    /// A term from text; `None` where it is not exactly one.
    pub(crate) fn read(&self, text: &str) -> Option<Term> {
        match &read(text).ok()?[..] {
            [only] => self.term(only),
            _ => None,
        }
    }
}
