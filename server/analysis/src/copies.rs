//! A block that was copied has its mistake in every copy: one cause, one finding.

use percept_syntax::Source;
use rustc_hash::FxHashMap;

use crate::{Diagnostic, Related};

/// From how many on the same words about the same line are one finding.
const COPIES: usize = 3;

/// How many of the other places are shown.
const SHOWN: usize = 5;

/// Findings of one rule that say the same of lines of the same text become the first of them, which names the others and
/// repairs all. `sources[n]` is the text of `FileId(n)`; the list keeps its order.
pub fn gather(list: Vec<Diagnostic>, sources: &[Option<&Source>]) -> Vec<Diagnostic> {
    if list.len() < COPIES {
        return list;
    }
    let mut groups: FxHashMap<(&str, usize, &str, String), Vec<usize>> = FxHashMap::default();
    for (index, finding) in list.iter().enumerate() {
        let line =
            sources.get(finding.file.0 as usize).copied().flatten().map_or("", |source| line_of(source, finding));
        let key = (finding.rule.name, finding.file.0 as usize, line, finding.message.clone());
        groups.entry(key).or_default().push(index);
    }
    let mut role: Vec<Option<Vec<usize>>> = vec![Some(Vec::new()); list.len()];
    for copies in groups.into_values().filter(|copies| copies.len() >= COPIES) {
        copies[1..].iter().for_each(|copy| role[*copy] = None);
        role[copies[0]] = Some(copies[1..].to_vec());
    }
    let gathered = list.iter().zip(&role).filter_map(|(first, role)| {
        let copies = role.as_ref()?;
        Some(with_copies(first.clone(), copies.iter().map(|copy| &list[*copy]).collect()))
    });
    gathered.collect()
}

fn with_copies(mut first: Diagnostic, copies: Vec<&Diagnostic>) -> Diagnostic {
    if copies.is_empty() {
        return first;
    }
    first.message += &format!(" (and in {} more lines like this)", copies.len());
    first.related.extend(copies.iter().take(SHOWN).map(|copy| Related {
        file: copy.file,
        range: copy.range,
        message: "the same here".to_owned(),
    }));
    // A repair of one copy leaves the others as they are; only one for all is offered.
    let title = first.fixes.first().map(|fix| fix.title.clone());
    let edits = copies.iter().map(|copy| copy.fixes.first().filter(|fix| Some(&fix.title) == title.as_ref()));
    match edits.collect::<Option<Vec<_>>>() {
        Some(fixes) => {
            first.fixes.truncate(1);
            first.fixes[0].edits.extend(fixes.into_iter().flat_map(|fix| fix.edits.clone()));
        }
        None => first.fixes.clear(),
    }
    first
}

/// The line that a finding begins on, without the space around it.
fn line_of<'s>(source: &'s Source, finding: &Diagnostic) -> &'s str {
    let at = finding.range.start as usize;
    let start = source.text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = source.text[at..].find('\n').map_or(source.text.len(), |length| at + length);
    source.text[start..end].trim()
}
