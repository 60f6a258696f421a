//! Types that are below themselves.

use crate::pddl::{Facts, OBJECT};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "cyclic-types", severity: Severity::Error, page: include_str!("cyclic-types.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    below_object(facts, findings);
    for cycle in &model.types.cycles {
        let name = |index: usize| model.names.text(model.types.of(cycle[index % cycle.len()]).name);
        let Some(range) = model.types.of(cycle[0]).declared.first() else { continue };
        let message = match cycle.len() {
            1 => format!("the type `{}` is its own supertype: leave out `- {0}`", name(0)),
            2..6 => {
                let chain: Vec<_> = (0..=cycle.len()).map(|index| format!("`{}`", name(index))).collect();
                format!("types form a cycle: {}; remove one of these arrows", chain.join(" is a "))
            }
            many => format!("{many} types form a cycle, from `{}` to `{}` and on; remove one `-`", name(0), name(1)),
        };
        let mut finding = facts.at(&RULE, model.domain_file, *range, message);
        for ty in cycle.iter().skip(1).take(5) {
            if let Some(range) = model.types.of(*ty).declared.first() {
                finding = finding.related(model.domain_file, *range, "in the cycle");
            }
        }
        findings.push(finding);
    }
}

/// Reports a supertype of `object`: `(:types object - thing)`.
fn below_object(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let root = model.names.text(model.types.of(OBJECT).name);
    for group in model.domain.into_iter().flat_map(|domain| &domain.types) {
        let Some(object) = group.names.iter().find(|name| name.is(root)) else { continue };
        let Some(above) = group.types.iter().find(|ty| !ty.is(root)) else { continue };
        let message = format!(
            "every type is below `{root}`, so `{root}` cannot be below `{}`: remove it from this list",
            above.text
        );
        findings.push(facts.at(&RULE, model.domain_file, object.range, message));
    }
}
