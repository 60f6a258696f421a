//! Predicates and functions with too many or too few arguments.

use crate::pddl::{AtomUse, CallableId, Facts};
use crate::{Findings, Rule, Severity};

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
    findings.push(finding.related(model.domain_file, callable.declaration.name.range, "declared here"));
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no argument".to_owned(),
        1 => "one argument".to_owned(),
        many => format!("{many} arguments"),
    }
}
