//! The features of an editor, as plain functions over parsed files.
//!
//! [`Index`] has the meaning of every name in a file; most features only read it. Each feature is a file here. It takes
//! the indexed files of one unit ([`Files`]) and a byte offset, and returns plain data in the editor's terms. The
//! server converts them to the protocol.

mod gdl_index;
mod index;
mod pddl_index;

pub mod boards;
pub mod calls;
pub mod completion;
pub mod context;
pub mod document_symbols;
pub mod domains;
pub mod hover;
pub mod keywords;
pub mod markdown;
pub(crate) mod nameable;
pub mod navigation;
pub mod rename;
pub mod sayings;
pub mod semantic_tokens;
pub mod signature;
pub mod structure;
pub mod templates;

#[cfg(test)]
pub(crate) mod fixture;

pub use index::{Access, Class, Index, Namespace, Occurrence, Symbol};
use percept_syntax::{Source, TextRange};

use crate::FileId;

/// A file with its index.
#[derive(Clone, Copy, Debug)]
pub struct Indexed<'a> {
    /// The parsed text.
    pub source: &'a Source,
    /// The index of its names.
    pub index: &'a Index,
}

/// The files of one unit: a GDL description, or a POGDDL domain and its problems. `FileId(n)` is at index `n`.
#[derive(Clone, Debug)]
pub struct Files<'a> {
    /// The files, indexed by [`FileId`].
    pub files: Vec<Indexed<'a>>,
}

/// A place in one of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileRange {
    /// The file of the place.
    pub file: FileId,
    /// The range within the file.
    pub range: TextRange,
}

impl<'a> Files<'a> {
    /// Returns the file, or `None` if there is no such file.
    pub fn get(&self, file: FileId) -> Option<Indexed<'a>> {
        self.files.get(file.0 as usize).copied()
    }

    /// All files, each with its id.
    pub fn ids(&self) -> impl Iterator<Item = (FileId, Indexed<'a>)> + '_ {
        self.files.iter().enumerate().map(|(number, file)| (FileId(number as u32), *file))
    }

    /// The occurrence at a byte offset. A word that starts there is preferred to one that ends there.
    pub fn at(&self, file: FileId, offset: u32) -> Option<(&'a Symbol, Occurrence)> {
        let file = self.get(file)?;
        let occurrence = file.index.at(offset)?;
        Some((file.index.symbol(&occurrence), occurrence))
    }

    /// Every occurrence of a symbol, file by file in the order of the text. `home` is the file in which the symbol was
    /// found: local names are searched only there.
    pub fn occurrences(&self, home: FileId, symbol: &Symbol) -> Vec<(FileId, Occurrence)> {
        let mut all = Vec::new();
        for (id, file) in self.ids() {
            if symbol.scope.is_some() && id != home {
                continue;
            }
            all.extend(file.index.occurrences_of(symbol).map(|occurrence| (id, occurrence)));
        }
        all
    }
}
