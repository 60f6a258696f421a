//! A role that no goal rule is about.

use crate::gdl::{Facts, Space, keyword};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "role-without-goal", severity: Severity::Warning, page: include_str!("role-without-goal.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let Some(roles) = &facts.roles else { return };
    let Some(place) = facts.domains.argument(keyword::GOAL, 2, 0) else { return };
    if facts.is_doubtful(keyword::GOAL)
        || facts.has_stranger(keyword::GOAL)
        || !crate::gdl::slips::is_made(facts, Space::Relation, keyword::GOAL)
    {
        return;
    }
    let places = facts.role_places();
    for role in roles.iter().filter(|role| **role != keyword::RANDOM && !facts.domains.has_constant(place, **role)) {
        let name = facts.name(*role);
        let Some(declared) = places.get(role) else { continue };
        let message = format!("no rule gives `{name}` a goal value: add one for `(goal {name} ...)`");
        findings.push(facts.at(&RULE, *declared, message));
    }
}
