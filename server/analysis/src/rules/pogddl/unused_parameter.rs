//! Variables that are declared and never used.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pddl::{Binder, CallableId, Facts, Place, VarId, remove};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unused-parameter", severity: Severity::Warning, page: include_str!("unused-parameter.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let doubled: FxHashSet<VarId> = model.variables.iter().filter_map(|variable| variable.duplicate_of).collect();
    let shared = rules_of(facts);
    for (i, variable) in model.variables.iter().enumerate() {
        if doubled.contains(&VarId(i as u32)) {
            continue;
        }
        if variable.uses > 0 || variable.duplicate_of.is_some() || is_gainer(facts, variable) {
            continue;
        }
        // A body that could not be read may use it.
        if !facts.domain_is_sound() && variable.file == model.domain_file {
            continue;
        }
        // Each of several rules for one predicate mentions only the parameters that it needs.
        if variable.binder == Binder::Derived && is_one_of_many(facts, &shared, variable.place) {
            continue;
        }
        let name = &variable.name.text;
        let message = match variable.binder {
            Binder::Action if model.is_pogddl => {
                format!("`?{name}` is never used: every value of it makes another move with the same effect; remove it")
            }
            Binder::Action => format!("`?{name}` is never used in this action: remove it"),
            Binder::Derived => format!("`?{name}` does not occur in the body: the rule holds for every value of it"),
            Binder::Gain | Binder::Quantifier | Binder::Effect => format!("`?{name}` is never used: remove it"),
        };
        let mut finding = facts.at(&RULE, variable.file, variable.name.range, message).unnecessary();
        if variable.binder != Binder::Derived {
            let range = if variable.group.names.len() > 1 { variable.name.range } else { variable.group.range };
            let in_domain = variable.file == model.domain_file;
            let source = if in_domain { model.domain_source } else { model.problem_source };
            finding.fixes.push(remove(format!("Remove `?{name}`"), source, variable.file, range));
        }
        findings.push(finding);
    }
}

/// The number of rules for each derived predicate.
fn rules_of(facts: &Facts) -> FxHashMap<CallableId, u32> {
    let mut rules = FxHashMap::default();
    for head in facts.model.derived.iter().filter_map(|rule| facts.model.atom(rule.head).callable) {
        *rules.entry(head).or_default() += 1;
    }
    rules
}

fn is_one_of_many(facts: &Facts, rules: &FxHashMap<CallableId, u32>, place: Place) -> bool {
    let Place::Derived(index) = place else { return false };
    let head = facts.model.atom(facts.model.derived[index as usize].head).callable;
    head.and_then(|head| rules.get(&head)).is_some_and(|count| *count > 1)
}

/// The first variable of a `:gain` is the role that gains, even if it is not used.
fn is_gainer(facts: &Facts, variable: &crate::pddl::Variable) -> bool {
    let Place::Gain(index) = variable.place else { return false };
    let gain = &facts.model.gains[index as usize];
    let first = gain.variables.first().map(|id| facts.model.variable(*id).name.range);
    variable.binder == Binder::Gain && first == Some(variable.name.range)
}
