//! Predicates and functions that are declared and never read.

use percept_syntax::TextRange;

use super::mends;
use super::unfounded_delete::open_parameters;
use crate::pddl::{Callable, CallableId, Facts, TypeSet, remove, split_names};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unused-predicate", severity: Severity::Warning, page: include_str!("unused-predicate.md") };

/// The most parameters that a message names.
const SHOWN: usize = 3;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !facts.domain_is_sound() {
        return;
    }
    let split = split_names(facts);
    // A domain for planners has many problems: predicates that it does not use itself are reported, whatever the
    // current problem has.
    let is_apart = !model.is_pogddl && (model.problem.is_none() || model.domain_file != model.problem_file);
    for (i, callable) in model.callables.iter().enumerate() {
        let uses = facts.usage.of(CallableId(i as u32));
        // `whoseturn` is read by the rules of the game itself.
        if !uses.reads.is_empty() || model.is_pogddl && model.names.text(callable.name) == "whoseturn" {
            continue;
        }
        // Another name is a slip of it.
        let unknown = [&super::unknown_predicate::RULE, &super::unknown_function::RULE];
        if unknown.iter().any(|rule| findings.has_told_of(rule, name(facts, callable))) {
            continue;
        }
        let changes = uses.adds.iter().chain(&uses.deletes).chain(&uses.heads).chain(&uses.assigned).next();
        let message = match (changes.is_some(), uses.init.is_empty()) {
            // The goal of some problem may read it: only games have no goals.
            (true, _) if !model.is_pogddl => continue,
            (true, _) => match split.get(&CallableId(i as u32)) {
                Some(other) => split_in_two(facts, callable, model.callable(*other)),
                None => never_read(facts, callable),
            },
            // Only the rules of a game read its facts; the facts of a plan may have other readers.
            (false, _) if is_apart => {
                let (kind, name) = (kind(callable), name(facts, callable));
                format!(
                    "no action and no rule of this domain uses the {kind} `{name}`: remove it if no problem needs it"
                )
            }
            (false, false) if !model.is_pogddl => continue,
            (false, false) => never_read(facts, callable),
            (false, true) => format!("the {} `{}` is never used: remove it", kind(callable), name(facts, callable)),
        };
        let range = callable.declaration.name.range;
        let mut finding = facts.at(&RULE, model.domain_file, range, message).unnecessary();
        if let Some(change) = changes {
            let change = model.atom(*change);
            finding = finding.related(change.file, change.range, "set here");
            if let Some(other) = split.get(&CallableId(i as u32))
                && let Some(read) = facts.usage.of(*other).reads.first()
            {
                let read = model.atom(*read);
                finding = finding.related(read.file, read.range, "read by conditions");
            }
        } else if uses.init.is_empty() && (!is_apart || facts.is_whole()) {
            let title = format!("Remove `{}`", name(facts, callable));
            let whole = callable.declaration.range;
            finding.fixes.push(remove(title, model.domain_source, model.domain_file, whole));
        }
        if changes.is_none() && model.is_pogddl {
            for (variable, parameter) in fitting(facts, callable).into_iter().take(SHOWN) {
                finding =
                    finding.related(model.domain_file, parameter, format!("no condition limits `?{variable}` here"));
            }
        }
        if model.is_pogddl && (changes.is_some() || !uses.init.is_empty()) && !split.contains_key(&CallableId(i as u32))
        {
            let open: Vec<_> = model.actions.iter().flat_map(|action| open_parameters(facts, action)).collect();
            finding.fixes.extend(mends::required(facts, CallableId(i as u32), &open));
        }
        if is_apart {
            finding.severity = Severity::Information;
        }
        findings.push(finding);
    }
}

/// The parameters without a condition that the predicate could limit.
fn fitting<'f>(facts: &'f Facts, callable: &Callable) -> Vec<(&'f str, TextRange)> {
    let model = &facts.model;
    let open = model.actions.iter().flat_map(|action| open_parameters(facts, action)).map(|id| model.variable(id));
    let fits = |types: &TypeSet| callable.params.iter().any(|wanted| types.suits(wanted, &model.types));
    open.filter(|variable| fits(&variable.types)).map(|it| (it.name.text.as_str(), it.name.range)).collect()
}

fn kind(callable: &Callable) -> &'static str {
    if callable.is_function { "function" } else { "predicate" }
}

fn name<'f>(facts: &'f Facts, callable: &Callable) -> &'f str {
    facts.model.names.text(callable.name)
}

fn split_in_two(facts: &Facts, callable: &Callable, other: &Callable) -> String {
    let (name, other) = (name(facts, callable), self::name(facts, other));
    format!(
        "effects set `{name}`, which no condition reads, and conditions read `{other}`, which no effect sets: if \
        they are the same predicate, give them one name"
    )
}

fn never_read(facts: &Facts, callable: &Callable) -> String {
    let (kind, name) = (kind(callable), name(facts, callable));
    format!("the {kind} `{name}` is never read: no condition depends on it; use it or remove it")
}
