//! Makes untrusted text harmless for a terminal and for the log of a CI service.
//!
//! Names, comments, keys and answers from outside may contain escape sequences (which clear the screen or set the
//! clipboard), marks that reverse the reading order, and words that a CI service reads as commands. All of these are
//! shown, and none takes effect.

use std::fmt::Write;

/// Returns the text with an escape in place of every character that acts on a terminal. Newlines and tabs are the only
/// control characters that remain. No line begins with a colon, because GitHub's runners read `::error` at the
/// beginning of a line as a command, and `##[` never appears.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    Cleaner::default().push(text, &mut out);
    out
}

/// True if a text has a character that acts on a terminal.
pub fn acts_somewhere(text: &str) -> bool {
    text.chars().any(acts)
}

/// Returns JSON with an escape in place of every character that acts on a terminal. JSON escapes are kept; all other
/// such characters are within strings.
pub fn clean_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if acts(char) && char != '\r' {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{:04x}", u32::from(char));
        } else {
            out.push(char);
        }
    }
    out
}

/// Cleans text that arrives in pieces; the result is that of [`clean`].
#[derive(Debug, Default)]
pub struct Cleaner {
    /// True if the current line already has a character that is not a blank.
    in_line: bool,
    /// The number of `#` that end the current line.
    hashes: usize,
}

impl Cleaner {
    /// Appends a cleaned piece to `out`.
    pub fn push(&mut self, text: &str, out: &mut String) {
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            match char {
                '\n' => *self = Cleaner::default(),
                '\r' if chars.peek() == Some(&'\n') => {}
                ':' if !self.in_line => out.push('\\'),
                '[' | 'v' if self.hashes >= 2 => out.push('\\'),
                _ => {}
            }
            self.in_line |= !char.is_whitespace() && char != '\n';
            self.hashes = if char == '#' { self.hashes + 1 } else { 0 };
            match char {
                '\r' if chars.peek() == Some(&'\n') => out.push(char),
                '\0'..'\u{20}' if acts(char) => out.extend(char::from_u32(0x2400 + u32::from(char))),
                '\u{7f}' => out.push('\u{2421}'),
                _ if acts(char) => _ = write!(out, "<U+{:04X}>", u32::from(char)),
                _ => out.push(char),
            }
        }
    }
}

/// True for a character that acts on a terminal, except newlines and tabs, which are allowed.
fn acts(char: char) -> bool {
    percept_syntax::acts(char) && !matches!(char, '\n' | '\t')
}

/// The characters of a text, none of which acts.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for it in clean(text).chars() {
        match it {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            _ => out.push(it),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_shown() {
        assert_eq!(clean("a\u{1b}[2Jb\u{7}\r\n\tc\rd\u{7f}"), "a␛[2Jb␇\r\n\tc␍d␡");
        assert_eq!(clean("\u{9b}2J \u{202e}evil\u{2066}"), "<U+009B>2J <U+202E>evil<U+2066>");
        let all: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        let cleaned = clean(&all);
        assert!(cleaned.chars().all(|it| it == '\n' || it == '\t' || !it.is_control()));
        assert!(!cleaned.contains(['\u{202a}', '\u{202e}', '\u{2067}', '\u{200f}', '\u{ffff}']));
    }

    #[test]
    fn no_line_is_a_command_to_a_runner() {
        assert_eq!(clean("::error::x\n  ::warning::y\na ::b"), "\\::error::x\n  \\::warning::y\na ::b");
        assert_eq!(clean("a ##[error]b ##vso[c] # [d] ## e"), "a ##\\[error]b ##\\vso[c] # [d] ## e");
        let mut out = String::new();
        let mut cleaner = Cleaner::default();
        for piece in ["a\n", " ", ":", ":error\n", "#", "#", "[x"] {
            cleaner.push(piece, &mut out);
        }
        assert_eq!(out, "a\n \\::error\n##\\[x");
    }

    #[test]
    fn json_says_the_same() {
        let text = "\u{1b}\u{7f}\u{9b}\u{202e}\u{2028}\r\n\u{fffe}ä";
        let json = serde_json::to_string(text).expect("a string");
        let cleaned = clean_json(&json);
        assert!(cleaned.is_ascii() || cleaned.chars().all(|it| !acts(it)));
        assert_eq!(serde_json::from_str::<String>(&cleaned).expect("JSON"), text);
    }
}
