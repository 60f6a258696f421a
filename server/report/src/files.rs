//! Files: recognises descriptions, and reads one without ever waiting for a path that is not a file.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use percept_syntax::{Charset, Language, NotText, Source};

/// The extensions of descriptions.
pub const EXTENSIONS: [&str; 6] = ["kif", "gdl", "hrf", "pog", "pogddl", "pddl"];

/// The extensions of similar languages that Percept does not read, with the names of these languages.
const OTHERS: [(&str, &str); 2] = [("hddl", "HDDL"), ("rddl", "RDDL")];

/// The most files, and the deepest folders, that [`descriptions`] visits.
const MAX_FILES: usize = 100_000;
const MAX_DEPTH: usize = 32;

/// The reason why a path gives no description.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The path is a folder, not a file.
    #[error("{} is a folder; name a file in it", .0.display())]
    Folder(PathBuf),
    /// The path is a pipe, a socket or a device: reading it might never end.
    #[error("{} is {what}, not a file: save the text in a file first", .path.display())]
    Special {
        /// The path as given.
        path: PathBuf,
        /// The kind, with its article: `a pipe`.
        what: &'static str,
    },
    /// An error of the system.
    #[error("cannot {verb} {}: {error}", .path.display())]
    Io {
        /// `read` or `search`.
        verb: &'static str,
        /// The path as given.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A link to a file outside the searched folder. The output would show its lines to the reader of the report.
    #[error("{} leads out of the folder {}: it is not read", .path.display(), .folder.display())]
    LeadsOut {
        /// The path of the link.
        path: PathBuf,
        /// The searched folder.
        folder: PathBuf,
    },
    /// The file is not text, or too long.
    #[error("{} is not a game description: {why}", .path.display())]
    NotText {
        /// The path as given.
        path: PathBuf,
        /// The reason why it is not text.
        why: NotText,
    },
    /// Neither the name nor the text shows the language.
    #[error("percept supports no language of {}", .0.display())]
    NoLanguage(PathBuf),
}

/// True if the file's name has the extension of a description, in either case.
pub fn is_description(path: &Path) -> bool {
    has_extension(path, &EXTENSIONS)
}

/// True if the file's name has the extension of a POGDDL or PDDL text.
pub fn is_pddl(path: &Path) -> bool {
    has_extension(path, &["pog", "pogddl", "pddl"])
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|own| extensions.iter().any(|it| own.eq_ignore_ascii_case(it)))
}

/// True if a search skips folders of this name: hidden ones, and those that programs fill.
pub fn is_passed_by(name: &str) -> bool {
    name.starts_with('.') || matches!(name, "target" | "node_modules")
}

/// The descriptions at a path: the file itself, or every description below the folder, in alphabetical order. Links to
/// folders are not followed, so that the walk ends.
///
/// # Errors
/// If the folder itself cannot be read (an unreadable subfolder is skipped), or a link in it leads out of it.
pub fn descriptions(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    below(path, &is_description)
}

/// Files below a folder that are in other languages, by language: the number of files, and the first of them.
pub fn other_languages(folder: &Path) -> Vec<(&'static str, usize, PathBuf)> {
    let of = |&(ending, language): &(&'static str, &'static str)| {
        let wanted = |path: &Path| has_extension(path, &[ending]);
        let mut walk = Walk::of(folder, &wanted);
        let _ = walk.enter(folder, 0);
        let count = walk.found.len();
        Some((language, count, walk.found.into_iter().next()?))
    };
    OTHERS.iter().filter_map(of).collect()
}

/// The files of a name below a folder, in the same way as [`descriptions`].
///
/// # Errors
/// Like [`descriptions`].
pub fn named(folder: &Path, name: &str) -> Result<Vec<PathBuf>, FileError> {
    below(folder, &|path| path.file_name().is_some_and(|own| own == name))
}

/// The descriptions below a folder, for a search without error messages: files that cannot be read or lead out of the
/// folder are left out.
pub fn searched(folder: &Path) -> Vec<PathBuf> {
    let mut walk = Walk::of(folder, &is_description);
    let _ = walk.enter(folder, 0);
    walk.found
}

/// True if a path is not known to be below a folder after links are followed. A missing file leads nowhere.
pub fn leads_out(folder: &Path, path: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| !folder.canonicalize().is_ok_and(|folder| path.starts_with(folder)))
}

fn below(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, FileError> {
    let mut walk = Walk::of(folder, wanted);
    walk.enter(folder, 0).map_err(|error| FileError::Io { verb: "search", path: folder.to_path_buf(), error })?;
    match walk.outside {
        Some(path) => Err(FileError::LeadsOut { path, folder: folder.to_path_buf() }),
        None => Ok(walk.found),
    }
}

/// A walk through a folder.
struct Walk<'a> {
    root: &'a Path,
    wanted: &'a dyn Fn(&Path) -> bool,
    found: Vec<PathBuf>,
    /// The first link that leads out of the folder.
    outside: Option<PathBuf>,
}

