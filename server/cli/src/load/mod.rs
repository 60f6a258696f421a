//! From paths to sources, games and traces.

mod game;
mod saved;
mod text;

use std::path::Path;

#[cfg(feature = "bench")]
pub(crate) use game::pogddl;
pub(crate) use game::{Loaded, Loader};
pub(crate) use percept_report::files::{
    EXTENSIONS, descriptions, parse as to_source, read as bytes, source, text as description,
};
pub(crate) use saved::trace_text;
pub(crate) use text::{not_written, place};

/// The name of a game from its file: the file's name without the extension.
pub(crate) fn title(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
