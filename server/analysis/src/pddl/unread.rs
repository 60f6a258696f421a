//! The words of the text that the parser could not place; a declaration may be among them.

use percept_syntax::pddl::Section;
use percept_syntax::{Source, TextRange};
use rustc_hash::FxHashSet;

use super::declare::{first_domain, first_problem};

/// The words outside of all sections of a file with syntax errors, and those of its broken lists of declarations,
/// in lower case.
pub(super) fn unread_words(source: Option<&Source>) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    let Some(source) = source.filter(|source| !source.errors.is_empty()) else { return words };
    let mut read: Vec<&Section> = sections(source).collect();
    read.sort_unstable_by_key(|section| section.range);
    let errors = error_starts(source);
    let mut at = 0;
    for section in read {
        add_words(source, TextRange::new(at, section.range.start), &mut words);
        // A misspelt section, `(:predicate ...)`, was not read at all.
        let unknown = errors.binary_search(&section.keyword.range.start).is_ok();
        let declares = unknown || DECLARING.iter().any(|word| section.keyword.is(word));
        if declares && begins_within(&errors, section.range) {
            add_words(source, section.range, &mut words);
        }
        at = at.max(section.range.end);
    }
    add_words(source, TextRange::new(at, source.text.len() as u32), &mut words);
    words
}

/// The starts of the errors in a file, sorted.
pub(super) fn error_starts(source: &Source) -> Vec<u32> {
    let mut starts: Vec<u32> = source.errors.iter().map(|error| error.range.start).collect();
    starts.sort_unstable();
    starts
}

/// True if one of these places is in the range.
pub(super) fn begins_within(starts: &[u32], range: TextRange) -> bool {
    let first = starts.partition_point(|start| *start < range.start);
    starts.get(first).is_some_and(|start| *start < range.end)
}

const DECLARING: [&str; 5] = [":types", ":constants", ":objects", ":predicates", ":functions"];

fn add_words(source: &Source, range: TextRange, words: &mut FxHashSet<String>) {
    if range.start >= range.end {
        return;
    }
    let lines = source.text.get(range.as_usize()).unwrap_or_default().lines();
    let lines = lines.filter_map(|line| line.split(';').next());
    let tokens = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')')));
    words.extend(tokens.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase));
}

/// The sections of the first domain and the first problem of a file.
fn sections(source: &Source) -> impl Iterator<Item = &Section> {
    let domain = first_domain(source).into_iter().flat_map(|domain| &domain.sections);
    domain.chain(first_problem(source).into_iter().flat_map(|problem| &problem.sections))
}

/// The text from each bracket that is never closed to the end of its section, without the bracket.
pub(super) fn broken_ranges(source: &Source) -> Vec<TextRange> {
    const MANY: usize = 50;
    let unclosed = source.errors.iter().filter(|error| error.is_unclosed);
    let behind = unclosed.take(MANY).filter_map(|error| {
        let inside = |section: &&Section| section.range.contains_range(error.range);
        if let Some(section) = sections(source).find(inside) {
            return Some(TextRange::new(error.range.end, section.range.end));
        }
        // It is the bracket of the definition itself: then its last section extends too far.
        let definitions = [
            first_domain(source).map(|domain| (domain.range, &domain.sections)),
            first_problem(source).map(|problem| (problem.range, &problem.sections)),
        ];
        let definition = definitions.into_iter().flatten().find(|(range, _)| range.start == error.range.start)?;
        let last = definition.1.last()?;
        // Its first error shows the place; the errors after it have the same cause.
        let here = source.errors.iter().filter(|other| last.range.contains_range(other.range));
        let first = here.map(|other| other.range).min_by_key(|range| range.start)?;
        Some(TextRange::new(first.end, last.range.end))
    });
    behind.collect()
}