impl<'a> Walk<'a> {
    fn of(root: &'a Path, wanted: &'a dyn Fn(&Path) -> bool) -> Walk<'a> {
        Walk { root, wanted, found: Vec::new(), outside: None }
    }

    fn enter(&mut self, folder: &Path, depth: usize) -> std::io::Result<()> {
        let mut entries: Vec<_> = std::fs::read_dir(folder)?.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let kind = entry.file_type();
            let is_folder = kind.as_ref().is_ok_and(std::fs::FileType::is_dir);
            if is_folder && depth < MAX_DEPTH && !is_passed_by(&entry.file_name().to_string_lossy()) {
                let _ = self.enter(&path, depth + 1);
            } else if is_folder || !(self.wanted)(&path) {
                continue;
            } else if kind.is_ok_and(|kind| kind.is_symlink()) && leads_out(self.root, &path) {
                self.outside.get_or_insert(path);
            } else if self.found.len() < MAX_FILES {
                self.found.push(path);
            }
        }
        Ok(())
    }
}

/// The bytes of a file. Only the first `limit` + 1 bytes of a longer file are read, so that the caller detects its
/// length without holding it in memory.
///
/// # Errors
/// If the path cannot be read or is not a file. Reading never waits for input that might not come.
pub fn read(path: &Path, limit: usize) -> Result<Vec<u8>, FileError> {
    let io = |error| FileError::Io { verb: "read", path: path.to_path_buf(), error };
    check(path)?;
    percept_syntax::read(path, limit).map_err(io)
}

/// A file to be read line by line.
///
/// # Errors
/// Like [`read`].
pub fn lines(path: &Path) -> Result<BufReader<File>, FileError> {
    check(path)?;
    let io = |error| FileError::Io { verb: "read", path: path.to_path_buf(), error };
    File::open(path).map(BufReader::new).map_err(io)
}

/// Checks that a path is a file.
fn check(path: &Path) -> Result<(), FileError> {
    let io = |error| FileError::Io { verb: "read", path: path.to_path_buf(), error };
    let kind = std::fs::metadata(path).map_err(io)?.file_type();
    if kind.is_dir() {
        return Err(FileError::Folder(path.to_path_buf()));
    }
    if let Some(what) = percept_syntax::no_file(kind) {
        return Err(FileError::Special { path: path.to_path_buf(), what });
    }
    Ok(())
}

/// Reads and parses a description. Its name determines the language, or else its text.
///
/// # Errors
/// If the file does not exist, is not text, or is in no known language.
pub fn source(path: &Path) -> Result<Source, FileError> {
    parse(path, read(path, percept_syntax::MAX_BYTES)?)
}

/// Parses the bytes of a description that is called `path`.
///
/// # Errors
/// If the bytes are not text, or in no known language.
pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Source, FileError> {
    let (text, charset, language) = text_of(path, bytes)?;
    Ok(Source { charset, ..Source::parse(text, language) })
}

/// Reads the text and the language of a description, without parsing it.
///
/// # Errors
/// Those of [`source`].
pub fn text(path: &Path) -> Result<(String, Language), FileError> {
    let (text, _, language) = text_of(path, read(path, percept_syntax::MAX_BYTES)?)?;
    Ok((text, language))
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<(String, Charset, Language), FileError> {
    let length = bytes.len();
    let (text, charset) = Charset::read(bytes).map_err(|why| {
        // Only the system knows the length of a file that was cut.
        let why = match why {
            NotText::TooLong(_) => {
                NotText::TooLong(std::fs::metadata(path).map_or(length, |data| data.len().max(length as u64) as usize))
            }
            why => why,
        };
        FileError::NotText { path: path.to_path_buf(), why }
    })?;
    match Language::detect(path, &text) {
        Some(language) => Ok((text, charset, language)),
        None => Err(FileError::NoLanguage(path.to_path_buf())),
    }
}

/// The first bytes of a file as text, cut at a character: enough to see its subject without reading all of it. `None`
/// if it cannot be read or is not a file.
pub fn head(path: &Path) -> Option<String> {
    let mut head = percept_syntax::read(path, HEAD).ok()?;
    head.truncate(HEAD);
    // A cut in the middle of a character is still UTF-8.
    let is_cut = |why: std::str::Utf8Error| why.error_len().is_none();
    let text = match std::str::from_utf8(&head) {
        Err(why) if is_cut(why) => None,
        _ => Charset::read(head.clone()).ok(),
    };
    Some(text.map_or_else(|| String::from_utf8_lossy(&head).into_owned(), |(text, _)| text))
}

/// The number of bytes that [`head`] reads: more than the longest comment before the first words of any published file.
pub const HEAD: usize = 1 << 16;
