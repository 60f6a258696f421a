//! What the tests of several crates share: where files are, and how long a run may take.
//!
//! A test that needs files from outside, or minutes, is ignored, and stands in a module that is named by its need: `corpus`, `oracle`,
//! `seeds` (the folders of `PERCEPT_CORPUS`, `PERCEPT_ORACLE`, `PERCEPT_SEEDS`), `planning` (`PERCEPT_PDDL`), `world` (`PERCEPT_GGP`),
//! `minutes`, `hours`. So `cargo test --workspace -- --ignored corpus:: minutes::` runs those of two kinds.

#![warn(missing_docs)]

use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a file, by its path below the folder of the repository.
///
/// # Panics
/// If it cannot be read.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folder that a variable names, for a test that is ignored without it.
///
/// # Panics
/// If the variable is not set.
pub fn outside(variable: &str) -> PathBuf {
    std::env::var_os(variable)
        .map(PathBuf::from)
        .unwrap_or_else(|| panic!("set {variable} to the folder that this test reads"))
}

/// True if `PERCEPT_HEAVY` is set: tests try more cases then.
pub fn is_heavy() -> bool {
    std::env::var_os("PERCEPT_HEAVY").is_some()
}
