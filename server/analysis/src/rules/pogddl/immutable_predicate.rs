//! Predicates that no action changes although a reader would expect it.

use crate::pddl::{CallableId, Facts, Formula, OBJECT, Place, TypeSet, UseId};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "immutable-predicate", severity: Severity::Warning, page: include_str!("immutable-predicate.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !facts.domain_is_sound() || model.actions.is_empty() {
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

/// Why the predicate should change; most that never do describe the board, and rightly.
pub(super) fn suspicious(facts: &Facts, id: CallableId) -> Option<&'static str> {
    let model = &facts.model;
    let callable = model.callable(id);
    let uses = facts.usage.of(id);
    if callable.is_function || !facts.usage.is_static(id) {
        return None;
    }
    if model.is_pogddl && model.names.text(callable.name) == "whoseturn" {
        return Some("so it stays the turn of the same role for ever: let every action pass the turn on");
    }
    if uses.reads.is_empty() || facts.is_whole() && uses.init.is_empty() {
        return None;
    }
    if callable.params.is_empty() && uses.reads.iter().all(|id| is_required(facts, *id)) {
        return Some("so every condition on it is decided before the game begins: let an effect set it, or remove it");
    }
    holds_everywhere(facts, id).then_some(
        "and the initial state has it for every object: every condition on it always holds; let an effect change it, or remove it",
    )
}

/// Whether an action requires the fact outright. A fact that effects or alternatives ask for is a switch between
/// variants of a game, set once in `:init`, and meant so.
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

fn holds_everywhere(facts: &Facts, id: CallableId) -> bool {
    let model = &facts.model;
    if !facts.is_whole() {
        return false;
    }
    let callable = model.callable(id);
    let count = |types: &TypeSet| {
        let objects = model.objects.iter().filter_map(|object| object.places.first());
        objects.filter(|place| place.types.within(types, &model.types)).count()
    };
    let init = &facts.usage.of(id).init;
    let mut keys: Vec<_> = init.iter().map(|id| model.atom(*id).key).collect();
    keys.sort_unstable();
    keys.dedup();
    // A type written as a predicate, `(ball ?x)` over all objects, holds of all objects in small problems.
    let untyped = callable.params.iter().any(|types| types.as_slice() == [OBJECT]);
    let all = callable.params.iter().map(count).try_fold(1_usize, usize::checked_mul);
    !untyped && keys.len() > 1 && all == Some(keys.len())
}
