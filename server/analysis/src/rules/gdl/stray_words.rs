//! Words outside every form.

use crate::gdl::{Facts, Fault};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::{Language, TextRange};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "stray-words", severity: Severity::Warning, page: include_str!("stray-words.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let sign = if facts.source.language == Language::GdlInfix { "%" } else { ";" };
    for fault in &facts.structure.faults {
        let Fault::Words { rule, last } = fault else { continue };
        let place = |rule: &u32| facts.lowered.rules[*rule as usize].range;
        let range = place(rule).cover(place(last));
        let message = format!("these words are outside every rule: a comment begins with `{sign}`");
        let edit = TextEdit { file: FileId(0), range: TextRange::at(range.start), insert: format!("{sign} ") };
        findings.push_cause(facts.at(&RULE, range, message).fix("Make it a comment", vec![edit]));
    }
}
