//! Between the protocol's positions (line and column in the negotiated encoding) and byte offsets.

use percept_syntax::TextRange;
use percept_syntax::lines::{self, LineIndex};
use tower_lsp::lsp_types::{Position, PositionEncodingKind, Range};

pub(crate) use percept_syntax::lines::Encoding;

/// The protocol's name of an encoding.
pub(crate) fn kind(encoding: Encoding) -> PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    }
}

/// The best encoding that a client offers: UTF-8 costs nothing, UTF-32 little, and every client supports UTF-16.
pub(crate) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Encoding {
    let offered = offered.unwrap_or_default();
    let better = [Encoding::Utf8, Encoding::Utf32];
    better.into_iter().find(|encoding| offered.contains(&kind(*encoding))).unwrap_or_default()
}

pub(crate) fn to_position(lines: &LineIndex, offset: u32, encoding: Encoding) -> Position {
    let position = lines.position(offset, encoding);
    Position::new(position.line, position.column)
}

pub(crate) fn to_range(lines: &LineIndex, range: TextRange, encoding: Encoding) -> Range {
    Range::new(to_position(lines, range.start, encoding), to_position(lines, range.end, encoding))
}

pub(crate) fn to_offset(lines: &LineIndex, position: Position, encoding: Encoding) -> u32 {
    lines.offset(lines::Position::new(position.line, position.character), encoding)
}

/// A reversed range is corrected.
pub(crate) fn to_text_range(lines: &LineIndex, range: Range, encoding: Encoding) -> TextRange {
    let (start, end) = (to_offset(lines, range.start, encoding), to_offset(lines, range.end, encoding));
    TextRange::new(start.min(end), start.max(end))
}

/// The byte in `line` (without its line break) at which column `column` begins; the end of the line if it is shorter.
pub(crate) fn byte_in_line(line: ropey::RopeSlice<'_>, column: u32, encoding: Encoding) -> usize {
    let mut units = 0;
    let mut byte = 0;
    for c in line.chars() {
        units += match encoding {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
            Encoding::Utf32 => 1,
        };
        if units > column || matches!(c, '\n' | '\r') {
            break;
        }
        byte += c.len_utf8();
    }
    byte
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_best_offered_encoding_wins() {
        let utf16 = [PositionEncodingKind::UTF16];
        assert_eq!(negotiate(None), Encoding::Utf16);
        assert_eq!(negotiate(Some(&utf16)), Encoding::Utf16);
        let all = [PositionEncodingKind::UTF16, PositionEncodingKind::UTF32, PositionEncodingKind::UTF8];
        assert_eq!(negotiate(Some(&all)), Encoding::Utf8);
    }

    proptest! {
        /// Edits are placed by the rope, answers by the index of lines: they must agree.
        #[test]
        fn rope_and_index_agree(text in "[a\r\n é😀]{0,40}", line in 0u32..6, column in 0u32..12) {
            let index = LineIndex::new(&text);
            let rope = ropey::Rope::from_str(&text);
            prop_assert_eq!(index.len() as usize, rope.len_lines());
            let Some(slice) = rope.get_line(line as usize) else { return Ok(()) };
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let here = rope.line_to_byte(line as usize) + byte_in_line(slice, column, encoding);
                prop_assert_eq!(to_offset(&index, Position::new(line, column), encoding) as usize, here);
            }
        }
    }
}
