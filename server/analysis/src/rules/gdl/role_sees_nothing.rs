//! A role that never receives a percept in a game with hidden information.

use super::mends;
use crate::gdl::{Facts, Space, Sym, keyword, slips};
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
    let blind = |role: &Sym| !place.is_some_and(|place| facts.domains.has_constant(place, *role));
    let players = roles.iter().copied().filter(|role| *role != keyword::RANDOM && places.contains_key(role));
    let blind: Vec<Sym> = players.filter(blind).collect();
    let Some(first) = blind.first() else { return };
    let name = facts.name(*first);
    let others: Vec<String> = blind[1..].iter().map(|role| format!("`{}`", facts.name(*role))).collect();
    let like = if others.is_empty() { String::new() } else { format!(" (like {})", others.join(", ")) };
    let message = format!(
        "no `sees` rule gives `{name}`{like} a percept: add one for what it has to know; \
        `(<= (sees {name} (did ?r ?m)) (does ?r ?m))` would show it every move, also hidden ones"
    );
    let last = facts.predicate(Space::Relation, keyword::SEES).and_then(|sees| sees.produced().last());
    let last = last.map_or(facts.lowered.rules.len() as u32 - 1, |last| last.rule);
    let all = blind.iter().map(|role| facts.name(*role));
    let all: Vec<String> = all.map(|name| format!("(<= (sees {name} (did ?r ?m)) (does ?r ?m))")).collect();
    let add = mends::is_prefix(facts).then(|| mends::statement(facts, last, &all.join("\n")));
    findings.push(facts.at(&RULE, places[first], message).offer(add));
}
