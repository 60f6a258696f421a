//! An effect that deletes an atom that its action does not require, or that never holds.

use super::mends;
use crate::pddl::{ActionModel, Binder, EffectNode, Facts, Formula, Number, Place, Term, UseId, VarId};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unfounded-delete", severity: Severity::Warning, page: include_str!("unfounded-delete.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !model.is_pogddl || !facts.is_whole() || facts.makes_unknown() {
        return;
    }
    // An atom that nothing makes true is reported at the place that reads it.
    let is_told = findings.reported_anywhere(&super::never_true::RULE);
    for (index, action) in model.actions.iter().enumerate() {
        let required = required(facts, action);
        for effect in &action.effects {
            if let EffectNode::Delete { atom, range } = effect {
                let text = facts.quote(model.domain_file, *range);
                let unmade = unmade(facts, *atom, &text).filter(|_| !is_told);
                let written = model.text(model.domain_file, model.atom(*atom).range);
                let fixes = match unmade {
                    Some(_) => mends::made_true(facts, model.atom(*atom)),
                    None => vec![action.action.with_condition(model.domain_file, written)],
                };
                let Some(message) = unmade.or_else(|| open(facts, *atom, &required)) else { continue };
                if !findings.reported(model.domain_file, *range) && facts.action_is_sound(index as u32) {
                    findings.push(facts.at(&RULE, model.domain_file, *range, message).offer(fixes));
                }
            }
        }
    }
}

/// Nothing makes the atom true.
fn unmade(facts: &Facts, deleted: UseId, text: &str) -> Option<String> {
    let model = &facts.model;
    let usage = facts.usage.of(model.atom(deleted).callable?);
    // A predicate that nothing makes true at all has rules of its own.
    let is_made = !(usage.adds.is_empty() && usage.init.is_empty() && usage.heads.is_empty());
    let is_unmade = is_made && !facts.usage.can_hold(model, model.atom(deleted));
    is_unmade.then(|| format!("`{text}` takes away what nothing makes true: no fact of `:init` and no effect fits it"))
}

/// A parameter of the atom is in no condition, although another of the action is.
fn open(facts: &Facts, deleted: UseId, required: &[VarId]) -> Option<String> {
    let model = &facts.model;
    let atom = model.atom(deleted);
    let is_open = |variable: &VarId| model.variable(*variable).binder == Binder::Action && !required.contains(variable);
    let variables = model.terms(deleted).iter().filter_map(|term| match term {
        Term::Variable(variable) => Some(*variable),
        _ => None,
    });
    let variable = variables.into_iter().find(is_open)?;
    // Another effect of the action may have made it.
    let adds = atom.callable.map_or(&[][..], |callable| &facts.usage.of(callable).adds);
    let is_made_here = adds.iter().any(|other| model.atom(*other).place == atom.place);
    let written = facts.quote(model.domain_file, atom.range);
    (!is_made_here && matches!(atom.place, Place::Action(_))).then(|| {
        format!(
            "`?{}` is in no condition, so this takes `{written}` away whether it holds or not: require it",
            model.variable(variable).name.text
        )
    })
}

/// The variables in the precondition of an action.
fn required(facts: &Facts, action: &ActionModel) -> Vec<VarId> {
    let mut required = Vec::new();
    if let Some(precondition) = &action.precondition {
        variables(facts, precondition, &mut required);
    }
    required
}

/// The variables in a condition.
fn variables(facts: &Facts, formula: &Formula, into: &mut Vec<VarId>) {
    let mut note = |terms: &[Term]| {
        into.extend(terms.iter().filter_map(|term| if let Term::Variable(id) = term { Some(*id) } else { None }));
    };
    match formula {
        Formula::Literal { atom, .. } => note(facts.model.terms(*atom)),
        Formula::Equal { left, right, .. } => note(&[*left, *right]),
        Formula::Compare { left, right, .. } => {
            for number in [left, right] {
                fluents(number, &mut |atom| note(facts.model.terms(atom)));
            }
        }
        Formula::And { parts, .. } | Formula::Or { parts, .. } => {
            parts.iter().for_each(|part| variables(facts, part, into));
        }
        Formula::Exists { body, .. } | Formula::Forall { body, .. } => variables(facts, body, into),
        Formula::Unknown { .. } => {}
    }
}

fn fluents(number: &Number, f: &mut impl FnMut(UseId)) {
    match number {
        Number::Fluent(atom) => f(*atom),
        Number::Operation { operands, .. } => operands.iter().for_each(|operand| fluents(operand, f)),
        Number::Constant { .. } | Number::Unknown => {}
    }
}

/// The parameters of an action that no condition mentions.
pub(super) fn open_parameters(facts: &Facts, action: &ActionModel) -> Vec<VarId> {
    let required = required(facts, action);
    action.variables.iter().copied().filter(|variable| !required.contains(variable)).collect()
}
