//! A proof that no two roles ever have the turn at once.

use super::model::*;

/// The term `t` of a conjunct `(whoseturn t)` of the precondition.
pub(crate) fn required_turn(model: &Model, schema: &Schema) -> Option<Term> {
    schema.precondition.conjuncts().iter().find_map(|conjunct| match conjunct {
        Formula::Atom(atom) if atom.symbol == model.turn => Some(atom.args[0]),
        _ => None,
    })
}

/// True if at most one `whoseturn` fact holds in every reachable state: one holds initially, and an action that gives
/// the turn to one role takes it, under the same condition, from the role that has it by its precondition.
pub(crate) fn is_exclusive(model: &Model) -> bool {
    let initially = model.init.iter().filter(|(symbol, _)| *symbol == model.turn).count();
    initially <= 1 && model.schemas.iter().all(|schema| keeps_exclusive(model, schema))
}

/// A place in the effects that gives the turn away: its condition, and true if the same place takes the turn from its
/// holder.
struct Gift<'a> {
    condition: Option<&'a Formula>,
    takes: bool,
}

fn keeps_exclusive(model: &Model, schema: &Schema) -> bool {
    let Some(holder) = required_turn(model, schema) else { return !gives(model, &schema.items) };
    let takes = |items: &[Item]| {
        items
            .iter()
            .any(|item| matches!(item, Item::Delete(atom) if atom.symbol == model.turn && atom.args[0] == holder))
    };
    let always_takes = takes(&schema.items);
    let mut gifts = Vec::new();
    for item in &schema.items {
        match item {
            Item::Add(atom) if atom.symbol == model.turn => gifts.push(Gift { condition: None, takes: always_takes }),
            Item::Block(block) if gives(model, &block.items) => {
                let is_nested = block.items.iter().any(|item| matches!(item, Item::Block(_)));
                let count = block.items.iter().filter(|item| gives(model, std::slice::from_ref(item))).count();
                if is_nested || count > 1 || !block.vars.is_empty() {
                    return false;
                }
                gifts.push(Gift { condition: Some(&block.condition), takes: always_takes || takes(&block.items) });
            }
            _ => {}
        }
    }
    let apart = |left: &Gift, right: &Gift| match (left.condition, right.condition) {
        (Some(left), Some(right)) => contradict(left, right),
        _ => false,
    };
    gifts.iter().all(|gift| gift.takes)
        && (0..gifts.len()).all(|at| gifts[..at].iter().all(|earlier| apart(earlier, &gifts[at])))
}

fn gives(model: &Model, items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Add(atom) => atom.symbol == model.turn,
        Item::Block(block) => gives(model, &block.items),
        _ => false,
    })
}

/// True if one condition has a conjunct that is the negation of a conjunct of the other.
fn contradict(left: &Formula, right: &Formula) -> bool {
    let opposes = |one: &Formula, other: &Formula| match (one, other) {
        (Formula::Atom(atom), Formula::Not(inner)) | (Formula::Not(inner), Formula::Atom(atom)) => {
            matches!(&**inner, Formula::Atom(negated) if negated == atom)
        }
        _ => false,
    };
    left.conjuncts().iter().any(|one| right.conjuncts().iter().any(|other| opposes(one, other)))
}
