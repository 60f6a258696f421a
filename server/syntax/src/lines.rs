//! Lines and columns, in the three encodings in which an editor may count. All other modules use byte offsets.

use crate::TextRange;

/// The units of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Encoding {
    /// Columns count bytes.
    Utf8,
    /// Columns count UTF-16 code units, the default of the protocol.
    #[default]
    Utf16,
    /// Columns count characters (Unicode scalar values).
    Utf32,
}

/// A place in a text; both count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Position {
    /// The line, counted from 0.
    pub line: u32,
    /// The column, counted from 0 in the requested encoding.
    pub column: u32,
}

impl Position {
    /// Creates a position; line and column count from 0.
    pub const fn new(line: u32, column: u32) -> Self {
        Position { line, column }
    }
}

/// Converts between byte offsets and positions in one text. Lines end with `\n`, `\r\n` or `\r`.
///
/// Building takes two quick passes. Each conversion is a binary search, also on a line of several megabytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// The start of each line; the first is 0.
    starts: Vec<u32>,
    /// The end of each line, without its break.
    ends: Vec<u32>,
    /// The characters with more than one byte.
    wide: Vec<Wide>,
}

/// A character of several bytes, with the number of units by which the text up to its end is shorter in the other
/// encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wide {
    start: u32,
    end: u32,
    fewer_utf16: u32,
    fewer_utf32: u32,
}

impl Wide {
    fn fewer(&self, encoding: Encoding) -> u32 {
        match encoding {
            Encoding::Utf8 => 0,
            Encoding::Utf16 => self.fewer_utf16,
            Encoding::Utf32 => self.fewer_utf32,
        }
    }
}

impl LineIndex {
    /// Finds line breaks and wide characters. It must be fast, because it runs after every keystroke.
    pub fn new(text: &str) -> LineIndex {
        let mut index = LineIndex { starts: vec![0], ends: Vec::new(), wide: Vec::new() };
        index.add_lines(text.as_bytes());
        index.add_wide_characters(text);
        index
    }

    fn add_lines(&mut self, bytes: &[u8]) {
        let mut start = 0;
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            // The `\n` of `\r\n` belongs to the break before it.
            if at < start {
                continue;
            }
            start = at + if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
            self.ends.push(at as u32);
            self.starts.push(start as u32);
        }
        self.ends.push(bytes.len() as u32);
    }

    fn add_wide_characters(&mut self, text: &str) {
        /// The number of bytes that are skipped at once if all are ASCII, as in nearly all text.
        const BLOCK: usize = 1024;
        /// The smallest first byte of a character of several bytes; the other bytes are below it.
        const FIRST: u8 = 0xc0;
        for (number, block) in text.as_bytes().chunks(BLOCK).enumerate().filter(|(_, block)| !block.is_ascii()) {
            let wide = block.iter().enumerate().filter(|(_, byte)| **byte >= FIRST);
            wide.for_each(|(at, _)| self.add_wide(text, number * BLOCK + at));
        }
    }

    fn add_wide(&mut self, text: &str, at: usize) {
        let character = text[at..].chars().next().expect("a character begins here");
        let width = character.len_utf8();
        let (fewer_utf16, fewer_utf32) = self.wide.last().map_or((0, 0), |last| (last.fewer_utf16, last.fewer_utf32));
        self.wide.push(Wide {
            start: at as u32,
            end: (at + width) as u32,
            fewer_utf16: fewer_utf16 + (width - character.len_utf16()) as u32,
            fewer_utf32: fewer_utf32 + (width - 1) as u32,
        });
    }

    /// The number of lines, at least one.
    pub fn len(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Always false: an empty text has one empty line.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The bytes of a line without its break. Lines beyond the last are empty and at the end of the text.
    pub fn line(&self, line: u32) -> TextRange {
        match self.starts.get(line as usize) {
            Some(start) => TextRange::new(*start, self.ends[line as usize]),
            None => TextRange::at(self.text_len()),
        }
    }

    fn text_len(&self) -> u32 {
        *self.ends.last().expect("at least one line")
    }

    /// The line that contains the byte at `offset`; a line includes its break.
    pub fn line_of(&self, offset: u32) -> u32 {
        (self.starts.partition_point(|start| *start <= offset) - 1) as u32
    }

    /// The position of a byte offset. Offsets beyond the end are moved to the end, one inside a character to its
    /// beginning, and one inside a line break to the end of its line.
    pub fn position(&self, offset: u32, encoding: Encoding) -> Position {
        let line = self.line_of(offset);
        let range = self.line(line);
        let offset = self.floor(offset.min(range.end));
        let fewer = self.fewer_before(offset, encoding) - self.fewer_before(range.start, encoding);
        Position { line, column: offset - range.start - fewer }
    }

    /// The byte offset of a position. Columns beyond the end of the line are moved to its end, as the protocol
    /// requires; lines beyond the last to the end of the text; a column inside a character to its beginning.
    pub fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        let range = self.line(position.line);
        let first = self.wide.partition_point(|wide| wide.end <= range.start);
        let base = self.fewer_before(range.start, encoding);
        let line = &self.wide[first..];
        // The wide characters of the line that end at or before the column.
        let passed = line.partition_point(|wide| {
            wide.end <= range.end && wide.end - range.start - (wide.fewer(encoding) - base) <= position.column
        });
        let fewer = passed.checked_sub(1).map_or(0, |last| line[last].fewer(encoding) - base);
        let offset = u64::from(range.start) + u64::from(position.column) + u64::from(fewer);
        self.floor(offset.min(u64::from(range.end)) as u32)
    }

    /// Both ends of a range.
    pub fn positions(&self, range: TextRange, encoding: Encoding) -> (Position, Position) {
        (self.position(range.start, encoding), self.position(range.end, encoding))
    }

    /// The range between two positions; empty at the first if they are in the wrong order.
    pub fn range(&self, start: Position, end: Position, encoding: Encoding) -> TextRange {
        let start = self.offset(start, encoding);
        TextRange::new(start, self.offset(end, encoding).max(start))
    }

    /// The number of units by which the text before `offset` is shorter in `encoding` than in bytes.
    fn fewer_before(&self, offset: u32, encoding: Encoding) -> u32 {
        let passed = self.wide.partition_point(|wide| wide.end <= offset);
        passed.checked_sub(1).map_or(0, |last| self.wide[last].fewer(encoding))
    }

    /// The beginning of the character that contains `offset`.
    fn floor(&self, offset: u32) -> u32 {
        let passed = self.wide.partition_point(|wide| wide.end <= offset);
        self.wide.get(passed).filter(|wide| wide.start < offset).map_or(offset, |wide| wide.start)
    }
}
