//! A proof by pairs of states: a set that contains the initial pair and every pair that a round leads to, but no pair
//! that differs.

use percept_game::{Cursor, FluentId, Game, MoveId, PerceptId, RoleId, State};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::pairs::Pairs;
use crate::verdict::{Property, Value};
use crate::{Budget, Pace, Stop};
use percept_game::view::JointMoves;

/// The listed states, and the pairs of states that the role may confuse.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Closure {
    /// The fluents and the registers of each state.
    pub states: Vec<(Vec<String>, Vec<i64>)>,
    /// Pairs of state numbers, the smaller number first. The pair of a state with itself is implied.
    pub pairs: Vec<(u32, u32)>,
}

/// The defect of a set of pairs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hole {
    #[error("the game has no fluent named `{0}`, or a pair has an unknown state")]
    Unknown(String),
    #[error("the first state is missing")]
    First,
    #[error("a round leads from states {0} and {1} to a pair that is missing")]
    Open(u32, u32),
    #[error("states {0} and {1}, or rounds from them, differ in the property")]
    Differs(u32, u32),
    #[error("in state {0} a number has left its range")]
    Outside(u32),
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// The most pairs of a proof.
const MOST_PAIRS: usize = 5_000_000;

impl Closure {
    /// All reachable pairs. `None` if there are too many, or no time.
    pub(crate) fn of(game: &Game, role: RoleId, budget: &Budget) -> Option<Closure> {
        let mut search = Pairs::new(game, role);
        while search.deepen(budget)? {
            if search.pair_count() > MOST_PAIRS {
                return None;
            }
        }
        let name = |state: &State| {
            (state.fluents().map(|it| game.rules.fluent_name(it)).collect::<Vec<_>>(), state.registers.to_vec())
        };
        let mut pairs: Vec<(u32, u32)> = search.all().filter(|(a, b)| a != b).collect();
        pairs.sort_unstable();
        Some(Closure { states: search.states().iter().map(name).collect(), pairs })
    }

    /// Plays every round from every listed state by the game's own rules.
    ///
    /// # Errors
    /// If a round leads to a state that is not listed, or the file has names that are unknown to the game.
    pub(crate) fn rounds(&self, game: &Game, role: RoleId, budget: &Budget) -> Result<Rounds, Hole> {
        let states: Vec<State> = self.states.iter().map(|state| read(game, state)).collect::<Result<_, _>>()?;
        let ids: FxHashMap<State, u32> = states.iter().cloned().map(trimmed).zip(0..).collect();
        if !ids.contains_key(&trimmed(game.rules.initial())) {
            return Err(Hole::First);
        }
        let mut rounds: Vec<Vec<Round>> = Vec::with_capacity(states.len());
        let outside = game.rules.outside();
        let mut at = game.start();
        for (number, state) in (0..).zip(&states) {
            budget.check()?;
            if outside.is_some_and(|outside| state.has(outside)) {
                return Err(Hole::Outside(number));
            }
            at.go(state);
            // The pair of a state with itself is implied, so all of its successors must be listed.
            rounds.push(successors(game, role, &mut *at, &ids).ok_or(Hole::Open(number, number))?);
        }
        Ok(Rounds { states, rounds })
    }

    /// Follows the rounds from every pair, and compares the property's values in the states of each pair.
    ///
    /// # Errors
    /// The first defect.
    pub(crate) fn check(
        &self,
        Rounds { states, rounds }: &Rounds,
        game: &Game,
        (role, property): (RoleId, Property),
        budget: &Budget,
    ) -> Result<(), Hole> {
        let pairs: FxHashSet<(u32, u32)> = self.pairs.iter().copied().collect();
        let (mut at, mut pace) = (game.start(), Pace::default());
        let mut values: Vec<Option<Value>> = Vec::with_capacity(states.len());
        for state in states {
            pace.check(budget)?;
            at.go(state);
            values.push(property.at(&mut *at, role));
        }
        let all = (0..states.len() as u32).map(|state| (state, state)).chain(self.pairs.iter().copied());
        for (a, b) in all {
            pace.check(budget)?;
            let (Some(left), Some(right)) = (rounds.get(a as usize), rounds.get(b as usize)) else {
                return Err(Hole::Unknown(format!("{a} {b}")));
            };
            // If the property has no value in one of them, the two do not differ.
            if let (Some(left), Some(right)) = (&values[a as usize], &values[b as usize])
                && left != right
            {
                return Err(Hole::Differs(a, b));
            }
            for (seen, after, own) in left {
                let begin = right.partition_point(|(other, ..)| other < seen);
                for (_, other, made) in right[begin..].iter().take_while(|(other, ..)| other == seen) {
                    if property == Property::Own && own != made {
                        return Err(Hole::Differs(a, b));
                    }
                    if after != other && !pairs.contains(&(*after.min(other), *after.max(other))) {
                        return Err(Hole::Open(a, b));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The listed states, and every round from each.
pub(crate) struct Rounds {
    states: Vec<State>,
    rounds: Vec<Vec<Round>>,
}

/// The observation of the role in a round.
type Sight = (Option<MoveId>, Vec<PerceptId>);

/// A round: the role's observation, the number of the next state, and the role's move, whether known to it or not.
type Round = (Sight, u32, MoveId);

/// All rounds from the current state, sorted. `None` if one leads to a state that is not listed.
fn successors(game: &Game, role: RoleId, at: &mut dyn Cursor, ids: &FxHashMap<State, u32>) -> Option<Vec<Round>> {
    if at.is_terminal() {
        return Some(Vec::new());
    }
    let joints = JointMoves::at(game, at, role, None);
    let round = |joint: Vec<MoveId>| {
        let own = game.own_move(role, &joint);
        let after = ids.get(&trimmed(at.next(&joint)))?;
        Some(((own, at.percepts(&joint, role)), *after, joint[role.0 as usize]))
    };
    let mut rounds: Vec<Round> = joints.map(round).collect::<Option<_>>()?;
    rounds.sort_unstable();
    rounds.dedup();
    Some(rounds)
}

/// The same state without empty words at its end: rules that are not ground extend states on demand.
fn trimmed(mut state: State) -> State {
    let words = state.bits.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    if words < state.bits.len() {
        state.bits = state.bits[..words].into();
    }
    state
}

fn read(game: &Game, (fluents, registers): &(Vec<String>, Vec<i64>)) -> Result<State, Hole> {
    let find = |name: &String| game.rules.find_fluent(name).ok_or_else(|| Hole::Unknown(name.clone()));
    let fluents: Vec<FluentId> = fluents.iter().map(find).collect::<Result<_, _>>()?;
    let first = game.rules.initial();
    if registers.len() != first.registers.len() {
        return Err(Hole::Unknown("register".to_owned()));
    }
    let last = fluents.iter().map(|fluent| fluent.0 as usize + 1).max().unwrap_or(0);
    let mut state = State::new(last.max(first.bits.len() * 64), 0);
    state.registers = registers.clone().into();
    fluents.into_iter().for_each(|fluent| state.set(fluent, true));
    Ok(state)
}
