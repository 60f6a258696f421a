//! Requirements that are not used.

use super::missing_requirement::normal;
use crate::pddl::{Facts, Feature, features_of, remove};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unneeded-requirement", severity: Severity::Warning, page: include_str!("unneeded-requirement.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let Some(domain) = model.domain else { return };
    if !facts.domain_is_sound() {
        return;
    }
    let used = facts.features();
    let mut seen: Vec<String> = Vec::new();
    for flag in &domain.requirements {
        let name = normal(flag);
        let twice = seen.contains(&name);
        let features = features_of(&name).unwrap_or_default();
        // A domain for planners has many problems, and the goal or the metric of one may need it.
        let for_goals = !model.is_pogddl && features.iter().any(|feature| feature.is_of_problems());
        let idle = !features.is_empty() && !for_goals && !used.iter().any(|(feature, ..)| features.contains(feature));
        seen.push(name);
        let message = match (twice, idle) {
            (true, _) => format!("`{}` is already required: remove it", flag.text),
            (_, true) => {
                let named = features.iter().filter(|feature| **feature != Feature::Costs);
                let what: Vec<_> = named.take(2).map(|feature| feature.what()).collect();
                format!("nothing here uses {}: remove `{}`", what.join(" or "), flag.text)
            }
            _ => continue,
        };
        let mut finding = facts.at(&RULE, model.domain_file, flag.range, message).unnecessary();
        finding
            .fixes
            .push(remove(format!("Remove `{}`", flag.text), model.domain_source, model.domain_file, flag.range).safe());
        findings.push(finding);
    }
}
