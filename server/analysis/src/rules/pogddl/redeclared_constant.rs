//! Objects of the problem that are constants of the domain.

use percept_syntax::TextRange;
use rustc_hash::FxHashSet;

use crate::pddl::{Facts, ObjectPlace, remove};
use crate::{Diagnostic, Findings, Fix, Related, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "redeclared-constant", severity: Severity::Warning, page: include_str!("redeclared-constant.md") };

/// The number of other constants shown: a copied line repeats all of them.
const SHOWN: usize = 6;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut same: Vec<(&ObjectPlace<'_>, &ObjectPlace<'_>)> = Vec::new();
    for object in &model.objects {
        let Some(constant) = object.places.iter().find(|place| !place.in_problem) else { continue };
        for place in object.places.iter().filter(|place| place.in_problem) {
            if place.types == constant.types {
                same.push((place, constant));
                continue;
            }
            let name = &place.written.text;
            let message =
                format!("`{name}` is already a constant of the domain, of another type: leave it out or rename it");
            let mut finding = facts.at(&RULE, place.file, place.written.range, message);
            finding = finding.related(constant.file, constant.written.range, "the constant");
            let range = if place.group.names.len() > 1 { place.written.range } else { place.group.range };
            finding.fixes.push(remove(format!("Remove `{name}`"), model.problem_source, place.file, range).safe());
            findings.push(finding);
        }
    }
    same.sort_by_key(|(place, _)| place.written.range.start);
    if let Some(finding) = of_same_type(facts, &same) {
        findings.push(finding);
    }
}

/// One finding for all constants of the same type: they were copied together.
fn of_same_type(facts: &Facts, same: &[(&ObjectPlace<'_>, &ObjectPlace<'_>)]) -> Option<Diagnostic> {
    let model = &facts.model;
    let [(place, constant), rest @ ..] = same else { return None };
    let name = &place.written.text;
    let mut message = format!("`{name}` is already a constant of the domain: leave it out here");
    if !rest.is_empty() {
        message += &format!(" (and so are {} more objects)", rest.len());
    }
    let mut finding = facts.at(&RULE, place.file, place.written.range, message);
    finding = finding.related(constant.file, constant.written.range, "the constant");
    finding.related.extend(rest.iter().take(SHOWN).map(|(place, _)| Related {
        file: place.file,
        range: place.written.range,
        message: "this one, too".to_owned(),
    }));
    // If no name of a group remains, its type is removed, too.
    let gone: FxHashSet<TextRange> = same.iter().map(|(place, _)| place.written.range).collect();
    let mut edits = Vec::new();
    for (place, _) in same {
        let names = &place.group.names;
        let range = match names.iter().all(|name| gone.contains(&name.range)) {
            true if names[0].range != place.written.range => continue,
            true => place.group.range,
            false => place.written.range,
        };
        edits.extend(remove(String::new(), model.problem_source, place.file, range).edits);
    }
    let title = if rest.is_empty() { format!("Remove `{name}`") } else { "Remove all that are constants".to_owned() };
    finding.fixes.push(Fix::new(title, edits).safe());
    Some(finding)
}
