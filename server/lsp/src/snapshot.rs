//! The state of everything at one place on the wire. Immutable: an edit makes a new one that shares the rest.

use std::sync::Arc;

use tower_lsp::lsp_types::Url;

use crate::documents::Documents;
pub(crate) use crate::file::File;
pub(crate) use crate::kinds::Kind;
use crate::positions::Encoding;
use crate::project::Project;
use crate::session::Session;
use crate::settings::Settings;

/// See the module's words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    pub session: Arc<Session>,
    pub settings: Arc<Settings>,
    /// The documents open in the editor.
    pub open: Documents,
}

impl Snapshot {
    pub(crate) fn file(&self, uri: &Url) -> Option<&Arc<File>> {
        self.open.get(uri)
    }

    /// False if the file is an editor's text that is not open in this version any more.
    pub(crate) fn may_have(&self, file: &Arc<File>) -> bool {
        self.file(&file.uri).map_or(file.version.is_none(), |now| Arc::ptr_eq(now, file))
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.session.encoding
    }

    /// The `percept.toml` that holds for a document.
    pub(crate) fn project(&self, file: &File) -> Option<Arc<Project>> {
        self.session.disk.project(&file.uri.to_file_path().ok()?)
    }
}
