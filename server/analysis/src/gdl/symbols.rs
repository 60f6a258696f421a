//! Names as small numbers. Names that differ only in case are one symbol: GDL's keywords ignore case, and a game that
//! distinguishes `Cell` from `cell` is reported, and read as if they were the same name.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::{FxHashSet, FxHasher};
use smol_str::SmolStr;

/// A name in this file, without regard to case. Variables and other names are numbered separately.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Sym(pub u32);

impl Sym {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The keywords have the first numbers, in the order of [`keyword::WORDS`].
pub(crate) mod keyword {
    use super::Sym;

    macro_rules! words {
        ($($name:ident = $number:literal $word:literal),* $(,)?) => {
            $(pub(crate) const $name: Sym = Sym($number);)*
            /// The words in the order of their symbols.
            pub(crate) const WORDS: &[&str] = &[$($word),*];
        };
    }

    words! {
        ROLE = 0 "role", INIT = 1 "init", TRUE = 2 "true", NEXT = 3 "next", DOES = 4 "does", LEGAL = 5 "legal",
        GOAL = 6 "goal", TERMINAL = 7 "terminal", SEES = 8 "sees", BASE = 9 "base", INPUT = 10 "input",
        ACTION = 11 "action", PERCEPT = 12 "percept", DISTINCT = 13 "distinct", NOT = 14 "not", OR = 15 "or",
        AND = 16 "and", ARROW = 17 "<=", RANDOM = 18 "random",
    }

    /// True for relations to which the language gives a meaning: `role` to `percept`.
    pub(crate) fn is_relation(sym: Sym) -> bool {
        sym.0 <= PERCEPT.0
    }

    /// True for words that join literals and cannot name anything: `distinct not or and <=`.
    pub(crate) fn is_connective(sym: Sym) -> bool {
        (DISTINCT.0..=ARROW.0).contains(&sym.0)
    }

    /// True if a keyword may have this number of arguments. `action` is `(action role move)`, or `(action move)` as in
    /// chapter 17 of General Game Playing.
    pub(crate) fn accepts(sym: Sym, arguments: usize) -> bool {
        arity(sym) == Some(arguments) || (sym == ACTION && arguments == 1)
    }

    /// The number of arguments of a keyword.
    pub(crate) fn arity(sym: Sym) -> Option<usize> {
        Some(match sym {
            TERMINAL => 0,
            ROLE | INIT | TRUE | NEXT | BASE | NOT => 1,
            DOES | LEGAL | GOAL | SEES | INPUT | ACTION | PERCEPT | DISTINCT => 2,
            _ => return None,
        })
    }

    /// True if the first argument of a keyword is a role.
    pub(crate) fn has_role_argument(sym: Sym) -> bool {
        matches!(sym, ROLE | DOES | LEGAL | GOAL | SEES | INPUT | ACTION | PERCEPT)
    }
}

/// The symbols of a file.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// The first spelling of each symbol.
    names: Vec<SmolStr>,
    /// The symbols by their names without regard to case.
    index: HashTable<Sym>,
    /// The symbols with spellings that differ in case from the first one.
    variants: FxHashSet<Sym>,
}

impl Symbols {
    /// Creates a table with the keywords, except those that are plain names here: their numbers remain reserved,
    /// without a name.
    pub(crate) fn with_keywords_but(plain: &[Sym]) -> Self {
        let mut symbols = Self::default();
        for word in keyword::WORDS {
            let word = SmolStr::new_static(word);
            if plain.contains(&Sym(symbols.names.len() as u32)) {
                symbols.names.push(word);
            } else {
                symbols.intern(&word);
            }
        }
        symbols
    }

    pub(crate) fn intern(&mut self, name: &SmolStr) -> Sym {
        if let Some(sym) = self.find(name) {
            if self.names[sym.index()] != *name {
                self.variants.insert(sym);
            }
            return sym;
        }
        let sym = Sym(self.names.len() as u32);
        self.names.push(name.clone());
        let names = &self.names;
        self.index.insert_unique(hash(name), sym, |sym| hash(&names[sym.index()]));
        sym
    }

    /// The symbol of a word, if the file has it.
    pub(crate) fn find(&self, word: &str) -> Option<Sym> {
        self.index.find(hash(word), |sym| self.names[sym.index()].eq_ignore_ascii_case(word)).copied()
    }

    /// The first spelling of a symbol.
    pub(crate) fn name(&self, sym: Sym) -> &str {
        &self.names[sym.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The symbols with spellings that differ only in case from the first one.
    pub(crate) fn variants(&self) -> impl Iterator<Item = Sym> + '_ {
        self.variants.iter().copied()
    }
}

/// A numbered name: the letters before its number, and the number. A single letter is its place in the alphabet.
pub(crate) fn natural(name: &str) -> Option<(&str, i64)> {
    let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
    match name.as_bytes() {
        [letter] if letter.is_ascii_lowercase() => Some(("a letter", i64::from(*letter))),
        _ => Some((&name[..digits], name[digits..].parse().ok()?)),
    }
}

/// The hash of a word without regard to case.
fn hash(word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    word.bytes().for_each(|byte| hasher.write_u8(byte.to_ascii_lowercase()));
    hasher.finish()
}
