//! Effects that undo each other if two parameters are the same object.

use crate::pddl::{EffectFlaw, Facts, Term};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "aliased-effects", severity: Severity::Information, page: include_str!("aliased-effects.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let file = facts.model.domain_file;
    for found in &facts.effects {
        let EffectFlaw::Alias(equal) = &found.flaw else { continue };
        if !facts.action_is_sound(found.action) {
            continue;
        }
        let pair = |(a, b): &(Term, Term)| match a {
            Term::Object(_) => format!("`{}` is `{}`", facts.term(*b), facts.term(*a)),
            _ => format!("`{}` is `{}`", facts.term(*a), facts.term(*b)),
        };
        let equal: Vec<_> = equal.iter().map(pair).collect();
        let who = match facts.model.is_pogddl {
            true => "in PDDL the add wins, in the published POGDDL program the delete; if that can happen, exclude it",
            false => "the add wins",
        };
        let message = format!(
            "if {}, this action both adds and deletes `{}`: {who}",
            equal.join(" and "),
            facts.atom(found.atom)
        );
        findings.push(facts.at(&RULE, file, found.range, message).related(file, found.because, "the other effect"));
    }
}
