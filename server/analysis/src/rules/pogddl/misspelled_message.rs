//! A message whose head is one letter from another's.

use super::message_shape::heads;
use crate::gdl::{one_slip_apart, same_ends};
use crate::pddl::{Facts, replace};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "misspelled-message", severity: Severity::Warning, page: include_str!("misspelled-message.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let heads = heads(facts);
    for uses in heads.iter().filter(|uses| uses.len() == 1) {
        let atom = uses[0];
        let alike = |other: &&Vec<&crate::pddl::AtomUse>| {
            one_slip_apart(&atom.name.text, &other[0].name.text)
                && same_ends(&atom.name.text, &other[0].name.text)
                && other.iter().any(|message| message.terms.len() == atom.terms.len())
                // If each of two heads is used once and one action has both, the later one is the slip.
                && (other.len() > 1 || other[0].place == atom.place && other[0].range.start < atom.range.start)
        };
        let Some(other) = heads.iter().find(alike).map(|other| other[0]) else { continue };
        let near = &other.name.text;
        let message = format!("`{}` is the head of no other message: did you mean `{near}`?", atom.name.text);
        let mut finding = facts.at(&RULE, atom.file, atom.name.range, message);
        finding.fixes.push(replace(format!("Rename to `{near}`"), atom.file, atom.name.range, near.as_str()));
        findings.push(finding.related(other.file, other.name.range, "one letter apart"));
    }
}
