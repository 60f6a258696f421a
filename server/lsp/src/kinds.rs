//! The language of a document: by its name and text, or else as given by the editor.

use std::path::Path;

use percept_syntax::Language;
use tower_lsp::lsp_types::Url;

/// The content of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Game(Language),
    /// A match: moves of a game.
    Trace,
}

/// The extensions of files that are worth looking at on disk.
pub(crate) const EXTENSIONS: &[&str] = &["kif", "gdl", "hrf", "pddl", "pog", "pogddl", "trace"];

/// `None` if the language is not supported.
pub(crate) fn of(uri: &Url, language_id: Option<&str>, text: &str) -> Option<Kind> {
    let name = uri.path().rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default();
    if EXTENSIONS.contains(&extension.as_str()) {
        return by_extension(&extension, text);
    }
    by_extension(
        match language_id? {
            "gdl" | "kif" => "kif",
            "gdl-infix" | "hrf" => "hrf",
            "pogddl" | "pddl" => "pog",
            "percept-trace" => "trace",
            _ => return None,
        },
        text,
    )
}

fn by_extension(extension: &str, text: &str) -> Option<Kind> {
    match extension {
        "trace" => Some(Kind::Trace),
        "pogddl" => Some(Kind::Game(Language::Pogddl)),
        _ => Language::detect(Path::new(&format!("a.{extension}")), text).map(Kind::Game),
    }
}
