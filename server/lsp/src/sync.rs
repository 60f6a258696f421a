//! The notifications that change the state, applied in the order of the wire.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use tower_lsp::lsp_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams,
};

use crate::kinds;
use crate::settings::Settings;
use crate::snapshot::{File, Snapshot};

/// A change of state, read from a notification.
pub(crate) enum Change {
    Open(DidOpenTextDocumentParams),
    Edit(DidChangeTextDocumentParams),
    Close(DidCloseTextDocumentParams),
    Settings(DidChangeConfigurationParams),
    /// Folders were added to the workspace, or removed from it.
    Folders(DidChangeWorkspaceFoldersParams),
    /// Files have changed on disk.
    Files,
    /// A notification of these methods that could not be read, or that changes nothing here.
    Nothing,
}

impl Change {
    /// Reads a message that changes state; `None` for any other method.
    pub(crate) fn read(method: &str, params: Option<&Value>) -> Option<Change> {
        let params = params.unwrap_or(&Value::Null);
        Some(match method {
            "textDocument/didOpen" => Change::parse(params, Change::Open),
            "textDocument/didChange" => Change::parse(params, Change::Edit),
            "textDocument/didClose" => Change::parse(params, Change::Close),
            "workspace/didChangeConfiguration" => Change::parse(params, Change::Settings),
            "workspace/didChangeWorkspaceFolders" => Change::parse(params, Change::Folders),
            "workspace/didChangeWatchedFiles" => Change::Files,
            "textDocument/didSave" => Change::Nothing,
            _ => return None,
        })
    }

    /// The editor's settings, as requested.
    pub(crate) fn settings(settings: Value) -> Change {
        Change::Settings(DidChangeConfigurationParams { settings })
    }

    fn parse<'a, P: Deserialize<'a>>(params: &'a Value, make: fn(P) -> Change) -> Change {
        match P::deserialize(params) {
            Ok(params) => make(params),
            Err(error) => {
                eprintln!("percept: a notification could not be read: {error}");
                Change::Nothing
            }
        }
    }

    /// The state after the change; `None` if it changes nothing.
    pub(crate) fn apply(self, snapshot: &Snapshot) -> Option<Snapshot> {
        let mut next = snapshot.clone();
        match self {
            Change::Open(params) => {
                let document = params.text_document;
                let named = Some(document.language_id.as_str());
                let kind = kinds::of(&document.uri, named, &document.text)?;
                let file = File::new(document.uri.clone(), Some(document.version), named, kind, &document.text);
                next.open.insert(Arc::new(file));
            }
            Change::Edit(params) => {
                let file = next.open.get(&params.text_document.uri)?;
                let file = file.edited(params.text_document.version, params.content_changes, snapshot.encoding());
                next.open.insert(Arc::new(file));
            }
            Change::Close(params) => {
                let file = next.open.remove(&params.text_document.uri)?;
                leave(&next, &file);
            }
            Change::Settings(params) => {
                let settings = Settings::read(&params.settings);
                if settings == *snapshot.settings {
                    return None;
                }
                next.settings = Arc::new(settings);
            }
            Change::Folders(params) => next.session = Arc::new(snapshot.session.with_folders(&params.event)),
            Change::Files => next.session.disk.forget_listings(),
            Change::Nothing => return None,
        }
        Some(next)
    }
}

/// Drops the files read from disk for a closed document, if it was the last one of its folder.
fn leave(snapshot: &Snapshot, closed: &File) {
    let disk = &snapshot.session.disk;
    let address = closed.uri.as_str();
    let folder = &address[..=address.rfind('/').unwrap_or(address.len() - 1)];
    if snapshot.open.is_empty() {
        disk.forget();
    } else if !snapshot.open.has_below(folder)
        && let Some(folder) = closed.uri.to_file_path().ok().as_deref().and_then(Path::parent)
    {
        disk.forget_below(folder);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_read_for_closed_documents_is_forgotten() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let uri = |folder: &Path, name: &str| format!("file://{}/{name}", folder.display());
        let open = |uri: String| json!({ "uri": uri, "languageId": "gdl", "version": 1, "text": "(role a)" });
        let say = |snapshot: &Snapshot, method: &str, document| {
            let change = Change::read(method, Some(&json!({ "textDocument": document }))).expect("a change");
            change.apply(snapshot).expect("another state")
        };
        let mut snapshot = Snapshot::default();
        let disk = snapshot.session.disk.clone();
        for name in ["a.kif", "b.kif"] {
            snapshot = say(&snapshot, "textDocument/didOpen", open(uri(one.path(), name)));
        }
        snapshot = say(&snapshot, "textDocument/didOpen", open(uri(other.path(), "c.kif")));
        let read = |folder: &Path| {
            std::fs::write(folder.join("x.kif"), "(role x)").unwrap();
            Arc::downgrade(&disk.file(&folder.join("x.kif")).expect("a file"))
        };
        let (of_one, of_other) = (read(one.path()), read(other.path()));
        for (name, is_kept) in [("a.kif", true), ("b.kif", false)] {
            snapshot = say(&snapshot, "textDocument/didClose", json!({ "uri": uri(one.path(), name) }));
            assert_eq!(of_one.upgrade().is_some(), is_kept, "after {name}");
        }
        assert!(of_other.upgrade().is_some());
        say(&snapshot, "textDocument/didClose", json!({ "uri": uri(other.path(), "c.kif") }));
        assert!(of_other.upgrade().is_none());
    }
}
