//! The verdicts on a role's knowledge, as plain data, and their proof by the exact filter.

use std::cmp::Reverse;

use percept_game::{Cursor, Game, JointMove, MoveId, RoleId, State};

use crate::reading::Reading;
use crate::{
    Budget, Pace, Stop,
    exact::{Edge, Filter},
};
use percept_game::view::{View, replay};

/// A property that a role should know at every point of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    /// The role's legal moves, if the match is not over.
    Legal,
    /// The end: true if the match is over.
    Terminal,
    /// The role's goal, if the match is over.
    Goal,
    /// The move that the role made in the last round ([`crate::own`]).
    Own,
}

impl Property {
    /// The properties of states, which are checked in every game.
    pub const ALL: [Property; 3] = [Property::Legal, Property::Terminal, Property::Goal];

    /// `legal`, `terminal`, `goal` or `own`.
    pub fn name(self) -> &'static str {
        match self {
            Property::Legal => "legal",
            Property::Terminal => "terminal",
            Property::Goal => "goal",
            Property::Own => "own",
        }
    }

    /// Returns the property of this name.
    pub fn named(name: &str) -> Option<Property> {
        Property::ALL.into_iter().chain([Property::Own]).find(|property| property.name() == name)
    }

    /// Returns the property's value for `role` in `state`; `None` if it does not apply there, or is not a property of
    /// states.
    pub fn of(self, game: &Game, state: &State, role: RoleId) -> Option<Value> {
        self.at(&mut *game.at(state), role)
    }

    /// Returns the property's value for `role` after a history that ends in `state`; `None` if it does not apply there.
    pub fn after(self, game: &Game, history: &[JointMove], state: &State, role: RoleId) -> Option<Value> {
        match self {
            Property::Own => Some(Value::Own(history.last()?[role.0 as usize])),
            Property::Legal | Property::Terminal | Property::Goal => self.of(game, state, role),
        }
    }

    /// [`Property::of`] the state at the cursor's position.
    pub(crate) fn at(self, at: &mut dyn Cursor, role: RoleId) -> Option<Value> {
        let terminal = at.is_terminal();
        match self {
            Property::Legal => (!terminal).then(|| {
                let mut legal = at.legal(role);
                legal.sort_unstable();
                Value::Legal(legal)
            }),
            Property::Terminal => Some(Value::Terminal(terminal)),
            Property::Goal => terminal.then(|| {
                let mut goals = at.goals(role);
                goals.sort_unstable();
                Value::Goal(goals)
            }),
            Property::Own => None,
        }
    }
}

/// A property's value in one state, or after one history.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// The legal moves in ascending order.
    Legal(Vec<MoveId>),
    /// True if the match is over.
    Terminal(bool),
    /// The goals that hold, in ascending order.
    Goal(Vec<i64>),
    /// The move made in the last round.
    Own(MoveId),
}

/// Two histories with the same view and different values of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The first history: a joint move for each round.
    pub first: Vec<JointMove>,
    /// The second history, as long as `first`.
    pub second: Vec<JointMove>,
    /// The property's value at the end of `first`.
    pub first_value: Value,
    /// The property's value at the end of `second`.
    pub second_value: Value,
    /// True if `first` is the match itself (and not another history of the same view).
    pub first_is_match: bool,
}

impl Witness {
    /// Returns the first round (from 1) in which the two histories differ.
    pub fn parting(&self) -> usize {
        self.first.iter().zip(&self.second).take_while(|(left, right)| left == right).count() + 1
    }

    /// Simulates both histories again; true if they have the same view and the stated values.
    pub fn holds(&self, game: &Game, view: &View, property: Property) -> bool {
        let value = |history: &[JointMove]| {
            replay(game, view, history).ok().and_then(|(state, _)| property.after(game, history, &state, view.role))
        };
        self.first_value != self.second_value
            && value(&self.first).as_ref() == Some(&self.first_value)
            && value(&self.second).as_ref() == Some(&self.second_value)
    }
}

/// The verdict on one property.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Proved: every member agrees.
    Known,
    /// Refuted by a witness.
    Unknown(Box<Witness>),
    /// Neither proved nor refuted within the budget.
    Undecided {
        /// The number of sampled members that agreed.
        agreed: u64,
        /// The limit that was reached.
        why: Stop,
    },
}

