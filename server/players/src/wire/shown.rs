//! Text from other programs, made safe to show at a terminal.

use std::borrow::Cow;

/// Returns the text with control characters, and those that change the direction of writing, in the form `\u{1b}`.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_bad = |c: char| c.is_control() || turns(c);
    if !text.contains(is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_bad(c) {
            true => out.extend(c.escape_unicode()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(shown("\u{1b}[2J m\n\u{9b}1\u{202e}"), "\\u{1b}[2J m\\u{a}\\u{9b}1\\u{202e}");
        assert_eq!(shown("match m1 (größer)"), "match m1 (größer)");
    }
}
