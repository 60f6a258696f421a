//! A parenthesis that closes too early, so that a literal is cut off from its rule.

use crate::gdl::{Facts, Fault};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "literal-outside-rule", severity: Severity::Error, page: include_str!("literal-outside-rule.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for fault in &facts.structure.faults {
        let Fault::Fallen { rule, last, stray } = fault else { continue };
        let rules = &facts.lowered.rules;
        let (rule, first, last) = (&rules[*rule as usize], &rules[*rule as usize + 1], &rules[*last as usize]);
        let closing = TextRange::new(rule.range.end.saturating_sub(1), rule.range.end);
        let literal = facts.text(first.range);
        let shown = if literal.len() > 60 { "this literal" } else { literal };
        let message = format!("`{shown}` is outside the rule above it: move the closing `)` of the rule after it");
        let mut finding = facts.at(&RULE, first.range, message).related(FileId(0), closing, "the rule ends here");
        if facts.text(closing) == ")" {
            let mut edits = vec![TextEdit { file: FileId(0), range: closing, insert: String::new() }];
            if stray.is_none() {
                let end = TextRange::at(last.range.end);
                edits.push(TextEdit { file: FileId(0), range: end, insert: ")".into() });
            }
            finding = finding.fix("Move the parenthesis", edits);
        }
        findings.push_cause(finding);
    }
}