impl Verdict {
    /// Returns the verdict's name, as commands print it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Known => "known",
            Verdict::Unknown(_) => "unknown",
            Verdict::Undecided { .. } => "undecided",
        }
    }
}

/// The verdict on one property for one role after one round (0: before the first move).
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The role that should know the property.
    pub role: RoleId,
    /// The number of rounds played; 0 is before the first move.
    pub round: usize,
    /// The property that was judged.
    pub property: Property,
    /// The verdict on the property.
    pub verdict: Verdict,
    /// The method that settled it: `exact`, `sat`, `search` (finds only differences) or `announced` (the protocol
    /// announces the end). Own moves may also be settled by `structure` (the rules, for all matches) and `definition`
    /// (of the language).
    pub method: &'static str,
    /// The outcome of a second reading of the rules, for a verdict `other`. `None` for all other verdicts, and for an
    /// announced end.
    pub reading: Option<Reading>,
}

/// A match and its states, as seen by one role.
pub(crate) struct RoleMatch<'a> {
    pub game: &'a Game,
    pub view: View,
    pub moves: &'a [JointMove],
    pub states: &'a [State],
    pub announce_end: bool,
    /// The properties to judge.
    pub properties: &'a [Property],
}

impl RoleMatch<'_> {
    /// The properties to judge after `round` rounds; own moves only after the first one.
    pub(crate) fn properties(&self, round: usize) -> impl Iterator<Item = Property> + '_ {
        self.properties.iter().copied().filter(move |&property| property != Property::Own || round > 0)
    }

    /// The value in the match after `round` rounds.
    pub(crate) fn real(&self, round: usize, property: Property) -> Option<Value> {
        property.after(self.game, &self.moves[..round], &self.states[round], self.view.role)
    }

    /// The property's value in a possible state; `None` if it does not apply, or if the role can exclude the state
    /// because it is announced whether the match is over.
    pub(crate) fn value(&self, round: usize, state: &State, property: Property) -> Option<Value> {
        self.value_after(round, &[], state, property)
    }

    /// Like [`RoleMatch::value`], after a history that ends in the state.
    pub(crate) fn value_after(
        &self,
        round: usize,
        history: &[JointMove],
        state: &State,
        property: Property,
    ) -> Option<Value> {
        let rules = &self.game.rules;
        if self.announce_end && rules.terminal(state) != rules.terminal(&self.states[round]) {
            return None;
        }
        property.after(self.game, history, state, self.view.role)
    }

    /// The verdict `unknown`, if the two histories prove it.
    pub(crate) fn unknown(
        &self,
        round: usize,
        property: Property,
        first: Option<(Vec<JointMove>, Value)>,
        second: (Vec<JointMove>, Value),
    ) -> Option<Verdict> {
        let first_is_match = first.is_none();
        let (first, first_value) = match first {
            Some(first) => first,
            None => (self.moves[..round].to_vec(), self.real(round, property)?),
        };
        let witness = Witness { first, second: second.0, first_value, second_value: second.1, first_is_match };
        let holds = witness.holds(self.game, &self.view.prefix(round), property);
        holds.then(|| Verdict::Unknown(Box::new(witness)))
    }
}

