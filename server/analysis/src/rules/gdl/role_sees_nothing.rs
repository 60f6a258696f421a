//! A role that never receives a percept in a game with hidden information.

use crate::gdl::{Facts, Space, keyword, slips};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "role-sees-nothing", severity: Severity::Information, page: include_str!("role-sees-nothing.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let Some(roles) = &facts.roles else { return };
    let sees = slips::is_made(facts, Space::Relation, keyword::SEES);
    let is_gdl2 = sees || facts.is_role(keyword::RANDOM);
    if !is_gdl2 || facts.is_doubtful(keyword::SEES) {
        return;
    }
    let heads = facts.predicate(Space::Relation, keyword::SEES).into_iter().flat_map(|sees| sees.produced());
    let mut ranges = heads.map(|head| facts.range(head.term));
    if facts.has_stranger(keyword::SEES)
        || ranges.any(|range| findings.reported_by(&super::unknown_role::RULE, FileId(0), range))
    {
        return;
    }
    let place = facts.domains.argument(keyword::SEES, 2, 0).filter(|_| sees);
    let places = facts.role_places();
    for role in roles.iter().filter(|role| **role != keyword::RANDOM) {
        if place.is_some_and(|place| facts.domains.has_constant(place, *role)) {
            continue;
        }
        let name = facts.name(*role);
        let Some(declared) = places.get(role) else { continue };
        let message = format!(
            "no `sees` rule gives `{name}` a percept; to show it every move, add `(<= (sees {name} (did ?r ?m)) (does ?r ?m))`"
        );
        findings.push(facts.at(&RULE, *declared, message));
    }
}
