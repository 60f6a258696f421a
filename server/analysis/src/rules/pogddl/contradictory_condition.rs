//! Conditions that can never hold.

use crate::pddl::{ConditionFinding, Facts, Flaw, Whole};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule = Rule {
    name: "contradictory-condition",
    severity: Severity::Warning,
    page: include_str!("contradictory-condition.md"),
};

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for found in &facts.conditions {
        let text = facts.quote(found.file, found.range);
        let verb = if found.inverted { "always holds" } else { "can never hold" };
        let because = match found.because {
            Some(other) => format!(", because of `{}`", facts.quote(found.file, other)),
            None => String::new(),
        };
        let consequence = match found.flaw {
            Flaw::Contradiction => consequence(facts, found),
            Flaw::DeadAlternative => "this alternative is never taken".to_owned(),
            _ => continue,
        };
        let message = format!("`{text}` {verb} here{because}: {consequence}");
        let mut finding = facts.at(&RULE, found.file, found.range, message);
        if let Some(other) = found.because {
            finding = finding.related(found.file, other, "they contradict each other");
        }
        findings.push(finding);
    }
}

fn consequence(facts: &Facts, found: &ConditionFinding) -> String {
    if let Some(inside) = found.inside {
        let word = facts.model.text(found.file, inside).trim_start_matches('(').split_whitespace().next();
        return match (word, found.whole) {
            (Some("forall"), _) => "the `forall` holds only if its variables have no values".to_owned(),
            (_, Whole::When) => "the effects under this `when` never happen".to_owned(),
            _ => "this part of the condition never holds".to_owned(),
        };
    }
    match found.whole {
        Whole::Precondition => "the action can never be played",
        Whole::When => "the effects under this `when` never happen",
        Whole::Body => "the rule derives nothing",
        Whole::Gain => "no role ever gains by it",
        Whole::Goal => "the goal can never be reached",
    }
    .to_owned()
}
