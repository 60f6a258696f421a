//! Numeric functions that are used and not declared.

use percept_syntax::Name;

use super::missing_requirement::{normal, requirements};
use super::unknown_predicate::{declaration, unknown_heads};
use crate::pddl::{Facts, Place, UseKind, nearest, replace};
use crate::{Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-function", severity: Severity::Error, page: include_str!("unknown-function.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let unknown =
        unknown_heads(facts, |kind| matches!(kind, UseKind::Number { .. } | UseKind::Assigned | UseKind::InitValue));
    let is_predeclared = |name: &str| {
        let pays = |flag: &Name| [":rewards", ":mdp"].contains(&normal(flag).as_str());
        name.eq_ignore_ascii_case("reward") && requirements(facts).any(|(_, flag)| pays(flag))
    };
    for &(file, name) in model.not_numbers.iter().take(200) {
        let message = format!("`?{}` is not a number: write a number or a function such as `(score ?p)`", name.text);
        findings.push(facts.at(&RULE, file, name.range, message));
    }
    for uses in unknown.iter().filter(|uses| !is_predeclared(&uses[0].name.text)).take(200) {
        let first = uses[0];
        let name = &first.name.text;
        // `(= total-cost 0)` and `#t` belong to planners' dialects, which say so elsewhere.
        let functions = model.callables.iter().filter(|callable| callable.is_function);
        let near = nearest(name, functions.map(|callable| model.names.text(callable.name)));
        let is_predicate = model.names.get(name).is_some_and(|symbol| model.predicates.contains_key(&symbol));
        let message = match near {
            Some(near) => format!("`{name}` is not a declared function, did you mean `{near}`?"),
            None if is_predicate => format!("`{name}` is a predicate: it is true or false and has no number"),
            None if first.place == Place::Init && first.args.is_empty() => {
                format!("`{name}` is not a number: the facts of `:init` give functions numbers")
            }
            None => format!("`{name}` is not a declared function: add `{}` to `:functions`", declaration(facts, first)),
        };
        let is_number = first.place == Place::Init && first.args.is_empty();
        let mut finding = facts.at(&RULE, first.file, first.name.range, message);
        if let Some(near) = near {
            finding.fixes.push(replace(format!("Write `{near}`"), first.file, first.name.range, near));
        }
        if let (false, Some(edit)) =
            (is_predicate || is_number, facts.declare(":functions", &declaration(facts, first)))
        {
            finding.fixes.push(Fix { title: format!("Declare the function `{name}`"), edits: vec![edit] });
        }
        for other in uses.iter().skip(1).take(5) {
            finding = finding.related(other.file, other.name.range, "also here");
        }
        findings.push(finding);
    }
}
