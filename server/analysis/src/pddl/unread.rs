//! The words of the text that the parser could not place: a declaration may be among them.

use percept_syntax::pddl::Section;
use percept_syntax::{Source, TextRange};
use rustc_hash::FxHashSet;

use super::declare::{first_domain, first_problem};

/// The words outside of all sections of a file with syntax errors, in lower case.
pub fn unread_words(source: Option<&Source>) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    let Some(source) = source.filter(|source| !source.errors.is_empty()) else { return words };
    let domain = first_domain(source).map(|domain| domain.sections.as_slice());
    let problem = first_problem(source).map(|problem| problem.sections.as_slice());
    let mut read: Vec<TextRange> = sections(domain).chain(sections(problem)).map(|section| section.range).collect();
    read.sort_unstable();
    let mut at = 0;
    for range in read.into_iter().chain([TextRange::at(source.text.len() as u32)]) {
        if range.start > at {
            let between = source.text.get(at as usize..range.start as usize).unwrap_or_default();
            let lines = between.lines().filter_map(|line| line.split(';').next());
            let tokens = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')')));
            words.extend(tokens.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase));
        }
        at = at.max(range.end);
    }
    words
}

fn sections(list: Option<&[Section]>) -> impl Iterator<Item = &Section> {
    list.unwrap_or_default().iter()
}
