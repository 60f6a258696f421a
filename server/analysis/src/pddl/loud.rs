//! Separates actions that may have findings from those that cannot. A large domain has thousands of actions with a few
//! plain parts, and judging each with all available knowledge takes a seventh of the time for a keystroke.

use smallvec::SmallVec;

use super::formula::{EffectNode, Formula, KeyId, UseId};
use super::model::{ActionModel, Model};
use super::usage::fits;

/// Actions with more literals than this are always judged, because each literal is compared with each.
const FEW: usize = 16;

type Few<T> = SmallVec<[T; FEW]>;

/// The actions that [`judge_conditions`](super::conditions::judge_conditions) and
/// [`judge_effects`](super::effects::judge_effects) have to judge, ascending. In the others they would find nothing.
pub(crate) fn loud_actions(model: &Model) -> Vec<u32> {
    (0..).zip(&model.actions).filter(|(_, action)| !is_quiet(model, action)).map(|(index, _)| index).collect()
}

/// True if an action requires a few different literals and has a few effects without conditions, none of which opposes
/// another or changes nothing, and at most one change of a number.
pub(super) fn is_quiet(model: &Model, action: &ActionModel) -> bool {
    let mut needs = Few::new();
    let is_plain = action.precondition.as_ref().is_none_or(|condition| literals(model, condition, &mut needs));
    if !is_plain || !differ(&needs) {
        return false;
    }
    let mut effects: Few<(UseId, bool)> = Few::new();
    let mut assigned = 0;
    for effect in &action.effects {
        match effect {
            EffectNode::Add(atom) => effects.push((*atom, true)),
            EffectNode::Delete { atom, .. } => effects.push((*atom, false)),
            EffectNode::Assign { .. } => assigned += 1,
            EffectNode::Observe => {}
            EffectNode::When { .. } | EffectNode::Forall { .. } => return false,
        }
    }
    let is_idle = |(atom, add): &(UseId, bool)| needs.contains(&(model.atom(*atom).key, *add));
    assigned <= 1 && effects.len() <= FEW && !effects.iter().any(is_idle) && !meet(model, &effects)
}

/// Collects the literals of a conjunction. Returns false if there are other parts or too many literals.
fn literals(model: &Model, condition: &Formula, into: &mut Few<(KeyId, bool)>) -> bool {
    match condition {
        Formula::Literal { positive, atom, .. } => {
            into.push((model.atom(*atom).key, *positive));
            into.len() <= FEW
        }
        Formula::And { parts, .. } => parts.iter().all(|part| literals(model, part, into)),
        _ => false,
    }
}

fn differ(literals: &[(KeyId, bool)]) -> bool {
    literals.iter().enumerate().all(|(at, (key, _))| literals[..at].iter().all(|(before, _)| before != key))
}

/// True if two effects are the same, or may be opposite.
fn meet(model: &Model, effects: &[(UseId, bool)]) -> bool {
    effects.iter().enumerate().any(|(at, (second, adds))| {
        let (second, terms) = (model.atom(*second), model.terms(*second));
        effects[..at].iter().any(|(first, added)| {
            let other = model.atom(*first);
            match (second.callable == other.callable, added == adds) {
                (false, _) => false,
                (true, true) => second.key == other.key,
                (true, false) => fits(model, model.terms_of(other), terms),
            }
        })
    })
}
