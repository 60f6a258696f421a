//! Places in texts: where a byte stands in lines and columns.

use std::path::Path;
use std::sync::Arc;

use percept_syntax::TextRange;

use crate::failure::Place;

/// Lines and columns of a text, from 1; columns count characters.
pub struct Columns<'t> {
    text: &'t str,
    starts: Vec<usize>,
    /// How many characters begin before every [`STEP`]th byte, so that a column of a very long line is found at once.
    characters: Vec<usize>,
}

const STEP: usize = 1024;

impl<'t> Columns<'t> {
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let pieces = text.as_bytes().chunks(STEP).scan(0, |before, piece| {
            let here = *before;
            *before += characters(piece);
            Some(here)
        });
        Columns { text, starts, characters: pieces.collect() }
    }

    /// The line and column of a byte.
    pub fn at(&self, byte: u32) -> (usize, usize) {
        let mut byte = (byte as usize).min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= byte) - 1;
        (line + 1, self.before(byte) - self.before(self.starts[line]) + 1)
    }

    /// How many characters begin before a byte.
    fn before(&self, byte: usize) -> usize {
        let Some(step) = (byte / STEP).checked_sub(usize::from(byte == self.text.len() && byte.is_multiple_of(STEP)))
        else {
            return 0;
        };
        self.characters[step] + characters(&self.text.as_bytes()[step * STEP..byte])
    }
}

/// How many characters begin in a piece of UTF-8.
fn characters(piece: &[u8]) -> usize {
    piece.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// A complaint about a place of a source.
pub fn place(path: &Path, text: &Arc<str>, range: TextRange, message: impl Into<String>) -> Place {
    Place { file: path.display().to_string(), text: text.clone(), range, message: message.into(), notes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        for length in [0, 1, STEP - 1, STEP, STEP + 1, 3 * STEP] {
            let text = format!("a\n{}\n", "é".repeat(length));
            let columns = Columns::new(&text);
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let line = text[..at].matches('\n').count();
                let start = text[..at].rfind('\n').map_or(0, |before| before + 1);
                assert_eq!(columns.at(at as u32), (line + 1, text[start..at].chars().count() + 1));
            }
        }
    }
}
