//! Predicates and functions with too many or too few arguments.

use crate::pddl::{AtomUse, CallableId, Facts, Term, TypeSet, replace};
use crate::{Findings, Fix, Rule, Severity};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "argument-count", severity: Severity::Error, page: include_str!("argument-count.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut wrong: Vec<Vec<&AtomUse>> = vec![Vec::new(); model.callables.len()];
    let mut right = vec![0_u32; model.callables.len()];
    for atom in &model.uses {
        let Some(id) = atom.callable else { continue };
        match atom.terms.len() == model.callable(id).params.len() {
            true => right[id.0 as usize] += 1,
            false => wrong[id.0 as usize].push(atom),
        }
    }
    for (i, uses) in wrong.iter().enumerate() {
        let id = CallableId(i as u32);
        let agreed = uses.len() > 1 && uses.iter().all(|atom| atom.terms.len() == uses[0].terms.len());
        if agreed && right[i] == 0 {
            declaration(facts, id, uses, findings);
        } else {
            uses.iter().for_each(|atom| one(facts, id, atom, findings));
        }
    }
}

/// All uses agree with each other, but not with the declaration.
fn declaration(facts: &Facts, id: CallableId, uses: &[&AtomUse], findings: &mut Findings) {
    let callable = facts.model.callable(id);
    let name = &callable.declaration.name;
    let message = format!(
        "`{}` is declared with {}, but used with {} everywhere",
        name.text,
        arguments(callable.params.len()),
        uses[0].terms.len()
    );
    let finding = facts.at(&RULE, facts.model.domain_file, name.range, message);
    findings.push(finding.related(uses[0].file, uses[0].range, "used here"));
}

fn one(facts: &Facts, id: CallableId, atom: &AtomUse, findings: &mut Findings) {
    let model = &facts.model;
    let callable = model.callable(id);
    let (wanted, found) = (callable.params.len(), atom.terms.len());
    let range = match found > wanted {
        true => model.term_range(atom, wanted).cover(model.term_range(atom, found - 1)),
        false => atom.name.range,
    };
    let shape = facts.quote(model.domain_file, callable.declaration.range);
    let message = format!("`{}` takes {}, here it has {found}: `{shape}`", atom.name.text, arguments(wanted));
    let finding = facts.at(&RULE, atom.file, range, message);
    let finding = finding.related(model.domain_file, callable.declaration.name.range, "declared here");
    findings.push(finding.offer(completed(facts, id, atom)));
}

/// Writes the argument that is missing: a variable of the same action or a constant, so that all have the declared
/// types. The best first: a variable that nothing else uses.
fn completed(facts: &Facts, id: CallableId, atom: &AtomUse) -> Vec<Fix> {
    const MOST: usize = 4;
    let model = &facts.model;
    let params = &model.callable(id).params;
    if atom.args.len() + 1 != params.len() || atom.args.is_empty() {
        return Vec::new();
    }
    let fits = |found: &TypeSet, at: usize| !found.is_known(&model.types) || found.may_meet(&params[at], &model.types);
    let own = |it: usize, at: usize| match model.terms_of(atom).get(it) {
        Some(Term::Variable(variable)) => fits(&model.variable(*variable).types, at),
        Some(Term::Object(object)) => model.object(*object).places.iter().any(|place| fits(&place.types, at)),
        _ => true,
    };
    let is_here = |name: &str| atom.args.iter().any(|arg| arg.name.is(name));
    // The same atom elsewhere in the action, with all its arguments.
    let is_elsewhere = |at: usize, value: &str| {
        let mut args: Vec<String> = model.terms_of(atom).iter().map(|term| facts.term(*term)).collect();
        args.insert(at, value.to_string());
        let here = model.uses.iter().filter(|it| it.place == atom.place && it.callable == atom.callable);
        let terms = here.map(|it| model.terms_of(it).iter().map(|term| facts.term(*term)).collect::<Vec<_>>());
        terms.into_iter().any(|other| other == args)
    };
    let mut written: Vec<(usize, Fix)> = Vec::new();
    for at in (0..params.len()).filter(|at| (0..atom.args.len()).all(|it| own(it, it + usize::from(it >= *at)))) {
        let place = match atom.args.get(at) {
            Some(next) => TextRange::at(next.name.range.start),
            None => TextRange::at(atom.range.end.saturating_sub(1)),
        };
        let space = |value: String| if at < atom.args.len() { format!("{value} ") } else { format!(" {value}") };
        let fix = |value: String| replace(format!("Add `{value}`"), atom.file, place, space(value));
        let here = model.variables.iter().filter(|it| it.place == atom.place && it.file == atom.file);
        let variables = here.filter(|it| fits(&it.types, at) && !is_here(&it.name.text));
        written.extend(variables.map(|it| {
            let value = format!("?{}", it.name.text);
            let rank = if it.uses == 0 { 0 } else { 2 - usize::from(is_elsewhere(at, &value)) };
            (rank, fix(value))
        }));
        let objects = model.objects.iter().filter(|it| it.places.iter().any(|place| fits(&place.types, at)));
        let names = objects.map(|it| model.names.text(it.name).to_string()).filter(|name| !is_here(name));
        written.extend(names.map(|name| (2 - usize::from(is_elsewhere(at, &name)), fix(name))));
    }
    written.sort_by_key(|(rank, _)| *rank);
    written.into_iter().map(|(_, fix)| fix).take(MOST).collect()
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no argument".to_owned(),
        1 => "one argument".to_owned(),
        many => format!("{many} arguments"),
    }
}
