//! Actions that can never be played: a search forward from the initial state that ignores deletes and negations.

use super::formula::{Formula, UseId};
use super::model::{CallableId, Model};
use super::usage::{Usage, fits};

/// An action that can never be played, with the condition that never becomes true.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuck {
    pub action: u32,
    pub waits_for: UseId,
}

/// Returns the actions with a positive precondition that only unplayable actions could make true. A condition that
/// nothing at all makes true is skipped: it is a finding of its own, and explains its consequences.
pub(crate) fn stuck_actions(model: &Model, usage: &Usage) -> Vec<Stuck> {
    let needs: Vec<Vec<UseId>> = model.actions.iter().map(|action| needs(model, usage, &action.precondition)).collect();
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); model.callables.len()];
    let mut open: Vec<(u32, usize)> = (0..model.actions.len() as u32).map(|action| (action, 0)).collect();
    let mut at: Vec<usize> = vec![0; model.actions.len()];
    let mut playable = vec![false; model.actions.len()];
    let mut added: Vec<Vec<UseId>> = vec![Vec::new(); model.callables.len()];
    let adds = adds_by_action(model, usage);
    while let Some((action, from)) = open.pop() {
        let index = action as usize;
        let list = &needs[index];
        let missing = (from..list.len()).find(|i| !is_available(model, usage, &added, list[*i]));
        if let Some(missing) = missing {
            at[index] = missing;
            if let Some(head) = model.atom(list[missing]).callable {
                waiting[head.0 as usize].push(action);
            }
            continue;
        }
        if std::mem::replace(&mut playable[index], true) {
            continue;
        }
        for (head, id) in &adds[index] {
            added[head.0 as usize].push(*id);
            let woken = std::mem::take(&mut waiting[head.0 as usize]);
            open.extend(woken.into_iter().map(|action| (action, at[action as usize])));
        }
    }
    let stuck = playable.iter().enumerate().filter(|(_, playable)| !**playable);
    stuck.map(|(i, _)| Stuck { action: i as u32, waits_for: needs[i][at[i]] }).collect()
}

fn needs(model: &Model, usage: &Usage, precondition: &Option<Formula>) -> Vec<UseId> {
    let mut list = Vec::new();
    if let Some(precondition) = precondition {
        precondition.conjuncts(&mut |part| {
            if let Formula::Literal { positive: true, atom, .. } = part {
                list.push(*atom);
            }
        });
    }
    list.retain(|id| {
        let atom = model.atom(*id);
        atom.callable.is_some_and(|head| usage.of(head).heads.is_empty()) && usage.can_hold(model, atom)
    });
    list
}

fn adds_by_action(model: &Model, usage: &Usage) -> Vec<Vec<(CallableId, UseId)>> {
    let mut adds = vec![Vec::new(); model.actions.len()];
    for head in (0..model.callables.len() as u32).map(CallableId) {
        for id in &usage.of(head).adds {
            if let Some(action) = super::usage::action_of(model.atom(*id)) {
                adds[action as usize].push((head, *id));
            }
        }
    }
    adds
}

fn is_available(model: &Model, usage: &Usage, added: &[Vec<UseId>], need: UseId) -> bool {
    const PATIENCE: usize = 2_000;
    let atom = model.atom(need);
    let Some(head) = atom.callable else { return true };
    let terms = model.terms_of(atom);
    let fitting = |ids: &[UseId]| {
        ids.len() > PATIENCE
            || ids.iter().any(|id| model.atom(*id).key == atom.key || fits(model, terms, model.terms(*id)))
    };
    fitting(&added[head.0 as usize]) || fitting(&usage.of(head).init)
}
