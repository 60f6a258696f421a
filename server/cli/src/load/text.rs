//! Errors at places of texts.

use std::path::Path;
use std::sync::Arc;

use percept_syntax::{Charset, TextRange};

use crate::failure::{Failure, Place};

/// The error that a text cannot be saved in the encoding of its file.
pub(crate) fn not_written(path: &Path, charset: Charset) -> Failure {
    let message =
        format!("{} is written in {}, which lacks a character of the new text", path.display(), charset.name());
    Failure::new(message).note("save it as UTF-8 first")
}

/// An error at a place of a source.
pub(crate) fn place(path: &Path, text: &Arc<str>, range: TextRange, message: impl Into<String>) -> Place {
    Place { file: path.display().to_string(), text: text.clone(), range, message: message.into(), notes: Vec::new() }
}
