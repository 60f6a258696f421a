//! Effects that undo each other for some parameters.

use crate::pddl::{EffectFinding, EffectFlaw, Facts, Term};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "aliased-effects", severity: Severity::Warning, page: include_str!("aliased-effects.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    // In other PDDL it is settled: the add wins, and authors count on it.
    if !facts.model.is_pogddl {
        return;
    }
    for found in &facts.effects {
        if let Some(when) = when(facts, found) {
            let message = format!(
                "{when}, this action both adds and deletes `{}`: PDDL lets the add win, the published POGDDL program the delete; exclude the case",
                facts.atom(found.atom)
            );
            let file = facts.model.domain_file;
            findings.push(facts.at(&RULE, file, found.range, message).related(file, found.because, "the other effect"));
        }
    }
}

/// The case in which both effects meet.
pub(super) fn when(facts: &Facts, found: &EffectFinding) -> Option<String> {
    match &found.flaw {
        EffectFlaw::Alias(equal) => {
            let pair = |(a, b): &(Term, Term)| match a {
                Term::Object(_) => format!("`{}` is `{}`", facts.term(*b), facts.term(*a)),
                _ => format!("`{}` is `{}`", facts.term(*a), facts.term(*b)),
            };
            let equal: Vec<_> = equal.iter().map(pair).collect();
            Some(format!("where {}", equal.join(" and ")))
        }
        EffectFlaw::BothConditions => Some("where both conditions hold".to_owned()),
        EffectFlaw::Sweep => Some("for one value of the `forall`".to_owned()),
        _ => None,
    }
}
