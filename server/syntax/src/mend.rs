//! The repairs that rules of every kind propose, each worded and made in one place.

use crate::TextRange;
use crate::finding::{FileId, Fix, Place, TextEdit};

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

    /// Makes a fact in prefix a rule with conditions.
    pub fn rule(fact: Place, conditions: &str) -> Fix {
        let at = |at: u32| Place { file: fact.file, range: TextRange::at(at) };
        let edits = vec![
            TextEdit::new(at(fact.range.start), "(<= "),
            TextEdit::new(at(fact.range.end), format!(" {conditions})")),
        ];
        Fix::new(format!("Make it a rule with `{conditions}`"), edits)
    }

    /// Writes another text in a place; shown without the breaks of lines.
    pub fn rewrite(place: Place, written: &str) -> Fix {
        let shown = written.split_whitespace().collect::<Vec<_>>().join(" ");
        Fix::new(format!("Write `{shown}`"), vec![TextEdit::new(place, written)])
    }

    /// Exchanges the texts of two places.
    pub fn exchange(text: &str, file: FileId, one: TextRange, other: TextRange) -> Fix {
        let (first, second) = (&text[one.as_usize()], &text[other.as_usize()]);
        let edits = [(one, second), (other, first)].map(|(range, it)| TextEdit::new(Place { file, range }, it));
        Fix::new(format!("Exchange `{first}` and `{second}`"), edits.to_vec())
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
