//! Every state and every round of a game, where there are few.

use percept_game::{Game, JointMove, PerceptId, RoleId, State, States, joint_moves};
use percept_infoset::{Budget, Stop};

use crate::simulation::choices;

/// Most states and most rounds that are visited.
const STATES: usize = 50_000;
const ROUNDS: usize = 400_000;
/// Longest match that has a horizon.
const HORIZON: usize = 2_000;

/// Why a game has no such translation.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ScspError {
    #[error(
        "the game has more than {STATES} states or {ROUNDS} different rounds, and the tables would not be complete"
    )]
    /// It has too many states, or rounds that differ.
    TooLarge,
    /// Its rules have too many ground instances.
    #[error("the game is too large to ground")]
    NotGround,
    /// It has numbers that change.
    #[error("the game has numbers that change, which the translation does not know")]
    Numbers,
    /// Its matches have no greatest length that is short enough.
    #[error("a match can last longer than {HORIZON} rounds, so the game has no horizon")]
    Endless,
    /// The budget was spent.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// A round that can be played.
pub(crate) struct Played {
    pub from: usize,
    pub joint: JointMove,
    pub to: usize,
    /// By role.
    pub percepts: Vec<Vec<PerceptId>>,
    /// One over the number of joint moves there.
    pub share: f64,
}

/// All that can happen.
pub(crate) struct Explored {
    pub states: Vec<State>,
    pub terminal: Vec<bool>,
    pub rounds: Vec<Played>,
    /// Rounds of the longest match.
    pub horizon: usize,
}

pub(crate) fn explore(game: &Game, budget: &Budget) -> Result<Explored, ScspError> {
    if !game.rules.register_names().is_empty() {
        return Err(ScspError::Numbers);
    }
    let rules = &game.rules;
    let initial = rules.initial();
    let mut all = Explored { terminal: vec![rules.terminal(&initial)], states: vec![], rounds: vec![], horizon: 0 };
    let mut states = States::default();
    states.insert(initial);
    let mut next = 0;
    while next < states.len() {
        budget.check()?;
        if !all.terminal[next] {
            let state = states[next as u32].clone();
            let legal = choices(game, &state);
            let count: usize = legal.iter().map(Vec::len).product();
            if all.rounds.len() + count > ROUNDS || states.len() > STATES {
                return Err(ScspError::TooLarge);
            }
            for joint in joint_moves(&legal) {
                let percepts = game.role_ids().map(|role: RoleId| rules.percepts(&state, &joint, role)).collect();
                let after = rules.next(&state, &joint);
                let (to, is_new) = states.insert(after);
                if is_new {
                    all.terminal.push(rules.terminal(&states[to]));
                }
                all.rounds.push(Played { from: next, joint, to: to as usize, percepts, share: 1.0 / count as f64 });
            }
        }
        next += 1;
    }
    all.states = states.into_list();
    all.horizon = horizon(&all)?;
    Ok(all)
}

/// The longest way from the first state: rounds taken away from the ends.
fn horizon(all: &Explored) -> Result<usize, ScspError> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); all.states.len()];
    let mut waiting = vec![0usize; all.states.len()];
    for round in &all.rounds {
        out[round.from].push(round.to);
        waiting[round.to] += 1;
    }
    let mut longest = vec![0usize; all.states.len()];
    let mut ready = vec![0usize];
    let (mut done, mut horizon) = (0, 0);
    while let Some(state) = ready.pop() {
        done += 1;
        for &to in &out[state] {
            longest[to] = longest[to].max(longest[state] + 1);
            horizon = horizon.max(longest[to]);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    // States that are never ready lie on a circle.
    if done < all.states.len() || horizon > HORIZON { Err(ScspError::Endless) } else { Ok(horizon) }
}
