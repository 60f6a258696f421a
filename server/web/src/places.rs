//! Offsets as pages count them: UTF-16 code units from the beginning of a text.

use percept_syntax::TextRange;
use serde::Serialize;

/// Converts between bytes and UTF-16 code units of one text. A text of ASCII needs no table.
#[derive(Debug, Default)]
pub struct Places {
    /// For each character of several bytes, the offset of its end in bytes and the difference to UTF-16 code units up
    /// to there.
    wide: Vec<(u32, u32)>,
}

/// A range of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    pub from: u32,
    pub to: u32,
}

impl Places {
    pub fn of(text: &str) -> Places {
        let (mut wide, mut fewer) = (Vec::new(), 0);
        for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
            fewer += (c.len_utf8() - c.len_utf16()) as u32;
            wide.push(((at + c.len_utf8()) as u32, fewer));
        }
        Places { wide }
    }

    pub fn unit(&self, byte: u32) -> u32 {
        let before = self.wide.partition_point(|(end, _)| *end <= byte);
        byte - before.checked_sub(1).map_or(0, |last| self.wide[last].1)
    }

    pub fn byte(&self, unit: u32) -> u32 {
        let before = self.wide.partition_point(|(end, fewer)| end - fewer <= unit);
        unit + before.checked_sub(1).map_or(0, |last| self.wide[last].1)
    }

    pub fn span(&self, range: TextRange) -> Span {
        Span { from: self.unit(range.start), to: self.unit(range.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_utf_16() {
        let text = "a\u{e9}\u{1F600}b\u{20AC}c";
        let places = Places::of(text);
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let unit = text[..byte].encode_utf16().count() as u32;
            assert_eq!(places.unit(byte as u32), unit);
            assert_eq!(places.byte(unit), byte as u32);
        }
    }
}
