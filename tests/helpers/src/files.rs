//! Access to files of the project and of other folders.

use std::path::{Path, PathBuf};

use percept_syntax::{Language, Source};

/// The root of the repository.
///
/// # Panics
/// The sources are missing.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project has a root")
}

/// A path below the root of the repository; an absolute path is returned unchanged.
pub fn path(below: impl AsRef<Path>) -> PathBuf {
    root().join(below)
}

/// The folder of the project's own games.
pub fn games() -> PathBuf {
    path("games")
}

/// The text of a file below the root of the repository, or at an absolute path.
///
/// # Panics
/// The file does not exist, or is not text.
pub fn read(below: impl AsRef<Path>) -> String {
    let path = path(below);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a file that may have bytes of other encodings, as published ones do.
///
/// # Panics
/// The file does not exist.
pub fn lossy(below: impl AsRef<Path>) -> String {
    let path = path(below);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Parses a description in its detected language, else in prefix GDL.
///
/// # Panics
/// The file does not exist.
pub fn source(below: impl AsRef<Path>) -> Source {
    let text = lossy(&below);
    let language = Language::detect(below.as_ref(), &text).unwrap_or(Language::GdlPrefix);
    Source::parse(text, language)
}

/// The entries of a folder, sorted by name.
///
/// # Panics
/// The folder does not exist.
pub fn entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// All files below a folder with one of these extensions, sorted by path; all files if no extension is given.
///
/// # Panics
/// The folder does not exist.
pub fn files(folder: impl AsRef<Path>, extensions: &[&str]) -> Vec<PathBuf> {
    let is_wanted = |path: &Path| {
        extensions.is_empty() || path.extension().is_some_and(|found| extensions.iter().any(|other| found == *other))
    };
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            found.extend(files(&path, extensions));
        } else if is_wanted(&path) {
            found.push(path);
        }
    }
    found
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
