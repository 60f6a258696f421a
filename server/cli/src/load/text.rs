//! Files as text: which are descriptions, in which language, and where a byte stands in lines and columns.

use std::io::Read;
use std::path::{Path, PathBuf};

use percept_syntax::{Language, MAX_BYTES, Source, TextRange};

use crate::failure::{Failure, Place};

/// The endings of the names of descriptions.
pub const EXTENSIONS: [&str; 6] = ["kif", "gdl", "hrf", "pog", "pogddl", "pddl"];

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
    to_source(path, bytes(path, MAX_BYTES)?)
}

/// The bytes of a file that is no longer than `limit`; what is longer is cut, so that the reader sees it is too long
/// without its being held in memory.
pub fn bytes(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    if path.is_dir() {
        return Err(Failure::new(format!("{} is a folder; name a file in it", path.display())));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| Failure::io("read", path, &error))?;
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|error| Failure::io("read", path, &error))?;
    Ok(bytes)
}

/// Parses the bytes of a description; its name says the language, or else its text.
pub fn to_source(path: &Path, bytes: Vec<u8>) -> Result<Source, Failure> {
    let text = percept_syntax::text_of(bytes)
        .map_err(|why| Failure::new(format!("{} is no game description: {why}", path.display())))?;
    match Language::detect(path, &text) {
        Some(language) => Ok(Source::parse(text, language)),
        None => Err(Failure::new(format!("{} is in no language that percept knows", path.display()))
            .note("descriptions end in .kif, .gdl, .hrf, .pog, .pogddl or .pddl")),
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
