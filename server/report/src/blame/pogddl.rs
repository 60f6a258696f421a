//! POGDDL: the observations of the round's actions, and the gains or the precondition that cause the difference.

use crate::signs::PAIR;
use percept_game::Term;
use percept_infoset::{Property, Value};
use percept_syntax::TextRange;
use percept_syntax::pddl::{Action, Domain, Effect};

use super::{Case, Rule};
use crate::names;
use crate::speech::Speech;

/// The `observe`s of the actions in the round in which the histories diverge.
pub(super) fn silent(domain: &Domain, case: &Case<'_>) -> Vec<Rule> {
    let (game, name) = (case.game, case.role_name());
    let partings = case.partings();
    let Some((state, joint)) = partings.first() else { return vec![] };
    let seen = names::percepts(game, &Speech::default(), case.role, &game.rules.percepts(state, joint, case.role));
    let mut rules: Vec<Rule> = Vec::new();
    for (_, mv) in partings.iter().flat_map(|(_, joint)| names::made(game, joint)) {
        let Some(action) = action(domain, &mv) else { continue };
        let mut places = Vec::new();
        if let Some(effect) = &action.effect {
            observations(effect, &mut places);
        }
        let says = match places.is_empty() {
            true => format!("{mv} sends no message"),
            false => format!("{mv} sends {name} {seen} in both"),
        };
        let places = if places.is_empty() { vec![action.name.range] } else { places };
        for range in places {
            if rules.iter().all(|other| other.range != range) {
                rules.push(Rule::new(range, says.clone()));
            }
        }
    }
    rules
}

/// The statements that decide the property.
pub(super) fn deciding(domain: &Domain, case: &Case<'_>) -> Vec<Rule> {
    let legal = match (case.property, &case.witness.first_value, &case.witness.second_value) {
        (Property::Goal | Property::Terminal, ..) => {
            return domain.gains.iter().map(|gain| Rule::new(gain.range, "decides what a role gets")).collect();
        }
        (Property::Legal, Value::Legal(first), Value::Legal(second)) => [first, second],
        _ => return vec![],
    };
    let [first, second] = legal;
    let one_sided = [(first, second, PAIR[0]), (second, first, PAIR[1])];
    let one_sided = one_sided
        .iter()
        .flat_map(|(own, other, which)| own.iter().filter(|mv| !other.contains(mv)).map(move |&mv| (mv, which)));
    let names = one_sided.map(|(mv, which)| (case.game.rules.move_term(case.role, mv), which));
    let rules = names.filter_map(|(mv, which)| {
        let action = action(domain, &mv)?;
        let range = action.precondition.as_ref().map_or(action.name.range, |it| it.range());
        Some(Rule { mark: action.name.range, ..Rule::new(range, format!("allows {mv} in {which} only")) })
    });
    let mut rules: Vec<Rule> = rules.collect();
    rules.dedup_by(|left, right| left.range == right.range);
    rules
}

fn action<'d>(domain: &'d Domain, mv: &Term) -> Option<&'d Action> {
    domain.actions.iter().map(|action| &**action).find(|action| action.name.is(mv.head()))
}

/// Collects the places of an effect's `observe`s.
fn observations(effect: &Effect, places: &mut Vec<TextRange>) {
    match effect {
        Effect::And { parts, .. } => parts.iter().for_each(|part| observations(part, places)),
        Effect::When { effect, .. } | Effect::Forall { effect, .. } => observations(effect, places),
        Effect::Observe { range, .. } => places.push(*range),
        _ => {}
    }
}
