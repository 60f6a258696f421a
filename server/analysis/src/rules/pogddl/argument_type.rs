//! Arguments whose type can never be the declared one.

use rustc_hash::FxHashSet;

use crate::pddl::{AtomUse, Callable, CallableId, Facts, Term, TypeSet, UseKind};
use crate::{Findings, Fix, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "argument-type", severity: Severity::Error, page: include_str!("argument-type.md") };

/// How an argument's types relate to the declared ones.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Match {
    Within,
    /// Some of its objects are of the declared type.
    Partly,
    Never,
}

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut wrong: Vec<Vec<(&AtomUse, usize)>> = vec![Vec::new(); model.callables.len()];
    let mut uses = vec![0_u32; model.callables.len()];
    for atom in &model.uses {
        let Some(id) = atom.callable else { continue };
        uses[id.0 as usize] += 1;
        for position in 0..atom.terms.len() {
            if judge(facts, atom, position) == Match::Never {
                wrong[id.0 as usize].push((atom, position));
            }
        }
    }
    for (i, list) in wrong.iter().enumerate() {
        let callable = model.callable(CallableId(i as u32));
        let Some(&(first, position)) = list.first() else { continue };
        let all = uses[i] > 2 && list.iter().filter(|(_, at)| *at == position).count() == uses[i] as usize;
        if all {
            declaration(facts, callable, first, position, findings);
            continue;
        }
        let mut last = None;
        for (atom, position) in list {
            // Two wrong arguments of one atom are one slip.
            if last != Some(atom.range) {
                one(facts, callable, atom, *position, findings);
            }
            last = Some(atom.range);
        }
    }
}

/// Compares the types of an argument with those of its place.
pub(super) fn judge(facts: &Facts, atom: &AtomUse, position: usize) -> Match {
    let model = &facts.model;
    let Some(callable) = atom.callable.map(|id| model.callable(id)) else { return Match::Within };
    if facts.header_is_broken(atom.place) {
        return Match::Within;
    }
    let term = model.terms_of(atom)[position];
    let (Some(wanted), Some(found)) = (callable.params.get(position), model.types_of(term)) else {
        return Match::Within;
    };
    judge_types(facts, found, wanted)
}

/// Predicates with a fact or effect whose arguments are of impossible types: what follows from that is not told.
pub(super) fn doubtful(facts: &Facts) -> FxHashSet<CallableId> {
    let model = &facts.model;
    let sets = |atom: &&AtomUse| matches!(atom.kind, UseKind::Add | UseKind::Head | UseKind::InitFact);
    let wrong = |atom: &&AtomUse| (0..atom.terms.len()).any(|position| judge(facts, atom, position) == Match::Never);
    model.uses.iter().filter(sets).filter(wrong).filter_map(|atom| atom.callable).collect()
}

fn judge_types(facts: &Facts, found: &TypeSet, wanted: &TypeSet) -> Match {
    let types = &facts.model.types;
    if !found.is_known(types) || !wanted.is_known(types) || found.within(wanted, types) {
        Match::Within
    } else if found.may_meet(wanted, types) {
        Match::Partly
    } else {
        Match::Never
    }
}

/// Every use has another type at this place: the declaration is at fault.
fn declaration(facts: &Facts, callable: &Callable, atom: &AtomUse, position: usize, findings: &mut Findings) {
    let model = &facts.model;
    let wanted = describe(facts, &callable.params[position]);
    let found = model.types_of(model.terms_of(atom)[position]).map(|types| describe(facts, types)).unwrap_or_default();
    let name = &callable.declaration.name;
    let message = format!(
        "argument {} of `{}` is declared as `{wanted}`, but is a `{found}` wherever it is used",
        position + 1,
        name.text
    );
    let finding = facts.at(&RULE, model.domain_file, name.range, message);
    findings.push(finding.related(atom.file, model.term_range(atom, position), "used here"));
}

fn one(facts: &Facts, callable: &Callable, atom: &AtomUse, position: usize, findings: &mut Findings) {
    let model = &facts.model;
    let term = model.terms_of(atom)[position];
    let found = model.types_of(term).map(|types| describe(facts, types)).unwrap_or_default();
    let wanted = describe(facts, &callable.params[position]);
    let message = format!("`{}` is a `{found}`, but `{}` takes a `{wanted}` here", facts.term(term), atom.name.text);
    let mut finding = facts.at(&RULE, atom.file, model.term_range(atom, position), message);
    finding = finding.related(model.domain_file, callable.declaration.name.range, "declared here");
    if let Some(fix) = exchange(facts, callable, atom, position) {
        finding.message += ": are the arguments in the wrong order?";
        finding.fixes.push(fix);
    }
    let decided = place_of(facts, term);
    if let Some((file, range)) = decided {
        finding = finding.related(file, range, "its type is given here");
    }
    findings.push(finding);
}

fn place_of(facts: &Facts, term: Term) -> Option<(crate::FileId, percept_syntax::TextRange)> {
    match term {
        Term::Variable(id) => Some((facts.model.variable(id).file, facts.model.variable(id).name.range)),
        Term::Object(id) => facts.model.object(id).places.first().map(|place| (place.file, place.written.range)),
        Term::Unknown(_) => None,
    }
}

/// The exchange with another argument that makes both right.
fn exchange(facts: &Facts, callable: &Callable, atom: &AtomUse, position: usize) -> Option<Fix> {
    let model = &facts.model;
    if atom.kind == UseKind::Head || atom.terms.len() != callable.params.len() {
        return None;
    }
    let terms = model.terms_of(atom);
    let fits = |term: Term, place: usize| {
        model.types_of(term).is_some_and(|types| judge_types(facts, types, &callable.params[place]) == Match::Within)
    };
    let other = (0..terms.len()).find(|other| {
        *other != position && terms[*other] != terms[position] && fits(terms[position], *other) && fits(terms[*other], position)
    })?;
    let (here, there) = (&atom.args[position], &atom.args[other]);
    let written = |arg: &percept_syntax::pddl::Arg| model.text(atom.file, arg.name.range).to_string();
    let edit = |at: &percept_syntax::pddl::Arg, insert| TextEdit { file: atom.file, range: at.name.range, insert };
    let edits = vec![edit(here, written(there)), edit(there, written(here))];
    Some(Fix { title: "Exchange the two arguments".to_owned(), edits })
}

/// `card`, or `card or slot`.
pub(super) fn describe(facts: &Facts, types: &TypeSet) -> String {
    let model = &facts.model;
    let names: Vec<_> = types.as_slice().iter().map(|id| model.names.text(model.types.of(*id).name)).collect();
    names.join(" or ")
}
