//! Actions that do not say whose turn it is.

use super::unclear_roles::turn_is_derived;
use super::unseen_own_move::mover;
use crate::pddl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "action-without-turn", severity: Severity::Warning, page: include_str!("action-without-turn.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let knows_turns = model.names.get("whoseturn").is_some_and(|name| model.predicates.contains_key(&name));
    if !model.is_pogddl || !knows_turns || turn_is_derived(facts) || !facts.domain_is_sound() {
        return;
    }
    // Where most actions leave it open, the author means something by it.
    let (with, without): (Vec<_>, Vec<_>) = model.actions.iter().partition(|action| mover(facts, action).is_some());
    if with.len() <= without.len() {
        return;
    }
    for action in without {
        // A misspelt `whoseturn` is reported there.
        if findings.reported_by("unknown-predicate", model.domain_file, action.action.range) {
            continue;
        }
        let name = &action.action.name;
        let message = format!(
            "`{}` does not say whose turn it is, so whoever has the turn may play it: add `(whoseturn ...)` to the precondition",
            name.text
        );
        findings.push(facts.at(&RULE, model.domain_file, name.range, message));
    }
}
