//! Pictures for tests: the input is a text with a cursor, the output is the text with carets under the answer.

use percept_syntax::{Language, Source};

use super::{FileRange, Files, Index, Indexed};
use crate::FileId;

/// Files that belong together, with a cursor written `$0`. A line of `----` separates the files.
pub(crate) struct Fixture {
    sources: Vec<Source>,
    indexes: Vec<Index>,
    pub file: FileId,
    pub offset: u32,
}

impl Fixture {
    pub(crate) fn new(language: Language, text: &str) -> Fixture {
        let mut cursor = (FileId(0), 0);
        let mut sources = Vec::new();
        for (number, part) in text.split("----\n").enumerate() {
            if let Some(at) = part.find("$0") {
                cursor = (FileId(number as u32), at as u32);
            }
            sources.push(Source::parse(part.replacen("$0", "", 1), language));
        }
        let indexes = sources.iter().map(Index::new).collect();
        Fixture { sources, indexes, file: cursor.0, offset: cursor.1 }
    }

    pub(crate) fn gdl(text: &str) -> Fixture {
        Fixture::new(Language::GdlPrefix, text)
    }

    pub(crate) fn infix(text: &str) -> Fixture {
        Fixture::new(Language::GdlInfix, text)
    }

    pub(crate) fn pogddl(text: &str) -> Fixture {
        Fixture::new(Language::Pogddl, text)
    }

    pub(crate) fn files(&self) -> Files<'_> {
        let files = self.sources.iter().zip(&self.indexes).map(|(source, index)| Indexed { source, index });
        Files { files: files.collect() }
    }

    pub(crate) fn text(&self, file: FileId) -> &str {
        &self.sources[file.0 as usize].text
    }

    /// Returns the marked lines, each with carets and a word below it.
    pub(crate) fn picture(&self, marks: impl IntoIterator<Item = (FileRange, String)>) -> String {
        let mut marks: Vec<(FileRange, String)> = marks.into_iter().collect();
        marks.sort();
        let mut out = String::new();
        let mut last_line = None;
        for (place, label) in marks {
            let text = self.text(place.file);
            let (start, end) = (place.range.start as usize, place.range.end as usize);
            let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
            // Leading blanks carry no information, and the comparison would cut them off.
            let line_start =
                line_start + text[line_start..].len() - text[line_start..].trim_start_matches([' ', '\t']).len();
            let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
            if last_line != Some((place.file, line_start)) {
                out.push_str(text[line_start..line_end].trim_end());
                out.push('\n');
            }
            last_line = Some((place.file, line_start));
            let blanks = text[line_start..start].chars().count();
            let carets = text[start..end.min(line_end)].chars().count().max(1);
            let line = format!("{}{} {label}", " ".repeat(blanks), "^".repeat(carets));
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}
