//! Types that are not used.

use crate::pddl::{Facts, TypeId, remove};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unused-type", severity: Severity::Warning, page: include_str!("unused-type.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !facts.domain_is_sound() {
        return;
    }
    let types = &model.types;
    for ty in types.list.iter().skip(1) {
        let [place] = ty.declared[..] else { continue };
        // A type below a used one may have objects in some problem; a type above others orders them.
        let ordered = !ty.as_parent.is_empty() || above(facts, ty.parents.clone());
        if ty.used || ordered {
            continue;
        }
        let name = model.names.text(ty.name);
        let message =
            format!("the type `{name}` is never used: no variable, function or predicate takes it; remove it");
        let mut finding = facts.at(&RULE, model.domain_file, place, message).unnecessary();
        finding.fixes.push(
            remove(format!("Remove `{name}`"), model.domain_source, model.domain_file, removable(facts, place)).safe(),
        );
        findings.push(finding);
    }
}

/// True if one of these types or a type above them is used.
fn above(facts: &Facts, mut open: Vec<TypeId>) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(id) = open.pop() {
        let ty = facts.model.types.of(id);
        if ty.used {
            return true;
        }
        if seen.insert(id) {
            open.extend(&ty.parents);
        }
    }
    false
}

/// The name, or the whole group with its `- supertype` if it has no other name.
fn removable(facts: &Facts, place: percept_syntax::TextRange) -> percept_syntax::TextRange {
    let groups = facts.model.domain.into_iter().flat_map(|domain| &domain.types);
    let alone = groups.filter(|group| group.names.len() == 1).find(|group| group.names[0].range == place);
    alone.map_or(place, |group| group.range)
}
