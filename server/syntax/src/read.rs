//! Reading of files without blocking on special files, and without holding more than a limit in memory.

use std::fs::{File, FileType};
use std::io::{Error, Read, Result};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The only folders of this process from which files are read; unset: all.
static WITHIN: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// From now on, this process reads files only below these folders, after links are followed. Only the first call has an
/// effect: what was forbidden is never allowed again. A folder that does not exist allows nothing.
pub fn confine(folders: &[PathBuf]) {
    let folders = folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    let _ = WITHIN.set(folders);
}

/// Checks that a path is below the folders of [`confine`]. A file that does not exist yet is where its folder is.
///
/// # Errors
/// Says that it is outside; the system's error if neither the file nor its folder exists.
pub fn is_within(path: &Path) -> Result<()> {
    let Some(folders) = WITHIN.get() else { return Ok(()) };
    let parent = || path.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new(".")).canonicalize();
    let real = path.canonicalize().or_else(|_| parent())?;
    match folders.iter().any(|folder| real.starts_with(folder)) {
        true => Ok(()),
        false => Err(Error::other("it is outside of the folders that may be read")),
    }
}

/// Reads the bytes of a file. From a file longer than `limit` bytes it reads the first `limit` + 1, so that the caller
/// can detect that it is too long without having it all in memory.
///
/// # Errors
/// The error of the system, or that the path is a folder, a pipe, a socket or a device, from which reading might never
/// end, or outside of the folders of [`confine`].
pub fn read(path: &Path, limit: usize) -> Result<Vec<u8>> {
    is_within(path)?;
    let data = std::fs::metadata(path)?;
    plain(data.file_type())?;
    let mut bytes = Vec::new();
    // The length is only a hint: a special file of the system may report 0.
    bytes.reserve_exact((data.len() as usize).min(limit) + 1);
    File::open(path)?.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file as text, as [`read`] does.
///
/// # Errors
/// Those of [`read`]; the file is longer than `limit` bytes; it is not UTF-8.
pub fn read_text(path: &Path, limit: usize) -> Result<String> {
    let bytes = read(path, limit)?;
    if bytes.len() > limit {
        return Err(Error::other(format!("it is longer than {limit} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Error::other("it is not text in UTF-8"))
}

/// Checks that a file of this kind has an end.
///
/// # Errors
/// Names the actual kind.
pub fn plain(kind: FileType) -> Result<()> {
    match no_file(kind) {
        None => Ok(()),
        Some(what) => Err(Error::other(format!("it is {what}, not a file"))),
    }
}

/// The name of a kind that is not a plain file, with its article: `a pipe`.
pub fn no_file(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a folder")
    } else {
        Some(special(kind))
    }
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "something else"
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read() {
        for (path, what) in [("/dev/zero", "a device"), ("/", "a folder")] {
            let error = read(Path::new(path), 10).expect_err("no file");
            assert_eq!(error.to_string(), format!("it is {what}, not a file"));
        }
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert_eq!(read(&own, 3).expect("a file").len(), 4);
        assert!(read_text(&own, 3).is_err() && read_text(&own, 1 << 20).is_ok());
    }
}
