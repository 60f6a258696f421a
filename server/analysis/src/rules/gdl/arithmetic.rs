//! Arithmetic signs in terms: GDL does not compute.

use super::foreign;
use crate::gdl::{Facts, Shape};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "arithmetic", severity: Severity::Warning, page: include_str!("arithmetic.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        // Only a nested name is a term: a relation with such a name is reported as an undefined one.
        let terms = rule.terms().flat_map(|outer| facts.term(outer).args());
        for node in terms.map(|id| facts.term(id)) {
            let is_applied = node.shape() == Shape::Compound && node.arity() > 1;
            if is_applied && foreign::is_sign(facts.name(node.sym)) {
                let text = facts.text(node.range());
                let message = format!(
                    "GDL has no arithmetic: `{text}` is a term and never a number, so list the results as facts, such as `(succ 1 2)`"
                );
                findings.push(facts.at(&RULE, node.name_range(), message));
            }
        }
    }
}
