//! The screen of a command, as a reader sees it: the first sign of what it does, and the first line of an answer.

/// The parts of a terminal's bytes that have been seen so far.
#[derive(Default)]
pub(super) struct Screen {
    /// The line that is being written, without the part that was erased.
    line: String,
    /// The part of an escape sequence that has arrived.
    escape: Option<String>,
    /// True after a carriage return: a line break keeps the line, everything else overwrites it.
    returned: bool,
    /// True if a word was on the screen at some time.
    pub(super) has_word: bool,
    /// True if a line with a word has ended, so that it stays.
    pub(super) has_line: bool,
}

impl Screen {
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for character in String::from_utf8_lossy(bytes).chars() {
            self.next(character);
        }
    }

    fn next(&mut self, character: char) {
        if let Some(escape) = &mut self.escape {
            escape.push(character);
            let is_first = escape.len() == 1 && character == '[';
            if !is_first && ('@'..='~').contains(&character) {
                // `K` erases the line, `J` the screen; colours and the like leave it.
                if matches!(character, 'K' | 'J') {
                    self.line.clear();
                }
                self.escape = None;
            }
            return;
        }
        match character {
            '\u{1b}' => self.escape = Some(String::new()),
            '\r' => self.returned = true,
            '\n' => {
                self.has_line |= is_word(&self.line);
                self.line.clear();
                self.returned = false;
            }
            _ => {
                if std::mem::take(&mut self.returned) {
                    self.line.clear();
                }
                self.line.push(character);
                self.has_word |= is_word(&self.line);
            }
        }
    }
}

/// True if a text has a word: a spinner and a clock have none.
fn is_word(line: &str) -> bool {
    line.split(|character: char| !character.is_alphabetic()).any(|word| word.chars().count() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two signs after each piece of a screen.
    fn signs(pieces: &[&str]) -> Vec<(bool, bool)> {
        let mut screen = Screen::default();
        let read = |piece: &&str| {
            screen.read(piece.as_bytes());
            (screen.has_word, screen.has_line)
        };
        pieces.iter().map(read).collect()
    }

    #[test]
    fn progress_is_a_word_and_only_a_line_that_stays_is_an_answer() {
        let pieces = ["\r\u{1b}[2K⠋ 0s ", "\r\u{1b}[2K⠙ 1s setting the game up", "\r\u{1b}[2K", "\n", "1 match\r\n"];
        assert_eq!(
            signs(&pieces),
            [(false, false), (true, false), (true, false), (true, false), (true, true)],
            "the progress line was erased before the line break"
        );
    }

    #[test]
    fn a_sequence_in_two_pieces_is_one() {
        assert_eq!(signs(&["\u{1b}[3", "2mred\u{1b}[0m", "\r\n"]), [(false, false), (true, false), (true, true)]);
    }
}
