//! `all`, `others` and `u`, undeclared or in the wrong place.

use percept_syntax::TextRange;

use crate::pddl::{AtomUse, Facts, Term, UseKind, is_reserved};
use crate::{Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "reserved-constant", severity: Severity::Warning, page: include_str!("reserved-constant.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !model.is_pogddl {
        return;
    }
    undeclared(facts, findings);
    for atom in &model.uses {
        for (position, term) in model.terms_of(atom).iter().enumerate() {
            misplaced(facts, atom, position, *term, findings);
        }
    }
}

/// Reports each word once, at its first use.
fn undeclared(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut first: Vec<(&str, TextRange)> = Vec::new();
    let mut note = |word: &'static str, range| {
        if model.object_named(word).is_none()
            && !facts.may_be_hidden(word)
            && !first.iter().any(|(other, _)| *other == word)
        {
            first.push((word, range));
        }
    };
    for recipient in model.observes.iter().flat_map(|observe| &observe.recipients) {
        for (arg, _) in recipient.receivers.iter().filter(|(arg, _)| !arg.is_variable) {
            ["all", "others"].into_iter().filter(|word| arg.name.is(word)).for_each(|word| note(word, arg.name.range));
        }
        let message = recipient.message.map(|id| model.atom(id));
        for arg in message.into_iter().flat_map(|atom| atom.args).filter(|arg| !arg.is_variable && arg.name.is("u")) {
            note("u", arg.name.range);
        }
    }
    // One cause, one finding, at the first of the words.
    let Some((_, range)) = first.iter().min_by_key(|(_, range)| range.start).copied() else { return };
    let words: Vec<&str> =
        ["all", "others", "u"].into_iter().filter(|word| first.iter().any(|(w, _)| w == word)).collect();
    let list = words.join(" ");
    let message = format!("declare the reserved words: `(:constants {list} - other)`, with `other` in `:types`");
    let mut finding = facts.at(&RULE, model.domain_file, range, message);
    let has_type =
        model.names.get("other").and_then(|name| model.types.get(name)).is_some_and(|ty| model.types.is_known(ty));
    let type_edit = if has_type { None } else { facts.declare(":types", "other") };
    // A missing `:types` section may be in another file, and a first type here would exclude all others.
    if !has_type && !facts.declares(":types") {
        findings.push(finding);
        return;
    }
    if let Some(edit) = facts.declare(":constants", &format!("{list} - other")) {
        let edits = type_edit.into_iter().chain([edit]).collect();
        finding.fixes.push(Fix::new(format!("Declare `{list}`"), edits));
    }
    findings.push(finding);
}

/// Reports misplaced words: `all` and `others` are receivers; `u` belongs in messages.
fn misplaced(facts: &Facts, atom: &AtomUse, position: usize, term: Term, findings: &mut Findings) {
    let Some(arg) = atom.args.get(position).filter(|arg| !arg.is_variable) else { return };
    let declared_reserved =
        matches!(term, Term::Object(id) if of_type_other(facts, id)) || matches!(term, Term::Unknown(_));
    if !declared_reserved {
        return;
    }
    let message = if is_reserved(&arg.name) {
        format!("`{}` is a word for receivers and means nothing among arguments: name a role", arg.name.text)
    } else if arg.name.is("u") && atom.kind != UseKind::Message {
        "`u` marks a hidden argument of a message: in facts and effects it is not an object".to_owned()
    } else {
        return;
    };
    findings.push(facts.at(&RULE, atom.file, arg.name.range, message));
}

/// An author may have a constant of that name with another meaning.
fn of_type_other(facts: &Facts, id: crate::pddl::ObjectId) -> bool {
    let model = &facts.model;
    model
        .object(id)
        .places
        .iter()
        .any(|place| place.types.as_slice().iter().any(|ty| model.names.text(model.types.of(*ty).name) == "other"))
}
