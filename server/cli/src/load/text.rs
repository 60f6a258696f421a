//! Files as text: which are descriptions, in which language, and where a byte stands in lines and columns.

use std::path::{Path, PathBuf};

use percept_syntax::{Language, Source, TextRange};

use crate::failure::{Failure, Place};

/// The endings of the names of descriptions.
pub const EXTENSIONS: [&str; 6] = ["kif", "gdl", "hrf", "pog", "pogddl", "pddl"];

/// Largest description that is read, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Most files and deepest folders that a search looks at.
const MAX_FILES: usize = 100_000;
const MAX_DEPTH: usize = 32;

/// The descriptions at a path: the file itself, or every description below the folder, in alphabetical order.
/// Hidden folders and those that hold no sources (`target`, `node_modules`) are left out.
pub fn descriptions(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut found = Vec::new();
    walk(path, 0, &mut found).map_err(|error| Failure::io("search", path, &error))?;
    Ok(found)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Links to folders are not followed, so the walk ends.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth < MAX_DEPTH && !name.starts_with('.') && !matches!(&*name, "target" | "node_modules") {
            // A folder that cannot be read hides nothing else.
            let _ = walk(&path, depth + 1, found);
        } else if !is_folder && has_extension(&path) && found.len() < MAX_FILES {
            found.push(path);
        }
    }
    Ok(())
}

pub fn has_extension(path: &Path) -> bool {
    path.extension().is_some_and(|own| EXTENSIONS.iter().any(|known| own.eq_ignore_ascii_case(known)))
}

/// Reads and parses a description.
pub fn source(path: &Path) -> Result<Source, Failure> {
    let size = std::fs::metadata(path).map_err(|error| Failure::io("read", path, &error))?.len();
    if size > MAX_BYTES {
        return Err(Failure::new(format!("{} is larger than {} MiB", path.display(), MAX_BYTES >> 20)));
    }
    if path.is_dir() {
        return Err(Failure::new(format!("{} is a folder; name a file in it", path.display())));
    }
    let bytes = std::fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    to_source(path, bytes)
}

/// Parses the bytes of a description; the name's ending says the language, where it does.
pub fn to_source(path: &Path, bytes: Vec<u8>) -> Result<Source, Failure> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes());
            return Err(not_text(path, &format!("byte {at} is not UTF-8"), text.contains('\0')));
        }
    };
    if text.contains('\0') {
        return Err(not_text(path, "it holds zero bytes", true));
    }
    let language = language_of(path, &text);
    Ok(Source::parse(text, language))
}

fn not_text(path: &Path, why: &str, is_binary: bool) -> Failure {
    let what = if is_binary { "a binary file" } else { "no UTF-8 text" };
    Failure::new(format!("{} is {what}, not a game description ({why})", path.display()))
}

/// The language of a description by its name; where the name says only GDL, or nothing, by its text.
pub fn language_of(path: &Path, text: &str) -> Language {
    let extension = path.extension().map(|own| own.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match &*extension {
        "pog" | "pogddl" | "pddl" => Language::Pogddl,
        "hrf" => Language::GdlInfix,
        _ => {
            let is_comment = |line: &&str| line.trim_start().starts_with([';', '%']);
            let mut lines = text.lines().filter(|line| !is_comment(line) && !line.trim().is_empty());
            let first = lines.next().unwrap_or_default().trim_start();
            if first.to_ascii_lowercase().starts_with("(define") {
                Language::Pogddl
            } else if first.starts_with('(') || first.is_empty() {
                Language::GdlPrefix
            } else {
                Language::GdlInfix
            }
        }
    }
}

/// Lines and columns of a text, from 1; columns count characters.
pub struct Columns<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Columns<'t> {
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Columns { text, starts }
    }

    /// The line and column of a byte.
    pub fn at(&self, byte: u32) -> (usize, usize) {
        let mut byte = (byte as usize).min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= byte) - 1;
        (line + 1, self.text[self.starts[line]..byte].chars().count() + 1)
    }
}

/// A complaint about a place of a source.
pub fn place(path: &Path, text: &str, range: TextRange, message: impl Into<String>) -> Place {
    Place {
        file: path.display().to_string(),
        text: text.to_string(),
        range,
        message: message.into(),
        notes: Vec::new(),
    }
}
