//! `not` without its parentheses.

use crate::gdl::{Facts, Fault};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule = Rule { name: "bare-not", severity: Severity::Error, page: include_str!("bare-not.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for fault in &facts.structure.faults {
        let Fault::BareNot { not, negated, inside, .. } = fault else { continue };
        let Some(negated) = negated else {
            findings.push_cause(facts.at(&RULE, *not, "`not` needs a literal: write `(not (...))`"));
            continue;
        };
        let text = facts.text(*negated);
        let (message, from) = match inside {
            true => (format!("`not` takes one literal: write `(not ({text}))`"), *negated),
            false => (format!("`not` needs parentheses of its own: write `(not {text})`"), *not),
        };
        let edits = vec![
            TextEdit { file: FileId(0), range: TextRange::at(from.start), insert: "(".into() },
            TextEdit { file: FileId(0), range: TextRange::at(negated.end), insert: ")".into() },
        ];
        findings.push_cause(facts.at(&RULE, *not, message).safe_fix("Add the parentheses", edits));
    }
}
