//! Does a role know what it must know? The findings, as plain data, and the proof from an exact filter.

use std::cmp::Reverse;

use percept_game::{Cursor, Game, JointMove, MoveId, RoleId, State};

use crate::reading::Reading;
use crate::{
    Budget, Pace, Stop,
    exact::{Edge, Filter},
};
use percept_game::view::{View, replay};

/// What a role should know at every point of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    /// Its legal moves, if the match is not over.
    Legal,
    /// Whether the match is over.
    Terminal,
    /// Its goal, if the match is over.
    Goal,
    /// The move it made in the last round ([`crate::own`]).
    Own,
}

impl Property {
    /// Those of states, which every game is asked about.
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

    /// The one of this name.
    pub fn named(name: &str) -> Option<Property> {
        Property::ALL.into_iter().chain([Property::Own]).find(|property| property.name() == name)
    }

    /// What the role would know of `state`; `None` where the property does not apply there, or is not one of states.
    pub fn of(self, game: &Game, state: &State, role: RoleId) -> Option<Value> {
        self.at(&mut *game.at(state), role)
    }

    /// What the role would know after a history that ends in `state`; `None` where the property does not apply there.
    pub fn after(self, game: &Game, history: &[JointMove], state: &State, role: RoleId) -> Option<Value> {
        match self {
            Property::Own => Some(Value::Own(history.last()?[role.0 as usize])),
            Property::Legal | Property::Terminal | Property::Goal => self.of(game, state, role),
        }
    }

    /// [`Property::of`] the state at which a cursor stands.
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
    /// The legal moves, sorted.
    Legal(Vec<MoveId>),
    /// Whether the match is over.
    Terminal(bool),
    /// The goals that hold, sorted.
    Goal(Vec<i64>),
    /// The move made in the last round.
    Own(MoveId),
}

/// Two histories with the same view and different values of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// A joint move for each round.
    pub first: Vec<JointMove>,
    /// As long as `first`.
    pub second: Vec<JointMove>,
    /// What the role would know at the end of `first`.
    pub first_value: Value,
    /// What it would know at the end of `second`.
    pub second_value: Value,
    /// Whether `first` is the match itself (and not another history of the same view).
    pub first_is_match: bool,
}

impl Witness {
    /// The first round (from 1) in which the two histories differ.
    pub fn parting(&self) -> usize {
        self.first.iter().zip(&self.second).take_while(|(left, right)| left == right).count() + 1
    }

    /// Both histories, re-simulated: they have the same view and the values stated.
    pub fn holds(&self, game: &Game, view: &View, property: Property) -> bool {
        let value = |history: &[JointMove]| {
            replay(game, view, history).ok().and_then(|(state, _)| property.after(game, history, &state, view.role))
        };
        self.first_value != self.second_value
            && value(&self.first).as_ref() == Some(&self.first_value)
            && value(&self.second).as_ref() == Some(&self.second_value)
    }
}

/// What was found out.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Proved: every member agrees.
    Known,
    /// Refuted.
    Unknown(Box<Witness>),
    /// Neither, within the budget.
    Undecided {
        /// How many sampled members agreed.
        agreed: u64,
        /// What ran out.
        why: Stop,
    },
}

impl Verdict {
    /// As commands print it.
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
    /// Whose knowledge.
    pub role: RoleId,
    /// Rounds played; 0 is before the first move.
    pub round: usize,
    /// Of what.
    pub property: Property,
    /// The answer.
    pub verdict: Verdict,
    /// The method that settled it: `exact`, `sat`, `search` (differences only), `announced` where the end is told by the protocol;
    /// of own moves also `structure` (by the rules, for all matches) and `definition` (of the language).
    pub method: &'static str,
    /// For something known: what a second reading of the rules said of it. `None` for the rest, and where the end is announced.
    pub reading: Option<Reading>,
}

/// A match and its states, seen by one role.
pub(crate) struct Seen<'a> {
    pub game: &'a Game,
    pub view: View,
    pub moves: &'a [JointMove],
    pub states: &'a [State],
    pub announce_end: bool,
    /// What is asked.
    pub asked: &'a [Property],
}

impl Seen<'_> {
    /// What is asked after `round` rounds: of own moves nothing before the first one.
    pub(crate) fn asked(&self, round: usize) -> impl Iterator<Item = Property> + '_ {
        self.asked.iter().copied().filter(move |&property| property != Property::Own || round > 0)
    }

    /// The real value after `round` rounds.
    pub(crate) fn real(&self, round: usize, property: Property) -> Option<Value> {
        property.after(self.game, &self.moves[..round], &self.states[round], self.view.role)
    }

    /// The property's value in a possible state; `None` where it does not apply, or where the role can exclude the
    /// state because it was told whether the match is over.
    pub(crate) fn value(&self, round: usize, state: &State, property: Property) -> Option<Value> {
        self.value_after(round, &[], state, property)
    }

    /// As [`Seen::value`], after a history that ends in the state.
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

    /// The verdict `unknown`, if the two histories really prove it.
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

