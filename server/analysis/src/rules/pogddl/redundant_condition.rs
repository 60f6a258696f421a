//! Conditions without any effect.

use crate::pddl::{Facts, Flaw};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "redundant-condition", severity: Severity::Warning, page: include_str!("redundant-condition.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for found in &facts.conditions {
        let text = facts.quote(found.file, found.range);
        let other = found.because.map(|other| facts.quote(found.file, other));
        let because = other.as_ref().map(|other| format!(", because of `{other}`")).unwrap_or_default();
        let verb = if found.inverted { "never holds" } else { "always holds" };
        let message = match found.flaw {
            Flaw::Redundant if other.as_ref() == Some(&text) && !found.inverted => {
                format!("`{text}` is repeated: remove it")
            }
            Flaw::Redundant => format!("`{text}` {verb} here{because}: it has no effect, remove it"),
            Flaw::IdleOr => format!("`{text}` {verb} here{because}: the `or` is always true"),
            Flaw::RepeatedAlternative => format!("`{text}` is already an alternative of this `or`: remove it"),
            Flaw::Tautology => {
                "one of these alternatives is the negation of another: the `or` is always true".to_owned()
            }
            Flaw::Contradiction | Flaw::DeadAlternative => continue,
        };
        let mut finding = facts.at(&RULE, found.file, found.range, message).unnecessary();
        if let Some(other) = found.because {
            finding = finding.related(found.file, other, "said here");
        }
        findings.push(finding);
    }
}
