//! A word that takes arguments, without its `(`.

use crate::gdl::{Facts, Fault};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "missing-parenthesis", severity: Severity::Error, page: include_str!("missing-parenthesis.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for fault in &facts.structure.faults {
        let Fault::MissingOpen { word, .. } = fault else { continue };
        let range = facts.range(*word);
        let message = format!("`{}` takes arguments: a `(` is missing before it", facts.text(range));
        let edit = TextEdit { file: FileId(0), range: TextRange::at(range.start), insert: "(".into() };
        findings.push_cause(facts.at(&RULE, range, message).safe_fix("Add the parenthesis", vec![edit]));
    }
}