/// The verdicts of one role along a match from one forward pass over the states that fit its view.
///
/// With `beam`, only so many states are kept after each round, those of the histories closest to the match first: then
/// differences are found, but nothing is proved. `passed` gets the filter after every round, `found` every verdict.
pub(crate) fn by_exact(
    seen: &Seen<'_>,
    memory: usize,
    beam: Option<usize>,
    budget: &Budget,
    mut passed: impl FnMut(&Filter<'_>),
    mut found: impl FnMut(usize, Property, Verdict),
) -> Result<(), Stop> {
    let mut filter = Filter::new(seen.game, memory);
    let (mut before, mut closest) = (Vec::new(), vec![Closest::default()]);
    let mut cut = false;
    for round in 0..=seen.view.len() {
        if round > 0 {
            budget.report("rounds filtered", round - 1, Some(seen.view.len()));
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
            filter.advance(&seen.view, budget, None)?;
            let next = Closest::advance(&filter, &closest, &seen.moves[round - 1]);
            before = std::mem::replace(&mut closest, next);
            filter.layers[round - 1].step_of = closest.iter().map(|state| state.edge).collect();
        }
        passed(&filter);
        for property in seen.asked(round) {
            if seen.announce_end && property == Property::Terminal {
                continue;
            }
            let mut verdict = match property {
                Property::Own => judge_moves(seen, &filter, &before, round, budget)?,
                _ => judge(seen, &filter, &closest, round, property, budget)?,
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
/// Where the budget is spent before a difference is found: where rules are interpreted, a state can take long.
fn judge(
    seen: &Seen<'_>,
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
    let real = seen.real(round, property);
    for (looked_at, index) in order.into_iter().enumerate() {
        if let Some(stop) = budget.stop().filter(|_| looked_at > 0) {
            return Err(stop);
        }
        let Some(value) = seen.value(round, &layer.states[index], property) else {
            continue;
        };
        let history = |index: usize| history_of(filter, round, index);
        let verdict = match (&real, &first) {
            (Some(real), _) if value != *real => seen.unknown(round, property, None, (history(index), value)),
            (Some(_), _) => None,
            (None, Some((other, other_value))) if value != *other_value => {
                seen.unknown(round, property, Some((history(*other), other_value.clone())), (history(index), value))
            }
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

/// As [`judge`], of the move that the role made in the last round: of all rounds that it can have been, those in which it made
/// another. `before`: the closest histories without that round.
fn judge_moves(
    seen: &Seen<'_>,
    filter: &Filter<'_>,
    before: &[Closest],
    round: usize,
    budget: &Budget,
) -> Result<Verdict, Stop> {
    let (old, last) = (&filter.layers[round - 1], filter.last());
    let (own, real) = (seen.view.role.0 as usize, &seen.moves[round - 1]);
    let is_over = seen.game.rules.terminal(&seen.states[round]);
    let mut pace = Pace::default();
    let mut nearest: Option<(u32, Reverse<u32>, Edge)> = None;
    for &edge in &old.edges {
        pace.check(budget)?;
        let joint = &old.joints[edge.joint as usize];
        if joint[own] == real[own] || seen.announce_end && last.terminal[edge.to as usize] != is_over {
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
    let unknown = seen.unknown(round, Property::Own, None, (history, value));
    Ok(unknown.unwrap_or(Verdict::Undecided { agreed: 0, why: Stop::OutOfTime }))
}

/// Single moves in which two rounds differ.
fn differing(joint: &JointMove, other: &JointMove) -> u32 {
    joint.iter().zip(other).filter(|(mv, other)| mv != other).count() as u32
}

/// The history closest to the match among those that lead to a state.
#[derive(Clone, Copy, Default)]
struct Closest {
    /// Single moves in which it differs from the match.
    differences: u32,
    /// The first round in which it differs (rounds so far, if in none).
    parting: u32,
    /// The last edge.
    edge: u32,
}

impl Closest {
    /// Closer histories first.
    fn order(&self, index: usize) -> (u32, Reverse<u32>, usize) {
        (self.differences, Reverse(self.parting), index)
    }

    /// One round on: `real` is the match's move.
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
                |known: &Closest| (new.differences, Reverse(new.parting)) < (known.differences, Reverse(known.parting));
            let slot = &mut best[edge.to as usize];
            if slot.as_ref().is_none_or(better) {
                *slot = Some(new);
            }
        }
        best.into_iter().map(|slot| slot.expect("every state of a layer has an edge into it")).collect()
    }
}

/// The chosen history of so many rounds to a state.
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

    /// A card is taken that nobody sees: many states, of which each is looked at.
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
        let seen =
            Seen { game: &game, view, moves: &moves, states: &states, announce_end: false, asked: &Property::ALL };
        let judged = |stops: bool| {
            let cancel = Arc::new(AtomicBool::new(false));
            let budget = Budget { cancel: Some(cancel.clone()), ..Budget::default() };
            let passed = |filter: &Filter<'_>| cancel.store(stops && filter.rounds() == 1, Ordering::Relaxed);
            let mut rounds = Vec::new();
            let ended = by_exact(&seen, 1 << 20, None, &budget, passed, |round, _, _| rounds.push(round));
            (ended, rounds)
        };
        assert_eq!(judged(false), (Ok(()), vec![0, 0, 0, 1, 1, 1]));
        assert_eq!(judged(true), (Err(Stop::Cancelled), vec![0, 0, 0]));
    }
}
