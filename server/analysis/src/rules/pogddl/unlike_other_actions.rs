//! An action that lacks a part that all others have: a message, the turn as a condition, the next turn.

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;

use super::mends;
use crate::pddl::{ActionModel, EffectNode, Facts, Formula, KeyId, Object, Place, Term, UseId};
use crate::{Diagnostic, Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unlike-other-actions", severity: Severity::Warning, page: include_str!("unlike-other-actions.md") };

/// Other actions that make a habit.
const OTHERS: usize = 2;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let actions: Vec<&ActionModel> = model.actions.iter().filter(|action| action.timed.is_none()).collect();
    if !model.is_pogddl || !facts.domain_is_sound() || actions.len() < actions_of(model) {
        return;
    }
    let is_silent = |at: usize| !model.observes.iter().any(|observe| observe.place == Place::Action(at as u32));
    let has_no_turn = |at: usize| !reads_turn(facts, actions[at]);
    let mut list: Vec<Diagnostic> = Vec::new();
    let at =
        |action: &ActionModel, message: String| facts.at(&RULE, model.domain_file, action.action.name.range, message);
    if let Some(odd) = only(actions.len(), has_no_turn) {
        let own = read(facts, actions[odd]);
        let other = actions.iter().find(|other| {
            let mut all = read(facts, other);
            all.retain(|name| *name != "whoseturn");
            all == own && !std::ptr::eq(**other, actions[odd])
        });
        if let Some(other) = other {
            let message = format!(
                "any role with the turn can play `{}`: require `(whoseturn ...)` of its role, as `{}` and all others do",
                name(actions[odd]),
                name(other)
            );
            list.push(at(actions[odd], message).offer(turns(facts, actions[odd], true)));
        }
    }
    // Another rule is about movers that do not perceive their own move. One player alone may know nothing of chance.
    let of_chance = |odd: &usize| is_of_chance(facts, actions[*odd]) && players(facts) > 1;
    if let Some(odd) = only(actions.len(), is_silent).filter(of_chance) {
        let message = format!(
            "`{}` sends no message, though every other action does: add `(observe (all {}))`, with `u` for what is hidden",
            name(actions[odd]),
            actions[odd].action.call()
        );
        let observe = format!("(observe (all {}))", actions[odd].action.call());
        let fix = actions[odd].action.with_effect(model.domain_file, &observe);
        list.push(at(actions[odd], message).offer([fix]));
    }
    // For each situation, the first action that passes the turn on.
    let mut givers: FxHashMap<Moment, &ActionModel> = FxHashMap::default();
    for action in actions.iter().filter(|action| gives(facts, &action.effects)) {
        if let Some(moment) = moment(facts, action) {
            givers.entry(moment).or_insert(action);
        }
    }
    for action in &actions {
        let Some(taken) = taken(facts, action).filter(|_| !gives(facts, &action.effects)) else { continue };
        let Some(other) = moment(facts, action).and_then(|moment| givers.get(&moment)) else { continue };
        let message = format!(
            "after `{}` no role has the turn, though `{}` passes it on in the same situation: add `(whoseturn ...)` for the next role",
            name(action),
            name(other)
        );
        let finding = at(action, message).related(model.domain_file, taken, "taken away here");
        list.push(finding.offer(turns(facts, action, false)));
    }
    list.into_iter().for_each(|finding| findings.push(finding));
}

/// Requires the turn, or gives it, as similar actions do; or requires the turn that the action takes away.
fn turns(facts: &Facts, action: &ActionModel, is_condition: bool) -> Vec<Fix> {
    let model = &facts.model;
    let own = action.effects.iter().filter_map(|effect| match effect {
        EffectNode::Delete { atom, .. } if is_turn(facts, *atom) && is_condition => {
            let turn = model.text(model.domain_file, model.atom(*atom).range);
            Some(action.action.with_condition(model.domain_file, turn))
        }
        _ => None,
    });
    let lacks = model.domain.map(|domain| domain.lacks(action.action, model.domain_file)).unwrap_or_default();
    let turns = lacks.into_iter().filter(|lack| {
        lack.predicate.eq_ignore_ascii_case("whoseturn") && lack.is_positive && lack.is_condition == is_condition
    });
    mends::distinct(own.chain(turns.map(|lack| lack.fix)))
}

