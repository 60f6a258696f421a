//! Between the protocol's positions (line and column in the negotiated encoding) and byte offsets.
//!
//! A line ends at `\n`, `\r\n` or `\r`, as the protocol says. Every conversion clamps: a position beyond its line is
//! the end of the line, a position inside a character is the character's start, an offset beyond the text is its end.

use percept_syntax::TextRange;
use tower_lsp::lsp_types::{Position, PositionEncodingKind, Range};

/// What a column counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// The protocol's default.
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// The best of what a client offers: UTF-8 costs nothing, UTF-32 little, UTF-16 is what everybody speaks.
    pub fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        let offered = offered.unwrap_or_default();
        [Encoding::Utf8, Encoding::Utf32]
            .into_iter()
            .find(|encoding| offered.contains(&encoding.kind()))
            .unwrap_or_default()
    }

    pub(crate) fn width(self, c: char) -> u32 {
        match self {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
            Encoding::Utf32 => 1,
        }
    }

    /// The length of a piece of text in this encoding's units.
    pub fn len(self, text: &str) -> u32 {
        match self {
            Encoding::Utf8 => text.len() as u32,
            _ if text.is_ascii() => text.len() as u32,
            _ => text.chars().map(|c| self.width(c)).sum(),
        }
    }

    /// The byte in `line` (a line without its break) at which column `column` begins.
    pub fn byte_in_line(self, line: &str, column: u32) -> usize {
        if self != Encoding::Utf8 && line.is_ascii() {
            return (column as usize).min(line.len());
        }
        let mut units = 0;
        for (byte, c) in line.char_indices() {
            units += self.width(c);
            if units > column {
                return byte;
            }
        }
        line.len()
    }
}

/// Where the lines of one text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = Vec::with_capacity(bytes.len() / 24 + 1);
        starts.push(0);
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\n' => starts.push(at as u32 + 1),
                b'\r' if bytes.get(at + 1) != Some(&b'\n') => starts.push(at as u32 + 1),
                _ => {}
            }
            at += 1;
        }
        Lines { starts }
    }

    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The number of the line that holds `offset`, from 0.
    pub fn line_of(&self, offset: u32) -> u32 {
        (self.starts.partition_point(|&start| start <= offset) - 1) as u32
    }

    /// The bytes of a line without its break; an empty range at the end for a line that does not exist.
    pub fn line(&self, text: &str, line: u32) -> std::ops::Range<usize> {
        let Some(&start) = self.starts.get(line as usize) else { return text.len()..text.len() };
        let end = self.starts.get(line as usize + 1).map_or(text.len(), |&next| next as usize);
        let body = text[start as usize..end].trim_end_matches(['\n', '\r']);
        start as usize..start as usize + body.len()
    }

    pub fn position(&self, text: &str, offset: u32, encoding: Encoding) -> Position {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset as u32);
        let start = self.starts[line as usize] as usize;
        Position::new(line, encoding.len(&text[start..offset]))
    }

    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> u32 {
        let line = self.line(text, position.line);
        (line.start + encoding.byte_in_line(&text[line.clone()], position.character)) as u32
    }

    pub fn range(&self, text: &str, range: TextRange, encoding: Encoding) -> Range {
        Range::new(self.position(text, range.start, encoding), self.position(text, range.end, encoding))
    }

    pub fn text_range(&self, text: &str, range: Range, encoding: Encoding) -> TextRange {
        let start = self.offset(text, range.start, encoding);
        let end = self.offset(text, range.end, encoding);
        TextRange::new(start.min(end), start.max(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn columns_count_units_of_the_encoding() {
        let text = "aé😀b\r\nx\ry\n";
        let lines = Lines::new(text);
        let b = text.find('b').unwrap() as u32;
        assert_eq!(lines.count(), 4);
        assert_eq!(lines.position(text, b, Encoding::Utf8), Position::new(0, 7));
        assert_eq!(lines.position(text, b, Encoding::Utf16), Position::new(0, 4));
        assert_eq!(lines.position(text, b, Encoding::Utf32), Position::new(0, 3));
        assert_eq!(lines.position(text, text.find('y').unwrap() as u32, Encoding::Utf16), Position::new(2, 0));
    }

    #[test]
    fn a_position_inside_a_surrogate_pair_or_beyond_the_line_is_clamped() {
        let text = "😀\r\nab";
        let lines = Lines::new(text);
        assert_eq!(lines.offset(text, Position::new(0, 1), Encoding::Utf16), 0);
        assert_eq!(lines.offset(text, Position::new(0, 99), Encoding::Utf16), 4);
        assert_eq!(lines.offset(text, Position::new(9, 9), Encoding::Utf16), text.len() as u32);
    }

    #[test]
    fn the_best_offered_encoding_wins() {
        let utf16 = [PositionEncodingKind::UTF16];
        assert_eq!(Encoding::negotiate(None), Encoding::Utf16);
        assert_eq!(Encoding::negotiate(Some(&utf16)), Encoding::Utf16);
        let all = [PositionEncodingKind::UTF16, PositionEncodingKind::UTF32, PositionEncodingKind::UTF8];
        assert_eq!(Encoding::negotiate(Some(&all)), Encoding::Utf8);
    }

    proptest! {
        #[test]
        fn every_character_boundary_survives_the_round_trip(text in "[a\r\n é😀]{0,40}") {
            let lines = Lines::new(&text);
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                for (offset, _) in text.char_indices() {
                    // The place between \r and \n has no position of its own.
                    if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') {
                        continue;
                    }
                    let position = lines.position(&text, offset as u32, encoding);
                    prop_assert_eq!(lines.offset(&text, position, encoding), offset as u32);
                }
            }
        }
    }
}
