//! Games whose roles, chance or turn cannot be recognised by their names.

use percept_syntax::TextRange;

use crate::pddl::{Facts, Place, TypeId, VarId};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unclear-roles", severity: Severity::Warning, page: include_str!("unclear-roles.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let Some(domain) = model.domain.filter(|_| model.is_pogddl && facts.domain_is_sound()) else { return };
    let Some(place) = domain.name.as_ref().map(|name| name.range) else { return };
    let mut say = |range: TextRange, message: String| findings.push(facts.at(&RULE, model.domain_file, range, message));
    let role = model.names.get("role").and_then(|name| model.types.get(name));
    let Some(role) = role.filter(|ty| model.types.is_known(*ty) || model.types.of(*ty).used) else {
        return say(place, "no type is called `role`: players are the objects of the type `role`".to_owned());
    };
    match model.names.get("whoseturn").and_then(|name| model.predicates.get(&name)) {
        None if facts.declares(":predicates") && !mentions_turn(facts) => {
            say(
                place,
                "no predicate is called `whoseturn`: `(whoseturn ?r - role)` defines the role to \
            move"
                    .to_owned(),
            );
        }
        Some(id) if model.callable(*id).params.len() != 1 => {
            let range = model.callable(*id).declaration.name.range;
            say(range, "`whoseturn` has one argument, the role that moves: `(whoseturn ?r - role)`".to_owned());
        }
        _ => {}
    }
    for gain in &model.gains {
        let Some(first) = gain.variables.first().map(|id| model.variable(*id)) else { continue };
        if first.types.is_known(&model.types)
            && !first.types.as_slice().iter().all(|ty| model.types.is_subtype(*ty, role))
        {
            say(
                first.name.range,
                format!("the first variable of a `:gain` is the role that gains: write `?{} - role`", first.name.text),
            );
        }
    }
    chance(facts, findings);
}

/// The roles in the order of the alphabet, each with its declaration.
pub(super) fn roles<'f>(facts: &'f Facts) -> Vec<(&'f str, FileId, TextRange)> {
    let model = &facts.model;
    let Some(role) = model.names.get("role").and_then(|name| model.types.get(name)) else { return Vec::new() };
    let mut roles = Vec::new();
    for object in &model.objects {
        let Some(place) = object.places.first() else { continue };
        if place.types.as_slice().iter().all(|ty| model.types.is_subtype(*ty, role)) {
            roles.push((model.names.text(object.name), place.file, place.written.range));
        }
    }
    roles.sort_unstable();
    roles
}

/// True if a variable is the first of a `:gain` and cannot be a role, which is reported here.
pub(super) fn is_no_gainer(facts: &Facts, id: VarId) -> bool {
    let model = &facts.model;
    let role = model.names.get("role").and_then(|name| model.types.get(name));
    let is_role = |ty: &TypeId| role.is_none_or(|role| model.types.is_subtype(*ty, role));
    model.gains.iter().any(|gain| gain.variables.first() == Some(&id))
        && !model.variable(id).types.as_slice().iter().all(is_role)
}

/// A misspelt use is reported as a misspelling.
fn mentions_turn(facts: &Facts) -> bool {
    facts.model.uses.iter().any(|atom| atom.name.is("whoseturn"))
}

/// The published program uses the first role in the alphabet as chance, whatever its name.
fn chance(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let roles = roles(facts);
    let Some((first, file, range)) = roles.first().copied() else { return };
    if first == "chance" || model.problem.is_none() && !roles.iter().any(|(name, ..)| *name == "chance") {
        return;
    }
    // For a constant of the wrong type, the finding is about the type.
    if findings.reported_by(&super::argument_type::RULE, file, range) {
        return;
    }
    let message = match roles.iter().any(|(name, ..)| *name == "chance") {
        true => format!(
            "`{first}` comes before `chance` in the alphabet, so the published POGDDL program uses it as chance: \
            rename it"
        ),
        false => format!(
            "no role is called `chance`: the published POGDDL program then uses `{first}` as chance; declare `chance \
            - role`"
        ),
    };
    findings.push(facts.at(&RULE, file, range, message));
}

/// True if the initial facts or rules define whose turn it is.
pub(super) fn has_initial_turn(facts: &Facts) -> bool {
    let is_derived = facts.model.derived.iter().any(|rule| rule.derived.head.name.is("whoseturn"));
    is_derived
        || facts.model.uses.iter().any(|atom| {
            atom.place == Place::Init && atom.kind == crate::pddl::UseKind::InitFact && atom.name.is("whoseturn")
        })
}