/// The actions of the domain, of which the model may leave some out.
fn actions_of(model: &crate::pddl::Model) -> usize {
    model.domain.map_or(0, |domain| domain.actions.len())
}

fn name<'a>(action: &ActionModel<'a>) -> &'a str {
    &action.action.name.text
}

/// The only one of several for which something holds.
fn only(count: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    let mut all = (0..count).filter(|at| holds(*at));
    let odd = all.next()?;
    (all.next().is_none() && count > OTHERS).then_some(odd)
}

fn is_turn(facts: &Facts, atom: UseId) -> bool {
    facts.model.atom(atom).name.is("whoseturn")
}

/// The number of roles that are not chance.
fn players(facts: &Facts) -> usize {
    let model = &facts.model;
    let turn = model.names.get("whoseturn").and_then(|name| model.predicates.get(&name));
    let Some(wanted) = turn.and_then(|id| model.callable(*id).params.first()) else { return 0 };
    let is_player = |object: &&Object| {
        let types = object.places.first().map(|place| &place.types);
        model.names.text(object.name) != "chance" && types.is_some_and(|types| types.suits(wanted, &model.types))
    };
    model.objects.iter().filter(is_player).count()
}

/// True if some part of the precondition reads whose turn it is.
fn reads_turn(facts: &Facts, action: &ActionModel) -> bool {
    fn reads(facts: &Facts, formula: &Formula) -> bool {
        match formula {
            Formula::Literal { atom, .. } => is_turn(facts, *atom),
            Formula::And { parts, .. } | Formula::Or { parts, .. } => parts.iter().any(|part| reads(facts, part)),
            Formula::Exists { body, .. } | Formula::Forall { body, .. } => reads(facts, body),
            Formula::Unknown { .. } => true,
            Formula::Equal { .. } | Formula::Compare { .. } => false,
        }
    }
    action.precondition.as_ref().is_some_and(|formula| reads(facts, formula))
}

/// The predicates that a precondition requires, sorted.
fn read<'f>(facts: &'f Facts, action: &ActionModel) -> Vec<&'f str> {
    let mut names = Vec::new();
    if let Some(precondition) = &action.precondition {
        precondition.conjuncts(&mut |part| {
            if let Formula::Literal { positive: true, atom, .. } = part {
                names.push(facts.model.atom(*atom).name.text.as_str());
            }
        });
    }
    names.sort_unstable();
    names
}

fn is_of_chance(facts: &Facts, action: &ActionModel) -> bool {
    super::unseen_own_move::mover(facts, action).is_some_and(|mover| facts.term(mover) == "chance")
}

/// The place of an effect that takes the turn away.
fn taken(facts: &Facts, action: &ActionModel) -> Option<TextRange> {
    action.effects.iter().find_map(|effect| match effect {
        EffectNode::Delete { atom, range } if is_turn(facts, *atom) => Some(*range),
        _ => None,
    })
}

/// True if some effect gives a role the turn.
fn gives(facts: &Facts, effects: &[EffectNode]) -> bool {
    effects.iter().any(|effect| match effect {
        EffectNode::Add(atom) => is_turn(facts, *atom),
        EffectNode::When { effects, .. } | EffectNode::Forall { effects, .. } => gives(facts, effects),
        EffectNode::Delete { .. } | EffectNode::Assign { .. } | EffectNode::Observe => false,
    })
}

/// The facts without variables that an action needs, sorted: the turn, and at least one more.
type Moment = Vec<KeyId>;

fn moment(facts: &Facts, action: &ActionModel) -> Option<Moment> {
    let (mut keys, mut has_turn) = (Vec::new(), false);
    action.precondition.as_ref()?.conjuncts(&mut |part| {
        if let Formula::Literal { positive: true, atom, .. } = part
            && facts.model.terms(*atom).iter().all(|term| matches!(term, Term::Object(_)))
        {
            keys.push(facts.model.atom(*atom).key);
            has_turn |= is_turn(facts, *atom);
        }
    });
    keys.sort_unstable();
    (has_turn && keys.len() > 1).then_some(keys)
}
