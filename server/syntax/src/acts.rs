//! Characters that act on the terminal or editor that shows them.

/// True for a character that acts on a terminal or an editor instead of being shown: control characters, including
/// newlines and tabs, marks of the reading order, line separators that only some programs recognise, and two
/// noncharacters, for which XML readers refuse a text.
pub fn acts(char: char) -> bool {
    matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(char, '\u{fffe}' | '\u{ffff}')
        || char.is_control()
}

#[cfg(test)]
mod tests {
    use super::acts;

    #[test]
    fn every_mark_of_the_reading_order_acts() {
        // Bidi_Control of Unicode.
        let marks = "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
        assert!(marks.chars().chain("\0\n\t\u{1b}\u{7f}\u{9b}\u{2028}\u{2029}\u{ffff}".chars()).all(acts));
        assert!(!"größer → 棋 \u{a0}\u{301}🙂".chars().any(acts));
    }
}
