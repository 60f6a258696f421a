//! Complaints about places of texts.

use std::path::Path;
use std::sync::Arc;

use percept_syntax::TextRange;

use crate::failure::Place;

/// A complaint about a place of a source.
pub(crate) fn place(path: &Path, text: &Arc<str>, range: TextRange, message: impl Into<String>) -> Place {
    Place { file: path.display().to_string(), text: text.clone(), range, message: message.into(), notes: Vec::new() }
}
