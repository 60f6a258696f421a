//! Texts that are checked, fixed and checked again.

use percept_analysis::{Diagnostic, Fix, Settings, check, check_pddl};
use percept_syntax::{Language, Source};

/// A description, or a domain and perhaps its problem.
pub type Texts = Vec<(Language, String)>;

pub fn findings(texts: &Texts) -> Vec<Diagnostic> {
    let sources: Vec<Source> = texts.iter().map(|(language, text)| Source::parse(text.as_str(), *language)).collect();
    match &sources[..] {
        [one] => check(one, &Settings::default()),
        [domain, problem] => check_pddl(Some(domain), Some(problem), &Settings::default()),
        _ => unreachable!("one text or two"),
    }
}

/// Applies a fix to the texts.
pub fn fixed(texts: &Texts, fix: &Fix) -> Texts {
    let mut texts = texts.clone();
    let mut edits = fix.edits.clone();
    // The sort is stable: the first of two insertions at one place is applied first.
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.file, edit.range.start)));
    for edit in edits {
        texts[edit.file.0 as usize].1.replace_range(edit.range.as_usize(), &edit.insert);
    }
    texts
}
