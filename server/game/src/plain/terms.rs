//! The words and the ground terms of a description as numbers: equal terms have equal numbers.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::Term;

/// A word by its place in [`Terms`].
pub(super) type WordId = u32;

/// A ground term by its place in [`Terms`].
pub(super) type TermId = u32;

/// A term as numbers: its word, 1 if it is in parentheses and else 0, and its arguments.
type Row = SmallVec<[u32; 8]>;

/// The words and terms of one description.
#[derive(Default)]
pub(super) struct Terms {
    words: Vec<SmolStr>,
    word_ids: FxHashMap<SmolStr, WordId>,
    rows: Vec<Arc<[u32]>>,
    ids: FxHashMap<Arc<[u32]>, TermId>,
    depths: Vec<u32>,
}

fn row(word: WordId, args: Option<&[TermId]>) -> Row {
    let mut row = Row::from_slice(&[word, u32::from(args.is_some())]);
    row.extend_from_slice(args.unwrap_or_default());
    row
}

impl Terms {
    /// The number of a word, which may be new.
    pub(super) fn word(&mut self, word: &str) -> WordId {
        if let Some(&id) = self.word_ids.get(word) {
            return id;
        }
        let id = self.words.len() as WordId;
        self.words.push(word.into());
        self.word_ids.insert(word.into(), id);
        id
    }

    /// The number of a term: a word alone, or a list that begins with it. Adds the term if it is new.
    pub(super) fn term(&mut self, word: WordId, args: Option<&[TermId]>) -> TermId {
        let row = row(word, args);
        if let Some(&id) = self.ids.get(&row[..]) {
            return id;
        }
        let id = self.rows.len() as TermId;
        let inside = args.map(|args| args.iter().map(|&arg| self.depths[arg as usize]).max().unwrap_or(0));
        self.depths.push(inside.map_or(0, |depth| depth + 1));
        let row: Arc<[u32]> = row[..].into();
        self.rows.push(row.clone());
        self.ids.insert(row, id);
        id
    }

    /// The number of a term; `None` if it has none yet.
    pub(super) fn find(&self, word: WordId, args: Option<&[TermId]>) -> Option<TermId> {
        self.ids.get(&row(word, args)[..]).copied()
    }

    /// The number of the term with this name; `None` if it has none.
    pub(super) fn named(&self, name: &Term) -> Option<TermId> {
        let word = *self.word_ids.get(name.head())?;
        let args: Option<Vec<TermId>> = name.args().iter().map(|arg| self.named(arg)).collect();
        self.find(word, name.is_list().then_some(&args?[..]))
    }

    /// The word itself, or the first word of a list.
    pub(super) fn head(&self, term: TermId) -> WordId {
        self.rows[term as usize][0]
    }

    /// The arguments of a list; `None` for a word.
    pub(super) fn args(&self, term: TermId) -> Option<&[TermId]> {
        let row = &self.rows[term as usize];
        (row[1] == 1).then_some(&row[2..])
    }

    /// The depth of nested lists; 0 for a word.
    pub(super) fn depth(&self, term: TermId) -> u32 {
        self.depths[term as usize]
    }

    /// The name of a term.
    pub(super) fn show(&self, term: TermId) -> Term {
        let word = self.words[self.head(term) as usize].clone();
        match self.args(term) {
            None => Term::word(word),
            Some(args) => Term::list(word, args.iter().map(|&arg| self.show(arg))),
        }
    }
}
