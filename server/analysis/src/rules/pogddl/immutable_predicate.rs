//! Predicates that no action changes although a reader would expect it.

use crate::pddl::{CallableId, Facts, Formula, Place, UseId};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "immutable-predicate", severity: Severity::Warning, page: include_str!("immutable-predicate.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    // In domains for planners, a predicate that never changes is a switch that problems set.
    if !model.is_pogddl || !facts.domain_is_sound() || model.actions.is_empty() {
        return;
    }
    for i in 0..model.callables.len() as u32 {
        let Some(reason) = suspicious(facts, CallableId(i)) else { continue };
        let callable = model.callable(CallableId(i));
        let name = model.names.text(callable.name);
        let message = format!("no action changes `{name}`, {reason}");
        let mut finding = facts.at(&RULE, model.domain_file, callable.declaration.name.range, message);
        if let Some(read) = facts.usage.of(CallableId(i)).reads.first() {
            let read = model.atom(*read);
            finding = finding.related(read.file, read.range, "read here");
        }
        findings.push(finding);
    }
}

/// The reason why the predicate should change; most predicates that never do rightly describe the board.
pub(super) fn suspicious(facts: &Facts, id: CallableId) -> Option<&'static str> {
    let model = &facts.model;
    let callable = model.callable(id);
    let uses = facts.usage.of(id);
    if callable.is_function || !facts.usage.is_static(&facts.model, id) {
        return None;
    }
    if model.is_pogddl && model.names.text(callable.name) == "whoseturn" {
        return Some("so the same role has the turn for ever: let every action pass the turn on");
    }
    if uses.reads.is_empty() || facts.is_whole() && uses.init.is_empty() {
        return None;
    }
    let decided = callable.params.is_empty() && uses.reads.iter().all(|id| is_required(facts, *id));
    decided.then_some("so every condition on it is decided before the game begins: let an effect set it, or remove it")
}

/// True if an action requires the fact unconditionally. A fact that only effects or alternatives read is an intended
/// switch between variants of a game, set once in `:init`.
fn is_required(facts: &Facts, id: UseId) -> bool {
    let Place::Action(action) = facts.model.atom(id).place else { return false };
    let mut found = false;
    if let Some(precondition) = &facts.model.actions[action as usize].precondition {
        precondition.conjuncts(&mut |part| {
            found |= matches!(part, Formula::Literal { atom, .. } if *atom == id);
        });
    }
    found
}
