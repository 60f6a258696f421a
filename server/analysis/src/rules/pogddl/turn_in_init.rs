//! Nobody's turn, or two roles' turn, when the game begins.

use super::unclear_roles::{initial_turns, turn_is_derived};
use crate::pddl::{CallableId, Facts};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "turn-in-init", severity: Severity::Warning, page: include_str!("turn-in-init.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let Some(problem) = model.problem.filter(|_| !turn_is_derived(facts)) else { return };
    let declared: Option<CallableId> =
        model.names.get("whoseturn").and_then(|name| model.predicates.get(&name)).copied();
    // Without the domain only a turn that is there twice can be judged.
    let turns = initial_turns(facts);
    if turns.is_empty() {
        let used = model.uses.iter().find(|atom| atom.name.is("whoseturn"));
        let place = declared.map(|id| model.callable(id).declaration.name.range).or(used.map(|atom| atom.name.range));
        let Some(place) = place.filter(|_| model.is_pogddl) else { return };
        let section = problem.sections.iter().find(|section| section.keyword.is(":init"));
        let Some(range) = section.map(|section| section.keyword.range) else { return };
        let message = "it is nobody's turn when the game begins: add `(whoseturn ...)` with the role that moves first";
        let finding = facts.at(&RULE, model.problem_file, range, message);
        findings.push(finding.related(model.domain_file, place, "who moves"));
        return;
    }
    let (first, role) = turns[0];
    for (atom, other) in turns.iter().skip(1).filter(|(_, other)| *other != role) {
        if !model.is_pogddl && model.domain.is_some() {
            continue;
        }
        let name = other.map(|term| facts.term(term)).unwrap_or_default();
        let before = role.map(|term| facts.term(term)).unwrap_or_default();
        let message =
            format!("it is the turn of `{name}` and of `{before}` when the game begins: one role moves at a time");
        findings.push(facts.at(&RULE, atom.file, atom.range, message).related(
            first.file,
            first.range,
            "the other turn",
        ));
    }
}
