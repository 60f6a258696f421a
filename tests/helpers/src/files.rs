//! Files of the project, and of any other folder.

use std::path::{Path, PathBuf};

use percept_syntax::{Language, Source};

/// The root of the repository.
///
/// # Panics
/// Where the sources are gone.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project has a root")
}

/// A path below the root of the repository; one that is absolute already stays as it is.
pub fn path(below: impl AsRef<Path>) -> PathBuf {
    root().join(below)
}

/// The folder of the project's own games.
pub fn games() -> PathBuf {
    path("games")
}

/// The text of a file below the root of the repository, or anywhere.
///
/// # Panics
/// Where there is none, or it is no text.
pub fn read(below: impl AsRef<Path>) -> String {
    let path = path(below);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The same of a file that may hold bytes of other encodings, as published ones do.
///
/// # Panics
/// Where there is none.
pub fn lossy(below: impl AsRef<Path>) -> String {
    let path = path(below);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A description, in the language that it seems to be in, else in prefix GDL.
///
/// # Panics
/// Where there is none.
pub fn source(below: impl AsRef<Path>) -> Source {
    let text = lossy(&below);
    let language = Language::detect(below.as_ref(), &text).unwrap_or(Language::GdlPrefix);
    Source::parse(text, language)
}

/// What a folder holds, by name.
///
/// # Panics
/// Where there is no such folder.
pub fn entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// All files below a folder that end in one of these extensions, by path; all there are where none is named.
///
/// # Panics
/// Where there is no such folder.
pub fn files(folder: impl AsRef<Path>, extensions: &[&str]) -> Vec<PathBuf> {
    let is_wanted = |path: &Path| {
        extensions.is_empty() || path.extension().is_some_and(|found| extensions.iter().any(|known| found == *known))
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
