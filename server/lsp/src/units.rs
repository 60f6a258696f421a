//! An editor's files, for the search of files that belong together. An open document replaces its file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use percept_report::domain::{Folders, Listing};
use percept_report::files;
use percept_report::half::Half;
use percept_report::workspace::{self, Text, Texts};
use percept_syntax::Source;
use tower_lsp::lsp_types::Url;

use crate::snapshot::{File, Snapshot};

/// Files that are read together.
pub(crate) type Unit = workspace::Unit<File>;

/// The unit a file belongs to.
pub(crate) fn of(snapshot: &Snapshot, file: &Arc<File>) -> Unit {
    Unit::of(&Open(snapshot), file)
}

/// An editor's folders. An open document replaces its file.
struct Open<'a>(&'a Snapshot);

impl Open<'_> {
    fn at(&self, path: &Path) -> Option<&Arc<File>> {
        self.0.open.get(&Url::from_file_path(path).ok()?)
    }
}

impl Folders for Open<'_> {
    /// The listing on disk, with the open documents that are not on disk yet.
    fn list(&self, folder: &Path) -> Listing {
        let mut listing = self.0.session.disk.listing(folder);
        let open = self.0.open.iter().filter_map(|file| file.uri.to_file_path().ok());
        listing.files.extend(open.filter(|path| path.parent() == Some(folder) && files::is_pddl(path)));
        listing.files.sort();
        listing.files.dedup();
        listing
    }

    fn half(&self, path: &Path) -> Option<Half> {
        match self.at(path) {
            Some(file) => file.half(),
            None => self.0.session.disk.half(path),
        }
    }
}

impl Texts for Open<'_> {
    type Text = File;

    fn read(&self, path: &Path) -> Option<Arc<File>> {
        self.at(path).cloned().or_else(|| self.0.session.disk.file(path))
    }

    fn open(&self) -> Vec<Arc<File>> {
        self.0.open.iter().cloned().collect()
    }

    fn below(&self, folder: &Path) -> Vec<PathBuf> {
        self.0.session.disk.below(folder)
    }

    fn roots(&self) -> &[PathBuf] {
        &self.0.session.roots
    }
}

impl Text for File {
    fn source(&self) -> Option<&Source> {
        File::source(self).map(|source| &**source)
    }

    fn half(&self) -> Option<Half> {
        File::half(self)
    }

    fn path(&self) -> Option<PathBuf> {
        self.uri.to_file_path().ok()
    }
}