/// Judges one role along a match in one forward pass over the states that fit its view.
///
/// With `beam`, only this number of states is kept after each round, first those of the histories closest to the match.
/// Differences are then found, but nothing is proved. `passed` gets the filter after every round, `found` every
/// verdict.
pub(crate) fn by_exact(
    role_match: &RoleMatch<'_>,
    memory: usize,
    beam: Option<usize>,
    budget: &Budget,
    mut passed: impl FnMut(&Filter<'_>),
    mut found: impl FnMut(usize, Property, Verdict),
) -> Result<(), Stop> {
    let mut filter = Filter::new(role_match.game, memory);
    let (mut before, mut closest) = (Vec::new(), vec![Closest::default()]);
    let mut cut = false;
    for round in 0..=role_match.view.len() {
        if round > 0 {
            budget.report("rounds filtered", round - 1, Some(role_match.view.len()));
            if let Some(beam) = beam.filter(|&beam| beam < closest.len()) {
                let mut kept: Vec<usize> = (0..closest.len()).collect();
                kept.sort_by_key(|&index| closest[index].order(index));
                kept.truncate(beam);
                filter.keep(&kept);
                closest = kept.iter().map(|&index| closest[index]).collect();
                if round > 1 {
                    filter.layers[round - 2].step_of = closest.iter().map(|state| state.edge).collect();
                }
                cut = true;
            }
            filter.advance(&role_match.view, budget, None)?;
            let next = Closest::advance(&filter, &closest, &role_match.moves[round - 1]);
            before = std::mem::replace(&mut closest, next);
            filter.layers[round - 1].step_of = closest.iter().map(|state| state.edge).collect();
        }
        passed(&filter);
        for property in role_match.properties(round) {
            if role_match.announce_end && property == Property::Terminal {
                continue;
            }
            let mut verdict = match property {
                Property::Own => judge_moves(role_match, &filter, &before, round, budget)?,
                _ => judge(role_match, &filter, &closest, round, property, budget)?,
            };
            if cut && verdict == Verdict::Known {
                let agreed = closest.len() as u64;
                verdict = Verdict::Undecided { agreed, why: Stop::OutOfMemory };
            }
            found(round, property, verdict);
        }
    }
    Ok(())
}

/// # Errors
/// Fails if the budget is spent before a difference is found: if rules are interpreted, a state can take long.
fn judge(
    role_match: &RoleMatch<'_>,
    filter: &Filter<'_>,
    closest: &[Closest],
    round: usize,
    property: Property,
    budget: &Budget,
) -> Result<Verdict, Stop> {
    let layer = filter.last();
    let mut order: Vec<usize> = (0..layer.states.len()).collect();
    order.sort_by_key(|&index| closest[index].order(index));
    let mut first: Option<(usize, Value)> = None;
    let real = role_match.real(round, property);
    for (looked_at, index) in order.into_iter().enumerate() {
        if let Some(stop) = budget.stop().filter(|_| looked_at > 0) {
            return Err(stop);
        }
        let Some(value) = role_match.value(round, &layer.states[index], property) else {
            continue;
        };
        let history = |index: usize| history_of(filter, round, index);
        let verdict = match (&real, &first) {
            (Some(real), _) if value != *real => role_match.unknown(round, property, None, (history(index), value)),
            (Some(_), _) => None,
            (None, Some((other, other_value))) if value != *other_value => role_match.unknown(
                round,
                property,
                Some((history(*other), other_value.clone())),
                (history(index), value),
            ),
            (None, Some(_)) => None,
            (None, None) => {
                first = Some((index, value));
                None
            }
        };
        if let Some(verdict) = verdict {
            return Ok(verdict);
        }
    }
    Ok(Verdict::Known)
}

/// Like [`judge`], for the move that the role made in the last round: searches the possible last rounds for one in
/// which the role made another move. `before` holds the closest histories without that round.
fn judge_moves(
    role_match: &RoleMatch<'_>,
    filter: &Filter<'_>,
    before: &[Closest],
    round: usize,
    budget: &Budget,
) -> Result<Verdict, Stop> {
    let (old, last) = (&filter.layers[round - 1], filter.last());
    let (own, real) = (role_match.view.role.0 as usize, &role_match.moves[round - 1]);
    let is_over = role_match.game.rules.terminal(&role_match.states[round]);
    let mut pace = Pace::default();
    let mut nearest: Option<(u32, Reverse<u32>, Edge)> = None;
    for &edge in &old.edges {
        pace.check(budget)?;
        let joint = &old.joints[edge.joint as usize];
        if joint[own] == real[own] || role_match.announce_end && last.terminal[edge.to as usize] != is_over {
            continue;
        }
        let from = &before[edge.from as usize];
        let (differences, parting) = (from.differences + differing(joint, real), Reverse(from.parting));
        if nearest.as_ref().is_none_or(|(least, latest, _)| (differences, parting) < (*least, *latest)) {
            nearest = Some((differences, parting, edge));
        }
    }
    let Some((_, _, edge)) = nearest else { return Ok(Verdict::Known) };
    let mut history = history_of(filter, round - 1, edge.from as usize);
    history.push(old.joints[edge.joint as usize].clone());
    let value = Value::Own(history[round - 1][own]);
    let unknown = role_match.unknown(round, Property::Own, None, (history, value));
    Ok(unknown.unwrap_or(Verdict::Undecided { agreed: 0, why: Stop::OutOfTime }))
}

/// The number of single moves in which two rounds differ.
fn differing(joint: &JointMove, other: &JointMove) -> u32 {
    joint.iter().zip(other).filter(|(mv, other)| mv != other).count() as u32
}

/// The history closest to the match among those that lead to a state.
#[derive(Clone, Copy, Default)]
struct Closest {
    /// The number of single moves in which it differs from the match.
    differences: u32,
    /// The first round in which it differs; the number of rounds so far if it does not differ.
    parting: u32,
    /// The index of its last edge.
    edge: u32,
}

impl Closest {
    /// The sort key: closer histories come first.
    fn order(&self, index: usize) -> (u32, Reverse<u32>, usize) {
        (self.differences, Reverse(self.parting), index)
    }

    /// Goes one round further; `real` is the match's joint move.
    fn advance(filter: &Filter<'_>, before: &[Closest], real: &JointMove) -> Vec<Closest> {
        let round = filter.rounds();
        let old = &filter.layers[round - 1];
        let mut best: Vec<Option<Closest>> = vec![None; filter.last().states.len()];
        for (index, edge) in old.edges.iter().enumerate() {
            let from = before[edge.from as usize];
            let joint = &old.joints[edge.joint as usize];
            let differences = from.differences + differing(joint, real);
            let parting = if differences == 0 { round as u32 } else { from.parting };
            let new = Closest { differences, parting, edge: index as u32 };
            let better =
                |other: &Closest| (new.differences, Reverse(new.parting)) < (other.differences, Reverse(other.parting));
            let slot = &mut best[edge.to as usize];
            if slot.as_ref().is_none_or(better) {
                *slot = Some(new);
            }
        }
        best.into_iter().map(|slot| slot.expect("every state of a layer has an edge into it")).collect()
    }
}

/// The chosen history of `rounds` rounds to a state.
fn history_of(filter: &Filter<'_>, rounds: usize, index: usize) -> Vec<JointMove> {
    let mut history = Vec::with_capacity(rounds);
    let mut at = index;
    for layer in filter.layers[..rounds].iter().rev() {
        let edge = layer.edges[layer.step_of[at] as usize];
        history.push(layer.joints[edge.joint as usize].clone());
        at = edge.from as usize;
    }
    history.reverse();
    history
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use percept_test::gdl;

    /// A hidden card is taken: there are many states, and each of them is examined.
    #[test]
    fn states_are_looked_at_within_the_budget() {
        let text = "(role p) (role random) (init (card 1)) (init (card 2)) (init (card 3))
            (legal p look) (<= (legal random (take ?c)) (true (card ?c)))
            (<= (next (card ?c)) (true (card ?c)) (not (does random (take ?c))))
            (<= terminal (not (true (card 1))) (not (true (card 2)))) (goal p 50)";
        let game = gdl(text);
        let take = game.rules.find_move(RoleId(1), "(take 3)").expect("a move");
        let look = game.rules.find_move(RoleId(0), "look").expect("a move");
        let moves = [vec![look, take]];
        let states = crate::play(&game, &moves).expect("a match");
        let view = View::of_match(&game, RoleId(0), &moves).expect("a view");
        let role_match = RoleMatch {
            game: &game,
            view,
            moves: &moves,
            states: &states,
            announce_end: false,
            properties: &Property::ALL,
        };
        let judged = |stops: bool| {
            let cancel = Arc::new(AtomicBool::new(false));
            let budget = Budget { cancel: Some(cancel.clone()), ..Budget::default() };
            let passed = |filter: &Filter<'_>| cancel.store(stops && filter.rounds() == 1, Ordering::Relaxed);
            let mut rounds = Vec::new();
            let ended = by_exact(&role_match, 1 << 20, None, &budget, passed, |round, _, _| rounds.push(round));
            (ended, rounds)
        };
        assert_eq!(judged(false), (Ok(()), vec![0, 0, 0, 1, 1, 1]));
        assert_eq!(judged(true), (Err(Stop::Cancelled), vec![0, 0, 0]));
    }
}
