//! Compares byte offsets and positions with the simplest way to count.

use percept_syntax::lines::{Encoding, LineIndex, Position};
use proptest::prelude::*;

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

fn width(c: char, encoding: Encoding) -> u32 {
    (match encoding {
        Encoding::Utf8 => c.len_utf8(),
        Encoding::Utf16 => c.len_utf16(),
        Encoding::Utf32 => 1,
    }) as u32
}

/// The offset and position of every character and of the end; the second character of `\r\n` is at the end of its line.
fn places(text: &str, encoding: Encoding) -> Vec<(u32, Position)> {
    let mut places = Vec::new();
    let mut at = Position::default();
    let mut chars = text.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        places.push((offset as u32, at));
        let is_crlf = c == '\r' && chars.peek().is_some_and(|next| next.1 == '\n');
        match c {
            '\r' if is_crlf => {}
            '\n' | '\r' => at = Position::new(at.line + 1, 0),
            _ => at.column += width(c, encoding),
        }
    }
    places.push((text.len() as u32, at));
    places
}

#[test]
fn lines_end_with_each_break() {
    let index = LineIndex::new("a\nb\r\nc\rd");
    let lines: Vec<String> = (0..index.len()).map(|line| format!("{:?}", index.line(line))).collect();
    assert_eq!(lines, ["0..1", "2..3", "5..6", "7..8"]);
    assert_eq!(LineIndex::new("").len(), 1);
    assert_eq!(LineIndex::new("a\n").len(), 2);
}

#[test]
fn places_beyond_an_end_are_at_it() {
    let index = LineIndex::new("ab\ncd");
    assert_eq!(index.offset(Position::new(0, 99), Encoding::Utf16), 2);
    assert_eq!(index.offset(Position::new(0, u32::MAX), Encoding::Utf8), 2);
    assert_eq!(index.offset(Position::new(9, 0), Encoding::Utf16), 5);
    assert_eq!(index.position(99, Encoding::Utf16), Position::new(1, 2));
}

#[test]
fn a_place_inside_a_character_is_at_its_beginning() {
    let index = LineIndex::new("a😀b");
    assert_eq!(index.offset(Position::new(0, 2), Encoding::Utf16), 1);
    assert_eq!(index.offset(Position::new(0, 3), Encoding::Utf16), 5);
    assert_eq!(index.position(3, Encoding::Utf16), Position::new(0, 1));
}

/// Tests wide characters at every position of a long text, which is processed in blocks.
#[test]
fn long_texts_are_counted_like_short_ones() {
    for before in 1010..1030 {
        let text = format!("{}😀é\r\n{}é", "a".repeat(before), "b".repeat(1025));
        let index = LineIndex::new(&text);
        for encoding in ENCODINGS {
            for (offset, place) in
                places(&text, encoding).into_iter().filter(|(at, _)| text.as_bytes().get(*at as usize) != Some(&b'\n'))
            {
                assert_eq!(index.position(offset, encoding), place);
                assert_eq!(index.offset(place, encoding), offset);
            }
        }
    }
}

proptest! {
    #[test]
    fn offsets_and_places_agree(text in "([a-z]|\r|\n|é|😀|ｗ){0,40}") {
        let index = LineIndex::new(&text);
        for encoding in ENCODINGS {
            for (offset, place) in places(&text, encoding) {
                prop_assert_eq!(index.position(offset, encoding), place);
                let back = index.offset(place, encoding);
                let is_inside_break = text.as_bytes().get(offset as usize) == Some(&b'\n') && back + 1 == offset;
                prop_assert!(back == offset || is_inside_break, "{} {:?} {}", offset, place, back);
            }
        }
    }

    #[test]
    fn no_place_is_outside(text in any::<String>(), line in 0u32..5, column: u32, offset: u32) {
        let index = LineIndex::new(&text);
        for encoding in ENCODINGS {
            let offset = index.offset(Position::new(line, column), encoding).max(index.offset(index.position(offset, encoding), encoding));
            prop_assert!(text.is_char_boundary(offset as usize));
        }
    }
}
