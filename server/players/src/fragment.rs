//! Checks if a game is in the fragment of Koriche et al. 2017, section 2.3: propositional, with a horizon, and
//! *shared*: every role perceives the percepts of every other role.

use std::sync::Arc;

use percept_game::bound::{Bound, bound};
use percept_game::{Game, Ground, JointMove, RoleId, Scope, State, States, joint_moves};
use percept_infoset::{Budget, Pace};
use percept_syntax::gdl::Description;

use crate::scsp::{ScspError, explore};
use crate::simulation::choices;

/// The most states that are visited.
const STATES: usize = 300_000;

/// The properties of a game that define the fragment.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// True if its rules have few enough ground instances to be a circuit.
    pub is_propositional: bool,
    /// A length that no match exceeds, or the reason why there is none.
    pub horizon: Horizon,
    /// The finding whether every percept is shared.
    pub shared: Shared,
}

/// The longest match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// No match is longer. If all states were visited, every match also ends; if not, a role may be stuck before.
    Known(Bound),
    /// This match returns, after its last round, to the state after round `back_to`, and can repeat for ever.
    Endless {
        /// The joint moves of the match.
        history: Vec<JointMove>,
        /// The round after which the state was the same.
        back_to: usize,
    },
    /// After this match, a shortest one, a role has no legal move, although the match is not over.
    Stuck {
        /// The name of the role.
        role: String,
        /// The joint moves of the match.
        history: Vec<JointMove>,
    },
    /// No bound was found.
    Open,
}

/// The finding whether every role perceives every percept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Shared in every match, by `structure` (the rules for all roles are the same circuit) or `every-state`.
    Proved {
        /// The method that proved it.
        method: &'static str,
    },
    /// Not shared after this match, a shortest one: in its last round, `role` has percepts that `other` lacks.
    Refuted {
        /// The joint moves of the match.
        history: Vec<JointMove>,
        /// The role that perceives them.
        role: RoleId,
        /// The role that does not perceive them.
        other: RoleId,
        /// The percepts as the rules write them.
        percepts: Vec<String>,
    },
    /// Shared in all matches of `depth` rounds; open for longer ones.
    Open {
        /// The number of rounds searched.
        depth: usize,
    },
}

impl Fragment {
    /// Examines a game. `description` is its text if that is GDL.
    pub fn of(game: &Game, description: Option<&Description>, budget: &Budget) -> Fragment {
        let ground = game.rules.ground(&Scope::default()).ok();
        Fragment {
            horizon: horizon(game, description, budget),
            shared: shared(game, ground.as_ref(), budget),
            is_propositional: ground.is_some(),
        }
    }

    /// True if the game is known to be in the fragment.
    pub fn is_inside(&self) -> bool {
        self.is_propositional
            && matches!(self.horizon, Horizon::Known(_))
            && matches!(self.shared, Shared::Proved { .. })
    }
}

/// The longest match of all states, if they can be visited in a quarter of the time. If not, the bound that the rules
/// prove: then no match is longer, but a role may be stuck before.
fn horizon(game: &Game, description: Option<&Description>, budget: &Budget) -> Horizon {
    match explore(game, &budget.share(4)) {
        Ok(all) => {
            let because = format!("all {} states were visited", all.states.len());
            Horizon::Known(Bound { rounds: all.horizon as u64, because })
        }
        Err(ScspError::Endless { history, back_to }) => Horizon::Endless { history, back_to },
        Err(ScspError::Stuck { role, history }) => Horizon::Stuck { role, history },
        Err(_) => bound(game, description, budget).map_or(Horizon::Open, Horizon::Known),
    }
}

/// Checks if every percept is shared, by the rules' structure or by all states in the order of their rounds.
fn shared(game: &Game, ground: Option<&Arc<Ground>>, budget: &Budget) -> Shared {
    let players: Vec<RoleId> = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect();
    if players.len() < 2 || ground.is_some_and(|ground| is_one_circuit(game, ground, &players)) {
        return Shared::Proved { method: "structure" };
    }
    let rules = &game.rules;
    let mut states = States::default();
    states.insert(rules.initial());
    // The predecessor of each state, and the number of rounds after which it is reached first.
    let mut from: Vec<Option<(u32, JointMove)>> = vec![None];
    let mut rounds = vec![0usize];
    let mut pace = Pace::default();
    let mut at = 0;
    while (at as usize) < states.len() {
        let state = states[at].clone();
        let depth = rounds[at as usize];
        let legal = if rules.terminal(&state) { Vec::new() } else { vec![choices(game, &state)] };
        for joint in legal.iter().flat_map(|legal| joint_moves(legal)) {
            if states.len() > STATES || pace.stop(budget).is_some() {
                return Shared::Open { depth };
            }
            if let Some((role, other, percepts)) = difference(game, &state, &joint, &players) {
                return Shared::Refuted { history: history(&from, at, joint), role, other, percepts };
            }
            if states.insert(rules.next(&state, &joint)).1 {
                from.push(Some((at, joint)));
                rounds.push(depth + 1);
            }
        }
        at += 1;
    }
    Shared::Proved { method: "every-state" }
}

/// The path to a state, followed by `last`.
fn history(from: &[Option<(u32, JointMove)>], state: u32, last: JointMove) -> Vec<JointMove> {
    let mut history = vec![last];
    let mut at = state;
    while let Some((before, joint)) = &from[at as usize] {
        history.push(joint.clone());
        at = *before;
    }
    history.reverse();
    history
}

/// True if all players perceive by the same gates.
fn is_one_circuit(game: &Game, ground: &Ground, players: &[RoleId]) -> bool {
    let gates = |role: RoleId| {
        let named = ground.sees[role.0 as usize].iter().map(|&(it, lit)| (game.rules.percept_name(role, it), lit));
        let mut gates: Vec<_> = named.collect();
        gates.sort_unstable();
        gates
    };
    let first = gates(players[0]);
    players[1..].iter().all(|&role| gates(role) == first)
}

/// Two players and the percepts of the first that the second lacks.
fn difference(
    game: &Game,
    state: &State,
    joint: &JointMove,
    players: &[RoleId],
) -> Option<(RoleId, RoleId, Vec<String>)> {
    let seen = |role: RoleId| {
        let percepts = game.rules.percepts(state, joint, role);
        percepts.into_iter().map(|it| game.rules.percept_name(role, it)).collect::<Vec<String>>()
    };
    let all: Vec<Vec<String>> = players.iter().map(|&role| seen(role)).collect();
    for (at, mine) in all.iter().enumerate() {
        for (other, theirs) in all.iter().enumerate() {
            let more: Vec<String> = mine.iter().filter(|it| !theirs.contains(it)).cloned().collect();
            if !more.is_empty() {
                return Some((players[at], players[other], more));
            }
        }
    }
    None
}
