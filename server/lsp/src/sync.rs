//! The notifications that change the state, applied in the order of the wire.

use std::sync::Arc;

use ropey::Rope;
use serde::Deserialize;
use serde_json::Value;
use tower_lsp::lsp_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    Position, TextDocumentContentChangeEvent,
};

use crate::kinds;
use crate::positions::Encoding;
use crate::settings::Settings;
use crate::snapshot::{File, Snapshot};

/// A change of state, read from a notification.
pub enum Change {
    Open(DidOpenTextDocumentParams),
    Edit(DidChangeTextDocumentParams),
    Close(DidCloseTextDocumentParams),
    Settings(DidChangeConfigurationParams),
    /// A notification of these methods that could not be read, or that changes nothing here.
    Nothing,
}

impl Change {
    /// `None` where the method changes no state.
    pub fn read(method: &str, params: Option<&Value>) -> Option<Change> {
        let params = params.unwrap_or(&Value::Null);
        Some(match method {
            "textDocument/didOpen" => Change::parse(params, Change::Open),
            "textDocument/didChange" => Change::parse(params, Change::Edit),
            "textDocument/didClose" => Change::parse(params, Change::Close),
            "workspace/didChangeConfiguration" => Change::parse(params, Change::Settings),
            "textDocument/didSave" => Change::Nothing,
            _ => return None,
        })
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

    /// The state after the change; `None` where it leaves everything as it was.
    pub fn apply(self, snapshot: &Snapshot) -> Option<Snapshot> {
        let mut next = snapshot.clone();
        match self {
            Change::Open(params) => {
                let document = params.text_document;
                let kind = kinds::of(&document.uri, Some(&document.language_id), &document.text)?;
                let file = File::new(document.uri.clone(), Some(document.version), kind, Rope::from(document.text));
                next.open.insert(document.uri, Arc::new(file));
            }
            Change::Edit(params) => {
                let uri = params.text_document.uri;
                let file = next.open.get(&uri)?;
                let mut text = file.text.clone();
                for change in params.content_changes {
                    edit(&mut text, change, snapshot.encoding());
                }
                let file = File::new(uri.clone(), Some(params.text_document.version), file.kind, text);
                next.open.insert(uri, Arc::new(file));
            }
            Change::Close(params) => {
                next.open.remove(&params.text_document.uri)?;
            }
            Change::Settings(params) => {
                let settings = Settings::read(&params.settings);
                if settings == *snapshot.settings {
                    return None;
                }
                next.settings = Arc::new(settings);
            }
            Change::Nothing => return None,
        }
        Some(next)
    }
}

fn edit(text: &mut Rope, change: TextDocumentContentChangeEvent, encoding: Encoding) {
    let Some(range) = change.range else {
        *text = Rope::from(change.text);
        return;
    };
    let start = char_at(text, range.start, encoding);
    let end = char_at(text, range.end, encoding);
    let (start, end) = (start.min(end), start.max(end));
    text.remove(start..end);
    text.insert(start, &change.text);
}

/// The character index of a position, clamped to its line and to the text.
fn char_at(text: &Rope, position: Position, encoding: Encoding) -> usize {
    let Some(line) = text.get_line(position.line as usize) else { return text.len_chars() };
    let start = text.line_to_char(position.line as usize);
    let mut units = 0;
    let mut at = start;
    for c in line.chars() {
        units += encoding.width(c);
        if matches!(c, '\n' | '\r') || units > position.character {
            break;
        }
        at += 1;
    }
    at
}
