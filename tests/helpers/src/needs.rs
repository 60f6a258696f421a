//! The external needs of tests, and the amount of their work.

use std::path::PathBuf;

/// The folder in an environment variable.
///
/// # Panics
/// The variable does not name a folder: a run of ignored tests has to set it.
pub fn folder(variable: &str) -> PathBuf {
    let Some(folder) = std::env::var_os(variable).map(PathBuf::from) else {
        panic!("this test needs {variable}, which is not set: it names the folder with the files that are read");
    };
    assert!(folder.is_dir(), "{variable} names {}, which is not a folder", folder.display());
    folder
}

/// True if `PERCEPT_HEAVY` is set: tests then do more rounds, of larger games.
pub fn is_heavy() -> bool {
    std::env::var_os("PERCEPT_HEAVY").is_some()
}

/// The amount of work: `many` in a heavy run, else `few`.
pub fn more<T>(few: T, many: T) -> T {
    if is_heavy() { many } else { few }
}

/// The number of cases of a property: `PERCEPT_CASES`, or the usual number.
pub fn cases(usual: u32) -> u32 {
    std::env::var("PERCEPT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}
