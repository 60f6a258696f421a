//! What tests need from outside, and how much they do.

use std::path::PathBuf;

/// The folder that a variable names.
///
/// # Panics
/// Where it names none: whoever runs a test that is ignored has to say where its files are.
pub fn folder(variable: &str) -> PathBuf {
    let Some(folder) = std::env::var_os(variable).map(PathBuf::from) else {
        panic!("this test needs {variable}, which is not set: it names the folder with the files that are read");
    };
    assert!(folder.is_dir(), "{variable} names {}, which is no folder", folder.display());
    folder
}

/// True if `PERCEPT_HEAVY` is set: tests then do more rounds, of larger games.
pub fn is_heavy() -> bool {
    std::env::var_os("PERCEPT_HEAVY").is_some()
}

/// How much is done: `many` in a heavy run, else `few`.
pub fn more<T>(few: T, many: T) -> T {
    if is_heavy() { many } else { few }
}

/// How many cases a property gets: `PERCEPT_CASES`, or as many as usual.
pub fn cases(usual: u32) -> u32 {
    std::env::var("PERCEPT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}
