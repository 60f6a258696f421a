//! Names that are declared twice.

use percept_syntax::{Name, TextRange};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::pddl::{Facts, ObjectPlace, remove};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "duplicate-declaration", severity: Severity::Error, page: include_str!("duplicate-declaration.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    types(facts, findings);
    let model = &facts.model;
    let file = model.domain_file;
    for callable in &model.callables {
        let what = if callable.is_function { "function" } else { "predicate" };
        for again in &callable.again {
            report(facts, what, file, again, again.range, callable.declaration.name.range, findings);
        }
    }
    for function in &model.double_names {
        let name = &function.signature.name;
        let message = format!("`{}` is already a predicate: give the function another name", name.text);
        let mut finding = facts.at(&RULE, file, name.range, message);
        // Planners keep the two apart.
        if !model.is_pogddl {
            finding.severity = Severity::Warning;
        }
        findings.push(finding);
    }
    actions(facts, findings);
    objects(facts, findings);
}

fn actions(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let Some(domain) = model.domain else { return };
    let mut seen: FxHashMap<SmolStr, TextRange> =
        FxHashMap::with_capacity_and_hasher(domain.actions.len(), Default::default());
    // All actions, including those without new content: their names are read in place, so that no action is copied.
    let plain = domain.actions.iter().map(|action| (&action.as_read().name, action.here(action.as_read().name.range)));
    let timed = domain.timed.iter().map(|timed| (&timed.action.name, timed.action.name.range));
    for (name, range) in plain.chain(timed).filter(|(name, _)| !name.text.is_empty()) {
        let is_lower = !name.text.bytes().any(|byte| byte.is_ascii_uppercase());
        let key = if is_lower { name.text.clone() } else { name.text.to_ascii_lowercase().into() };
        match seen.get(&key) {
            Some(first) => {
                let name = Name::new(name.text.clone(), range);
                report(facts, "action", model.domain_file, &name, TextRange::default(), *first, findings);
            }
            None => drop(seen.insert(key, range)),
        }
    }
}

/// A type may be declared again with another supertype, which then also applies; the same supertype adds nothing.
fn types(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut seen: FxHashMap<(String, usize), TextRange> = FxHashMap::default();
    let mut supertypes: FxHashMap<Vec<String>, usize> = FxHashMap::default();
    let lower = |name: &Name| name.text.to_ascii_lowercase();
    for group in model.domain.iter().flat_map(|domain| &domain.types) {
        let next = supertypes.len();
        let above = *supertypes.entry(group.types.iter().map(lower).collect()).or_insert(next);
        for name in &group.names {
            let Some(first) = seen.insert((lower(name), above), name.range) else { continue };
            let message = format!("the type `{}` is declared twice: remove one", name.text);
            let mut finding = facts.at(&RULE, model.domain_file, name.range, message);
            finding.severity = Severity::Warning;
            findings.push(finding.related(model.domain_file, first, "declared here first"));
        }
    }
}

/// Objects declared twice in the same section. Another rule reports objects that are also constants.
fn objects(facts: &Facts, findings: &mut Findings) {
    for object in &facts.model.objects {
        for (i, place) in object.places.iter().enumerate().skip(1) {
            let before = object.places[..i].iter().find(|before| before.in_problem == place.in_problem);
            if let Some(before) = before {
                let what = if place.in_problem { "object" } else { "constant" };
                let remove = if place.group.names.len() > 1 { place.written.range } else { place.group.range };
                if before.types == place.types {
                    repeated(facts, what, place, before.written.range, remove, findings);
                    continue;
                }
                report(facts, what, place.file, place.written, remove, before.written.range, findings);
            }
        }
    }
}

/// The same object of the same type twice: every program reads one object, and one line is superfluous.
fn repeated(
    facts: &Facts,
    what: &str,
    place: &ObjectPlace,
    first: TextRange,
    removable: TextRange,
    findings: &mut Findings,
) {
    let message = format!("the {what} `{}` is declared twice: remove one", place.written.text);
    let mut finding = facts.at(&RULE, place.file, place.written.range, message);
    finding.severity = Severity::Warning;
    let source = if place.in_problem { facts.model.problem_source } else { facts.model.domain_source };
    finding.fixes.push(remove(format!("Remove the second `{}`", place.written.text), source, place.file, removable));
    findings.push(finding.related(place.file, first, "declared here first"));
}

fn report(
    facts: &Facts,
    what: &str,
    file: FileId,
    name: &Name,
    removable: TextRange,
    first: TextRange,
    findings: &mut Findings,
) {
    let message = format!("the {what} `{}` is declared twice: remove or rename one", name.text);
    let mut finding = facts.at(&RULE, file, name.range, message).related(file, first, "declared here first");
    // Planners accept both, but a match could not distinguish the two moves.
    if what == "action" && !facts.model.is_pogddl {
        finding.severity = Severity::Warning;
    }
    if what == "object" || what == "constant" {
        let model = &facts.model;
        let source = if what == "constant" { model.domain_source } else { model.problem_source };
        finding.fixes.push(remove(format!("Remove the second `{}`", name.text), source, file, removable));
    }
    findings.push(finding);
}
