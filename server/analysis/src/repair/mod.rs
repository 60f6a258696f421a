//! Repairs that are made without anybody looking on: which are safe, and where a bracket is missing or too many.
//!
//! Most findings bring their repairs with them ([`Diagnostic::fixes`]). Those of [`syntax`] are looked for only when
//! somebody asks, because looking means to try places.

mod brackets;

pub use brackets::{Repair, syntax};

use crate::{Diagnostic, Fix};

/// Rules whose first repair leaves the game as it was, or says in the only way there is what was written wrong. All others guess
/// what was meant: a name that resembles another, a declaration that could also be missing its use.
const SAFE: &[&str] = &[
    "bare-not",
    "duplicate-rule",
    "empty-parentheses",
    "missing-parenthesis",
    "missing-requirement",
    "redeclared-constant",
    "redundant-effect",
    "repeated-init",
    "requirement-without-colon",
    "single-use-variable",
    "unneeded-requirement",
    "unused-type",
];

/// Words of a repair that only adds parentheses.
const ADDS_PARENTHESES: &str = "Add the parentheses";

/// The repair of a finding that may be made unseen: it leaves the game as it was, or there is no other.
#[must_use]
pub fn safe(finding: &Diagnostic) -> Option<&Fix> {
    let fix = finding.fixes.first()?;
    let is_safe = SAFE.contains(&finding.rule.name)
        || (finding.rule.name == "keyword-arity" && fix.title.starts_with(ADDS_PARENTHESES));
    is_safe.then_some(fix)
}

/// A text with edits made; they do not overlap.
#[must_use]
pub fn edited<'a>(text: &str, edits: impl IntoIterator<Item = &'a crate::TextEdit>) -> String {
    let mut edits: Vec<_> = edits.into_iter().collect();
    // Of two insertions at one place the first comes first.
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.range.as_usize(), &edit.insert);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_are_called_safe_are_rules() {
        let unknown: Vec<_> = SAFE.iter().filter(|name| crate::rules::find(name).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert!(SAFE.is_sorted());
    }
}
