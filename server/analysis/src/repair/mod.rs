//! The search for the place of a bracket, and repairs made in a text.
//!
//! Most findings include their repairs ([`crate::Diagnostic::fixes`]). Those of [`syntax`] are only searched for on
//! request, because the search tries many places.

mod brackets;
mod words;

pub use brackets::{Repair, syntax};
pub(crate) use words::words;

/// Applies edits to a text; they do not overlap.
#[must_use]
pub fn edited<'a>(text: &str, edits: impl IntoIterator<Item = &'a crate::TextEdit>) -> String {
    let mut edits: Vec<_> = edits.into_iter().collect();
    // The sort is stable: the first of two insertions at one place is applied first.
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.range.as_usize(), &edit.insert);
    }
    text
}

#[cfg(test)]
mod tests {
    use percept_syntax::{Language, Source};

    /// The findings about parentheses, each with true if its repair is safe.
    fn parentheses(text: &str) -> Vec<(String, bool)> {
        let found = crate::check(&Source::parse(text, Language::GdlPrefix), &crate::Settings::default());
        let of_rule = found.iter().filter(|finding| finding.rule.name == "empty-parentheses");
        of_rule.map(|finding| (finding.message.clone(), finding.safe_repair().is_some())).collect()
    }

    #[test]
    fn two_fluents_are_not_made_one_unseen() {
        let text = "(role p) (init (f)) (init (t 0)) (succ 0 1) (legal p go) (<= (next (f)) (true (f)))
            (<= (next (t ?n)) (true (t ?m)) (succ ?m ?n)) (<= (sees p now) (true (f))) (<= (sees p later) (true f))
            (<= terminal (true (t 1))) (goal p 0)";
        let found = parentheses(text);
        assert!(!found.is_empty());
        assert!(found.iter().all(|(message, safe)| message.contains("two different terms") && !safe), "{found:?}");
    }

    #[test]
    fn a_relation_written_in_two_ways_is_one() {
        let text = "(role p) (init (f)) (legal p go) (<= (next (f)) (true (f))) (<= (caught) (true (f)))
            (<= terminal caught) (<= (goal p 100) caught) (<= (goal p 0) (not (caught))) (init caught)";
        let found = parentheses(text);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|(message, safe)| message.contains("one relation in Percept") && *safe), "{found:?}");
    }
}
