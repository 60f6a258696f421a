//! Objects of the problem that are constants of the domain.

use crate::pddl::{Facts, remove};
use crate::{Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "redeclared-constant", severity: Severity::Warning, page: include_str!("redeclared-constant.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for object in &model.objects {
        let Some(constant) = object.places.iter().find(|place| !place.in_problem) else { continue };
        for place in object.places.iter().filter(|place| place.in_problem) {
            let name = &place.written.text;
            let same = place.types == constant.types;
            let message = match same {
                true => format!("`{name}` is a constant of the domain already: leave it out here"),
                false => {
                    format!("`{name}` is a constant of the domain already, of another type: leave it out or rename it")
                }
            };
            let mut finding = facts.at(&RULE, place.file, place.written.range, message);
            finding = finding.related(constant.file, constant.written.range, "the constant");
            let range = if place.group.names.len() > 1 { place.written.range } else { place.group.range };
            finding.fixes.push(remove(format!("Remove `{name}`"), model.problem_source, place.file, range));
            findings.push(finding);
        }
    }
}
