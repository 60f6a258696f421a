//! Effects that undo each other in the same step.

use crate::pddl::{EffectFlaw, Facts};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "complementary-effects", severity: Severity::Warning, page: include_str!("complementary-effects.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for found in &facts.effects {
        let atom = facts.atom(found.atom);
        let message = match found.flaw {
            EffectFlaw::Complementary if !model.is_pogddl => {
                format!("this action both adds and deletes `{atom}`: the add wins, so the delete changes nothing")
            }
            EffectFlaw::Complementary => format!(
                "this action both adds and deletes `{atom}`: in PDDL the add wins, in the published POGDDL program \
                the delete; keep one"
            ),
            EffectFlaw::AssignedTwice => {
                format!("`{atom}` is assigned and also changed in the same step: keep one")
            }
            _ => continue,
        };
        let mut finding = facts.at(&RULE, model.domain_file, found.range, message);
        // All planners read it in this way, and many authors write it on purpose.
        if !model.is_pogddl && found.flaw == EffectFlaw::Complementary {
            finding.severity = Severity::Information;
        }
        findings.push(finding.related(model.domain_file, found.because, "the other effect"));
    }
}
