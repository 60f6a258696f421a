//! Effects of a game that undo each other in some states, or for one value of a `forall`.

use crate::pddl::{EffectFlaw, Facts};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "conflicting-effects", severity: Severity::Warning, page: include_str!("conflicting-effects.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    // In other PDDL it is settled that the add wins, and authors count on it to move a marker.
    if !facts.model.is_pogddl {
        return;
    }
    for found in &facts.effects {
        let when = match &found.flaw {
            EffectFlaw::BothConditions => "if both conditions hold",
            EffectFlaw::Sweep => "for one value of the `forall`",
            _ => continue,
        };
        let message = format!(
            "{when}, this action both adds and deletes `{}`: in PDDL the add wins, in the published POGDDL program \
            the delete; exclude the case",
            facts.atom(found.atom)
        );
        let file = facts.model.domain_file;
        findings.push(facts.at(&RULE, file, found.range, message).related(file, found.because, "the other effect"));
    }
}
