//! The repairs that rules of every kind propose, each worded and made in one place.

use crate::TextRange;
use crate::finding::{Fix, Place, TextEdit};

impl TextEdit {
    /// Replaces a place.
    pub fn new(place: Place, insert: impl Into<String>) -> TextEdit {
        TextEdit { file: place.file, range: place.range, insert: insert.into() }
    }
}

impl Fix {
    /// Writes another name at all of these places.
    pub fn rename(places: impl IntoIterator<Item = Place>, name: &str) -> Fix {
        Fix::new(format!("Rename to `{name}`"), places.into_iter().map(|place| TextEdit::new(place, name)).collect())
    }

    /// Adds a statement, or several lines of them, on a line of its own after another one.
    pub fn statement(after: Place, statement: &str) -> Fix {
        let at = Place { file: after.file, range: TextRange::at(after.range.end) };
        let shown = match statement.lines().collect::<Vec<_>>()[..] {
            [] | [_] => format!("`{statement}`"),
            [first, ref more @ ..] => format!("`{first}` and {} more", more.len()),
        };
        Fix::new(format!("Add {shown}"), vec![TextEdit::new(at, format!("\n{statement}"))])
    }

    /// Adds a condition at the end of a rule in prefix.
    pub fn condition(rule: Place, condition: &str) -> Fix {
        let at = Place { file: rule.file, range: TextRange::at(rule.range.end.saturating_sub(1)) };
        Fix::new(format!("Add `{condition}`"), vec![TextEdit::new(at, format!(" {condition}"))])
    }

    /// Removes a part of a text, with the space before it. `what` names it in the title.
    pub fn removal(text: &str, place: Place, what: &str) -> Fix {
        let before = &text[..place.range.start as usize];
        let line = before.trim_end_matches([' ', '\t']);
        let all = before.trim_end();
        // A comment in the line before would swallow what follows.
        let is_commented = all.lines().next_back().is_some_and(|line| line.contains([';', '%', '#']));
        let start = if is_commented { line } else { all }.len() as u32;
        let place = Place { file: place.file, range: TextRange::new(start, place.range.end) };
        Fix::new(format!("Remove {what}"), vec![TextEdit::new(place, "")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::FileId;

    fn removed(text: &str, part: &str) -> String {
        let start = text.find(part).expect("it is in the text") as u32;
        let range = TextRange::new(start, start + part.len() as u32);
        let fix = Fix::removal(text, Place { file: FileId(0), range }, "it");
        let mut text = text.to_string();
        text.replace_range(fix.edits[0].range.as_usize(), &fix.edits[0].insert);
        text
    }

    #[test]
    fn a_removed_part_leaves_no_space_and_no_comment_swallows_the_rest() {
        assert_eq!(removed("(<= a\n    b\n    (not c))", "(not c)"), "(<= a\n    b)");
        assert_eq!(removed("(<= a\n    b ; b\n    (not c))", "(not c)"), "(<= a\n    b ; b\n)");
    }
}
