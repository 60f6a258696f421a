//! The half of a POGDDL game that a text defines, and the name that connects it to the other half.

/// A half of a game, with the name in lower case because names in PDDL ignore case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Half {
    /// A domain, with its name.
    Domain(String),
    /// A problem, with the name of its domain.
    Problem(String),
}

/// The half that begins in this text, from its first words, so that unrelated files are not parsed. `None` if the text
/// defines neither half or omits the name.
pub fn of_text(head: &str) -> Option<Half> {
    let mut words = Words { rest: head };
    let mut opened = false;
    while let Some(word) = words.next() {
        if opened && word.eq_ignore_ascii_case("domain") {
            return Some(Half::Domain(words.name()?));
        }
        if opened && word.eq_ignore_ascii_case("problem") {
            words.name()?;
            return words
                .find(|word| word.eq_ignore_ascii_case(":domain"))
                .and_then(|_| words.name())
                .map(Half::Problem);
        }
        opened = word == "(";
    }
    None
}

/// Words and brackets of a text without its comments.
struct Words<'t> {
    rest: &'t str,
}

impl Words<'_> {
    fn name(&mut self) -> Option<String> {
        self.next().filter(|word| !matches!(*word, "(" | ")")).map(str::to_ascii_lowercase)
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        loop {
            self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            if !self.rest.starts_with(';') {
                break;
            }
            self.rest = self.rest.find(['\n', '\r']).map_or("", |end| &self.rest[end..]);
        }
        let length = match self.rest.chars().next()? {
            '(' | ')' => 1,
            _ => self.rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';')).unwrap_or(self.rest.len()),
        };
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_told_by_their_first_words() {
        assert_eq!(of_text("; (domain x)\n(define (DOMAIN Poker)"), Some(Half::Domain("poker".into())));
        assert_eq!(of_text("\u{feff}(define (domain poker))"), Some(Half::Domain("poker".into())));
        assert_eq!(of_text("(define (problem p1)\n (:domain poker)) ; rest"), Some(Half::Problem("poker".into())));
        assert_eq!(of_text("(define (problem p1))"), None);
        assert_eq!(of_text("(:domain"), None);
        assert_eq!(of_text("(define (domain)"), None);
        assert_eq!(of_text(""), None);
    }
}
