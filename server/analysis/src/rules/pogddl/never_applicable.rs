//! Actions that wait for each other.

use rustc_hash::FxHashMap;

use crate::pddl::{Facts, Stuck, action_of, stuck_actions};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "never-applicable", severity: Severity::Warning, page: include_str!("never-applicable.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    // A domain for planners has many problems, and another one may begin differently.
    if !model.is_pogddl || !facts.is_whole() || facts.makes_unknown() {
        return;
    }
    // Without a turn no action can be played, and the judge reports the reason.
    if model.is_pogddl && model.problem.is_some() && !super::unclear_roles::has_initial_turn(facts) {
        return;
    }
    // If a fact has the wrong types, the missing fact is already reported.
    if !super::argument_type::doubtful(facts).is_empty() {
        return;
    }
    let stuck = stuck_actions(model, &facts.usage);
    let group = groups(facts, &stuck);
    let waiting: Vec<u32> = stuck.iter().map(|it| it.action).collect();
    for (i, one) in stuck.iter().enumerate().filter(|(i, _)| group[*i] == *i) {
        let action = model.actions[one.action as usize].action;
        let atom = model.atom(one.waits_for);
        let text = facts.quote(atom.file, atom.range);
        let message = format!(
            "`{}` can never be played: it needs `{text}`, which only actions that can never be played make true",
            action.name.text
        );
        let mut finding = facts.at(&RULE, model.domain_file, action.name.range, message);
        finding = finding.related(atom.file, atom.range, "this never holds");
        finding.fixes = super::mends::begun(facts, atom, &waiting);
        for other in stuck.iter().zip(&group).skip(i + 1).filter(|(_, group)| **group == i).take(5) {
            let name = &model.actions[other.0.action as usize].action.name;
            finding = finding.related(model.domain_file, name.range, "can never be played either");
        }
        findings.push(finding);
    }
}

/// The first action of each group of actions that wait for each other: one cause, one finding.
fn groups(facts: &Facts, stuck: &[Stuck]) -> Vec<usize> {
    let index: FxHashMap<u32, usize> = stuck.iter().enumerate().map(|(i, stuck)| (stuck.action, i)).collect();
    let mut group: Vec<usize> = (0..stuck.len()).collect();
    for (i, one) in stuck.iter().enumerate() {
        let Some(head) = facts.model.atom(one.waits_for).callable else { continue };
        for add in &facts.usage.of(head).adds {
            let other = action_of(facts.model.atom(*add)).and_then(|action| index.get(&action));
            if let Some(other) = other {
                let (a, b) = (root(&mut group, i), root(&mut group, *other));
                group[a.max(b)] = a.min(b);
            }
        }
    }
    (0..stuck.len()).map(|i| root(&mut group, i)).collect()
}

fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}
