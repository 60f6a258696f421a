//! Constants and objects that can never matter.

use crate::pddl::{Facts, TypeSet, is_reserved, remove};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unused-object", severity: Severity::Warning, page: include_str!("unused-object.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    // The range of variables is unknown if a type is.
    if !facts.is_whole() || findings.reported_anywhere(&super::unknown_type::RULE) {
        return;
    }
    // A variable can be any object of its types, mentioned or not.
    let mut ranged: Vec<&TypeSet> = Vec::new();
    for variable in &model.variables {
        if !ranged.contains(&&variable.types) {
            ranged.push(&variable.types);
        }
    }
    for object in model.objects.iter().filter(|object| object.uses == 0) {
        let Some(place) = object.places.first() else { continue };
        let is_role = place.types.as_slice().iter().any(|id| model.names.text(model.types.of(*id).name) == "role");
        let reached = ranged.iter().any(|types| place.types.within(types, &model.types));
        if reached || is_role || is_reserved(place.written) || place.written.is("u") {
            continue;
        }
        let name = &place.written.text;
        let what = if place.in_problem { "object" } else { "constant" };
        let message = format!("the {what} `{name}` is never used, and no variable can have it as its value: remove it");
        let mut finding = facts.at(&RULE, place.file, place.written.range, message).unnecessary();
        let range = if place.group.names.len() > 1 { place.written.range } else { place.group.range };
        let source = if place.in_problem { model.problem_source } else { model.domain_source };
        finding.fixes.push(remove(format!("Remove `{name}`"), source, place.file, range));
        findings.push(finding);
    }
}
