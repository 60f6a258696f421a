//! The same as aliased effects, for PDDL that is no game: worth knowing, and settled by the language.

use super::aliased_effects::when;
use crate::pddl::{EffectFlaw, Facts};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "aliasing-parameters", severity: Severity::Information, page: include_str!("aliasing-parameters.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    if facts.model.is_pogddl {
        return;
    }
    // Sweeping with `forall` and then setting one is a common way to move a marker.
    for found in facts.effects.iter().filter(|found| matches!(found.flaw, EffectFlaw::Alias(_))) {
        if let Some(when) = when(facts, found) {
            let message = format!("{when}, this action both adds and deletes `{}`: the add wins", facts.atom(found.atom));
            let file = facts.model.domain_file;
            findings.push(facts.at(&RULE, file, found.range, message).related(file, found.because, "the other effect"));
        }
    }
}
