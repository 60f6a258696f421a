//! A proof by pairs of states: a set that holds the first pair, every pair a round leads to, and none that differs.

use percept_game::{FluentId, Game, MoveId, PerceptId, RoleId, State};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::Property;
use super::pairs::Pairs;
use crate::control::Control;
use crate::view::JointMoves;

/// States, and which of them can be taken for each other.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Closure {
    /// By state its fluents and its registers.
    pub states: Vec<(Vec<String>, Vec<i64>)>,
    /// Pairs of states by number, the smaller first. A state can always be taken for itself.
    pub pairs: Vec<(u32, u32)>,
}

/// What is missing in a set of pairs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hole {
    #[error("the game has no fluent named `{0}`, or a pair names no state")]
    Unknown(String),
    #[error("the first state is missing")]
    First,
    #[error("a round leads from states {0} and {1} to a pair that is missing")]
    Open(u32, u32),
    #[error("states {0} and {1} differ in the property")]
    Differs(u32, u32),
}

/// Pairs that are written down at most.
const MOST_PAIRS: usize = 5_000_000;

impl Closure {
    /// All pairs that can be reached. `None` where there are too many, or no time.
    pub fn of(game: &Game, role: RoleId, control: &Control) -> Option<Closure> {
        let mut search = Pairs::new(game, role);
        while search.deepen(control)? {
            if search.met() > MOST_PAIRS {
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

    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, game: &Game, role: RoleId, property: Property) -> Result<(), Hole> {
        let states: Vec<State> = self.states.iter().map(|state| read(game, state)).collect::<Result<_, _>>()?;
        let ids: FxHashMap<&State, u32> = states.iter().zip(0..).collect();
        let pairs: FxHashSet<(u32, u32)> = self.pairs.iter().copied().collect();
        if !ids.contains_key(&game.rules.initial()) {
            return Err(Hole::First);
        }
        let rounds: Vec<Vec<(Sight, State)>> = states.iter().map(|state| rounds(game, role, state)).collect();
        let all = (0..states.len() as u32).map(|state| (state, state)).chain(self.pairs.iter().copied());
        for (a, b) in all {
            let (Some(left), Some(right)) = (rounds.get(a as usize), rounds.get(b as usize)) else {
                return Err(Hole::Unknown(format!("{a} {b}")));
            };
            if super::differs(game, role, property, &states[a as usize], &states[b as usize]) {
                return Err(Hole::Differs(a, b));
            }
            for (seen, after) in left {
                for (_, other) in right.iter().filter(|(other, _)| other == seen) {
                    let known = match (ids.get(after), ids.get(other)) {
                        (Some(&a), Some(&b)) => a == b || pairs.contains(&(a.min(b), a.max(b))),
                        _ => false,
                    };
                    if !known {
                        return Err(Hole::Open(a, b));
                    }
                }
            }
        }
        Ok(())
    }
}

/// What the role gets in a round.
type Sight = (Option<MoveId>, Vec<PerceptId>);

/// All rounds from a state: what the role gets, and the state after.
fn rounds(game: &Game, role: RoleId, state: &State) -> Vec<(Sight, State)> {
    if game.rules.terminal(state) {
        return Vec::new();
    }
    let round = |joint: Vec<MoveId>| {
        let own = game.knows_own_moves.then(|| joint[role.0 as usize]);
        ((own, game.rules.percepts(state, &joint, role)), game.rules.next(state, &joint))
    };
    let mut rounds: Vec<(Sight, State)> = JointMoves::new(game, state, role, None).map(round).collect();
    rounds.sort_unstable();
    rounds.dedup();
    rounds
}

fn read(game: &Game, (fluents, registers): &(Vec<String>, Vec<i64>)) -> Result<State, Hole> {
    let mut state = game.rules.initial();
    state.bits.fill(0);
    if registers.len() != state.registers.len() {
        return Err(Hole::Unknown("register".to_owned()));
    }
    state.registers = registers.clone().into();
    for name in fluents {
        let fluent: FluentId = game.rules.find_fluent(name).ok_or_else(|| Hole::Unknown(name.clone()))?;
        state.set(fluent, true);
    }
    Ok(state)
}
