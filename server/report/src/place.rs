//! Places in texts. In files, lines and columns count from 1, and columns are characters; in documents, positions are
//! those of the editor.

use std::path::Path;

use percept_syntax::TextRange;
use percept_syntax::lines::{Encoding, LineIndex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InFile {
    /// The path as it was given.
    pub file: String,
    /// The range in the file.
    pub range: Range,
}

/// From the first character to the one after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Range {
    /// The first character.
    pub start: Position,
    /// The one after the last.
    pub end: Position,
}

/// Both count from 1; columns count characters. Lines end with `\n`, `\r\n` or `\r`, as in an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Position {
    /// The line in the file.
    pub line: usize,
    /// The column in the line.
    pub column: usize,
}

impl Position {
    /// The place of a byte.
    pub fn new(lines: &LineIndex, byte: u32) -> Position {
        let at = lines.position(byte, Encoding::Utf32);
        Position { line: at.line as usize + 1, column: at.column as usize + 1 }
    }
}

impl Range {
    /// The places of a range of bytes.
    pub fn new(lines: &LineIndex, range: TextRange) -> Range {
        Range { start: Position::new(lines, range.start), end: Position::new(lines, range.end) }
    }
}

impl InFile {
    /// A range of bytes of the file at a path.
    pub fn new(path: &Path, lines: &LineIndex, range: TextRange) -> InFile {
        InFile { file: path.display().to_string(), range: Range::new(lines, range) }
    }
}

/// A range of a document, as the language server protocol has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Location")]
pub struct InEditor {
    /// The URI of the document.
    pub uri: String,
    /// The range in the document.
    pub range: Span,
}

/// From the first character to the one after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// The first character.
    pub start: Point,
    /// The one after the last.
    pub end: Point,
}

/// Both count from 0; `character` in the encoding that was agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// The line in the document.
    pub line: u32,
    /// The character in the line.
    pub character: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_an_editor() {
        let text = "a\r\nbé\rc\n";
        let lines = LineIndex::new(text);
        let at = |c: char| Position::new(&lines, text.find(c).unwrap() as u32);
        assert_eq!(at('é'), Position { line: 2, column: 2 });
        assert_eq!(at('c'), Position { line: 3, column: 1 });
    }
}
