//! A `-` without names before it, and names that contain the `-`.

use percept_syntax::Name;
use percept_syntax::pddl::TypedGroup;

use crate::pddl::{Facts, OBJECT, replace};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "empty-group", severity: Severity::Warning, page: include_str!("empty-group.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if let Some(domain) = model.domain {
        let lists = domain.types.iter().chain(&domain.constants);
        lists.for_each(|group| one(facts, model.domain_file, group, findings));
    }
    if let Some(problem) = model.problem {
        problem.objects.iter().for_each(|group| one(facts, model.problem_file, group, findings));
    }
}

fn one(facts: &Facts, file: FileId, group: &TypedGroup, findings: &mut Findings) {
    let ty = group.types.first().map_or("type", |name| name.text.as_str());
    if group.names.is_empty() {
        let message =
            format!("there is nothing before this `-`: write the names that are of type `{ty}`, or remove it");
        findings.push(facts.at(&RULE, file, group.range, message));
    }
    for (name, next) in group.names.iter().zip(group.names.iter().skip(1)) {
        let Some(stem) = name.text.strip_suffix('-').filter(|stem| !stem.is_empty()) else { continue };
        // Names may end in `-`, so a space is missing only before the name of a type.
        if !is_type(facts, next) {
            continue;
        }
        let message = format!("the `-` is part of the name `{}`: put a space before it, `{stem} -`", name.text);
        let fix = replace(format!("Write `{stem} -`"), file, name.range, format!("{stem} -"));
        let mut finding = facts.at(&RULE, file, name.range, message);
        finding.fixes.push(fix);
        findings.push(finding);
    }
}

/// True if a name in a list of names is that of a type; in `:types`, which lists only types, if it occurs again.
fn is_type(facts: &Facts, name: &Name) -> bool {
    let model = &facts.model;
    let Some(id) = model.names.get(&name.text).and_then(|symbol| model.types.get(symbol)) else { return false };
    let ty = model.types.of(id);
    let elsewhere = ty.declared.iter().chain(&ty.as_parent).any(|range| *range != name.range);
    id == OBJECT || elsewhere
}
