//! What an editor asks, as plain functions over parsed files.
//!
//! [`Index`] says of every name in a file what it stands for; most features only read it. A feature is a file here;
//! it takes the indexed files that mean something together ([`Files`]) and a byte offset, and returns plain data in
//! the editor's terms. Conversion to the protocol is the server's business.

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
pub mod navigation;
pub mod rename;
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
    /// As it was parsed.
    pub source: &'a Source,
    /// Its names.
    pub index: &'a Index,
}

/// The files that mean something together: a GDL description, or a POGDDL domain and its problems. `FileId(n)` is the
/// n-th.
#[derive(Clone, Debug)]
pub struct Files<'a> {
    /// By [`FileId`].
    pub files: Vec<Indexed<'a>>,
}

/// A place in one of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileRange {
    /// Which file.
    pub file: FileId,
    /// What of it.
    pub range: TextRange,
}

impl<'a> Files<'a> {
    /// `None` where there is no such file.
    pub fn get(&self, file: FileId) -> Option<Indexed<'a>> {
        self.files.get(file.0 as usize).copied()
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = (FileId, Indexed<'a>)> + '_ {
        self.files.iter().enumerate().map(|(number, file)| (FileId(number as u32), *file))
    }

    /// The occurrence at a byte offset: the one that starts there is preferred to the one that ends there.
    pub fn at(&self, file: FileId, offset: u32) -> Option<(&'a Symbol, Occurrence)> {
        let file = self.get(file)?;
        let occurrence = file.index.at(offset)?;
        Some((file.index.symbol(&occurrence), occurrence))
    }

    /// Every occurrence of a symbol, file by file in the order of the text. `home` is the file the symbol was found
    /// in: what is local to a file is looked for only there.
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
