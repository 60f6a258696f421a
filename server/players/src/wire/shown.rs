//! Text from other programs, made safe to show at a terminal.

use std::borrow::Cow;

use percept_syntax::acts;

/// The text with characters that act on a terminal as `\u{1b}`.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match acts(c) {
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
        assert_eq!(shown("\u{1b}[2J m\n\u{9b}1\u{202e}\u{61c}"), "\\u{1b}[2J m\\u{a}\\u{9b}1\\u{202e}\\u{61c}");
        assert_eq!(shown("match m1 (größer)"), "match m1 (größer)");
    }
}
