//! The numbers that matter: those read by a condition, or by the new value of a number that matters, or, if requested,
//! by the gains. A number that is never read makes no difference, whatever its value, and is left out.

use percept_syntax::pddl::{Condition, Domain, Effect};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::{key, numbers};

/// The symbols of the numbers that matter.
pub(super) fn numbers_of(domain: &Domain, goals: bool) -> FxHashSet<SmolStr> {
    let mut read = FxHashSet::default();
    domain.derived.iter().for_each(|rule| condition(&rule.body, &mut read));
    for action in &domain.actions {
        action.precondition.iter().for_each(|it| condition(it, &mut read));
        action.effect.iter().for_each(|it| conditions(it, &mut read));
    }
    for gain in domain.gains.iter().filter(|_| goals) {
        condition(&gain.condition, &mut read);
        numbers(&gain.value, &mut |atom| {
            read.insert(key(&atom.name));
        });
    }
    loop {
        let before = read.len();
        domain.actions.iter().filter_map(|action| action.effect.as_ref()).for_each(|it| values(it, &mut read));
        if read.len() == before {
            return read;
        }
    }
}

fn condition(of: &Condition, read: &mut FxHashSet<SmolStr>) {
    match of {
        Condition::Compare { left, right, .. } => [left, right].into_iter().for_each(|side| {
            numbers(side, &mut |atom| {
                read.insert(key(&atom.name));
            });
        }),
        Condition::Not { inner, .. } => condition(inner, read),
        Condition::And { parts, .. } | Condition::Or { parts, .. } => parts.iter().for_each(|it| condition(it, read)),
        Condition::Imply { left, right, .. } => {
            condition(left, read);
            condition(right, read);
        }
        Condition::Exists { body, .. } | Condition::Forall { body, .. } => condition(body, read),
        Condition::Atom(_) | Condition::Equal { .. } | Condition::Error { .. } | Condition::Outside(_) => {}
    }
}

/// The numbers that the conditions of an effect read.
fn conditions(effect: &Effect, read: &mut FxHashSet<SmolStr>) {
    match effect {
        Effect::And { parts, .. } => parts.iter().for_each(|part| conditions(part, read)),
        Effect::When { condition: when, effect, .. } => {
            condition(when, read);
            conditions(effect, read);
        }
        Effect::Forall { effect, .. } => conditions(effect, read),
        Effect::Add(_) | Effect::Delete { .. } | Effect::Assign { .. } | Effect::Observe { .. } => {}
        Effect::Error { .. } | Effect::Outside { .. } => {}
    }
}

/// The numbers that the new values of relevant numbers read.
fn values(effect: &Effect, read: &mut FxHashSet<SmolStr>) {
    match effect {
        Effect::And { parts, .. } => parts.iter().for_each(|part| values(part, read)),
        Effect::When { effect, .. } | Effect::Forall { effect, .. } => values(effect, read),
        Effect::Assign { target, value, .. } if read.contains(&key(&target.name)) => numbers(value, &mut |atom| {
            read.insert(key(&atom.name));
        }),
        Effect::Assign { .. } | Effect::Add(_) | Effect::Delete { .. } | Effect::Observe { .. } => {}
        Effect::Error { .. } | Effect::Outside { .. } => {}
    }
}
