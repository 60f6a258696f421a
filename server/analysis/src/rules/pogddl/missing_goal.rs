//! A problem that no role can win: neither a goal nor a gain.

use crate::pddl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "missing-goal", severity: Severity::Warning, page: include_str!("missing-goal.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let (Some(domain), Some(problem)) = (model.domain, model.problem) else { return };
    let has = |sections: &[percept_syntax::pddl::Section], word: &str| {
        sections.iter().any(|section| section.keyword.is(word))
    };
    let pays = has(&domain.sections, ":gain") || has(&problem.sections, ":goal");
    if pays || domain.actions.is_empty() || !facts.domain_is_sound() {
        return;
    }
    let Some(name) = problem.name.as_ref() else { return };
    let message = match model.is_pogddl {
        true => "no role can win: the domain has no `:gain`, and the problem no `:goal`",
        false => "the problem has no `:goal`: add `(:goal ...)`, the condition that a plan has to reach",
    };
    findings.push(facts.at(&RULE, model.problem_file, name.range, message));
}
