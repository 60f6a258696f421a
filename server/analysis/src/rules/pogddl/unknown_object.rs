//! Constants and objects that are used and not declared.

use rustc_hash::FxHashMap;

use crate::pddl::{AtomUse, Facts, OBJECT, Stray, Symbol, Term, TypeSet, nearest_or_doubled, replace, replace_all};
use crate::{Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-object", severity: Severity::Error, page: include_str!("unknown-object.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    // The domain declares the constants, so a problem without a domain cannot be judged.
    if model.domain.is_none() {
        return;
    }
    let mut groups: FxHashMap<Symbol, Vec<&Stray>> = FxHashMap::default();
    let mut order = Vec::new();
    for stray in model.strays.iter().filter(|stray| !stray.is_variable) {
        let Some(symbol) = model.names.get(&stray.name.text) else { continue };
        if facts.may_be_hidden(&stray.name.text) {
            continue;
        }
        // A name that the domain uses without a declaration is also missing for the problem.
        let group = groups.entry(symbol).or_default();
        if group.is_empty() {
            order.push(symbol);
        }
        group.push(stray);
    }
    without_section(facts, &mut order, &groups, findings);
    for key in order.into_iter().take(200) {
        report(facts, &groups[&key], findings);
    }
    only_in_problem(facts, findings);
}

/// Reports all objects of a problem without `:objects` in one finding, and removes them from `order`.
fn without_section(
    facts: &Facts,
    order: &mut Vec<Symbol>,
    groups: &FxHashMap<Symbol, Vec<&Stray>>,
    findings: &mut Findings,
) {
    let model = &facts.model;
    let Some(problem) = model.problem else { return };
    if problem.sections.iter().any(|section| section.keyword.is(":objects")) {
        return;
    }
    let in_problem = |stray: &Stray| stray.file == model.problem_file && problem.range.contains_range(stray.name.range);
    let missing: Vec<Symbol> = order.iter().copied().filter(|key| in_problem(groups[key][0])).collect();
    if missing.len() < 2 {
        return;
    }
    order.retain(|key| !missing.contains(key));
    let shown: Vec<String> = missing.iter().take(5).map(|key| format!("`{}`", model.names.text(*key))).collect();
    let more = if missing.len() > shown.len() { ", ..." } else { "" };
    let message = format!("the problem declares no objects: add `(:objects ...)` with {}{more}", shown.join(", "));
    findings.push(facts.at(&RULE, model.problem_file, groups[&missing[0]][0].name.range, message));
}

fn report(facts: &Facts, uses: &[&Stray], findings: &mut Findings) {
    let model = &facts.model;
    let first = uses[0];
    let name = &first.name.text;
    let wanted = wanted(facts, first);
    let visible = model.objects.iter().filter(|object| {
        object.places.iter().any(|place| {
            let is_visible = first.file == model.problem_file || !place.in_problem;
            is_visible && wanted.is_none_or(|wanted| fits(facts, &place.types, wanted))
        })
    });
    let near = nearest_or_doubled(name, visible.map(|object| model.names.text(object.name)));
    let what = if first.file == model.problem_file && model.problem.is_some() { "object" } else { "constant" };
    let section = if what == "object" { ":objects" } else { ":constants" };
    if is_receiver(facts, first) && near.is_none() {
        let message = format!("`{name}` is not a role: messages go to roles, `all` or `others`");
        return findings.push(facts.at(&RULE, first.file, first.name.range, message));
    }
    let message = match (first.variable_in_scope, near) {
        (true, _) => format!("the variable is `?{name}`: write `?{name}`"),
        (_, Some(near)) => format!("`{name}` is not a declared {what}: did you mean `{near}`?"),
        _ => format!("`{name}` is not a declared {what}: add it to `{section}`"),
    };
    let mut finding = facts.at(&RULE, first.file, first.name.range, message);
    if first.variable_in_scope {
        finding.fixes.push(replace(format!("Write `?{name}`"), first.file, first.name.range, format!("?{name}")));
    }
    if let Some(near) = near {
        finding.fixes.push(replace_all(
            format!("Write `{near}`"),
            uses.iter().map(|it| (it.file, it.name.range)),
            near,
        ));
    }
    if let Some(fix) = declare(facts, first) {
        finding.fixes.push(fix);
    }
    for other in uses.iter().skip(1).take(5) {
        finding = finding.related(other.file, other.name.range, "also here");
    }
    findings.push(finding);
}

/// The types of a name's place, if it is an argument of a declared callable.
fn wanted<'f>(facts: &'f Facts, stray: &Stray) -> Option<&'f TypeSet> {
    let model = &facts.model;
    let atom = model.uses.iter().find(|atom| atom.file == stray.file && atom.range.contains_range(stray.name.range))?;
    let position = atom.args.iter().position(|arg| arg.name.range == stray.name.range)?;
    model.callable(atom.callable?).params.get(position)
}

/// True if a term of these types can be at a place; unknown types fit anywhere.
fn fits(facts: &Facts, found: &TypeSet, wanted: &TypeSet) -> bool {
    let types = &facts.model.types;
    !found.is_known(types) || !wanted.is_known(types) || found.may_meet(wanted, types)
}

fn is_receiver(facts: &Facts, stray: &Stray) -> bool {
    let recipients = facts.model.observes.iter().flat_map(|observe| &observe.recipients);
    recipients.flat_map(|recipient| &recipient.receivers).any(|(arg, _)| arg.name.range == stray.name.range)
}

/// Declares the name with the type of the argument position it is used at.
fn declare(facts: &Facts, stray: &Stray) -> Option<Fix> {
    let model = &facts.model;
    let atom = model.uses.iter().find(|atom| atom.file == stray.file && atom.range.contains_range(stray.name.range))?;
    let position = atom.args.iter().position(|arg| arg.name.range == stray.name.range)?;
    let types = model.callable(atom.callable?).params.get(position)?;
    let ty = *types.as_slice().first()?;
    let text = match ty {
        OBJECT => stray.name.text.to_string(),
        ty => format!("{} - {}", stray.name.text, model.names.text(model.types.of(ty).name)),
    };
    let edit = match stray.file == model.domain_file {
        true => facts.declare(":constants", &text)?,
        false => {
            let section = model.problem?.sections.iter().find(|section| section.keyword.is(":objects"))?;
            let range = percept_syntax::TextRange::at(section.range.end.saturating_sub(1));
            crate::TextEdit { file: stray.file, range, insert: format!(" {text}") }
        }
    };
    Some(Fix::new(format!("Declare `{text}`"), vec![edit]))
}

/// Reports a name in the domain that only this problem declares.
fn only_in_problem(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut seen = Vec::new();
    let problem = model.problem.map(|problem| (model.problem_file, problem.range));
    let in_problem =
        |atom: &AtomUse| problem.is_some_and(|(file, range)| atom.file == file && range.contains_range(atom.range));
    for atom in model.uses.iter().filter(|atom| !in_problem(atom)) {
        for (i, term) in model.terms_of(atom).iter().enumerate() {
            let Term::Object(id) = *term else { continue };
            let places = &model.object(id).places;
            if places.iter().any(|place| !place.in_problem) || seen.contains(&id) || seen.len() > 100 {
                continue;
            }
            seen.push(id);
            let name = facts.term(*term);
            let message = format!(
                "`{name}` is an object of the problem: objects that the domain names belong in its `:constants`"
            );
            let finding = facts.at(&RULE, atom.file, model.term_range(atom, i), message);
            findings.push(finding.related(places[0].file, places[0].written.range, "declared here"));
        }
    }
}
