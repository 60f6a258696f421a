//! Places in texts: where a byte stands in lines and columns.

use std::path::Path;

use percept_syntax::TextRange;

use crate::failure::Place;

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
