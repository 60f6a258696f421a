//! Symbols in any case.

use percept_game::sexpr::{Expr, Kind, read};
use rustc_hash::{FxHashMap, FxHashSet};

/// The words of a description, found in whatever case they come.
#[derive(Clone, Debug, Default)]
pub struct Names {
    words: FxHashSet<String>,
    folded: FxHashMap<String, String>,
}

impl Names {
    /// The words of a text in prefix GDL.
    pub fn of(text: &str) -> Names {
        let mut names = Names::default();
        let mut open = read(text).unwrap_or_default();
        while let Some(expr) = open.pop() {
            match expr.kind {
                Kind::Word(word) => {
                    names.folded.entry(word.to_lowercase()).or_insert_with(|| word.clone());
                    names.words.insert(word);
                }
                Kind::List(items) => open.extend(items),
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

    /// A term as the description writes its words.
    pub fn term(&self, expr: &Expr) -> String {
        match &expr.kind {
            Kind::Word(word) => self.word(word),
            Kind::List(items) => {
                let items: Vec<String> = items.iter().map(|item| self.term(item)).collect();
                format!("({})", items.join(" "))
            }
        }
    }

    /// A term from text; `None` where it is not exactly one.
    pub fn read(&self, text: &str) -> Option<String> {
        match &read(text).ok()?[..] {
            [only] => Some(self.term(only)),
            _ => None,
        }
    }
}
