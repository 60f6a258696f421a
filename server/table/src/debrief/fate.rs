//! The time from which a role's goal was certain: the same in every history that fits its view, whatever all roles do
//! from there. A role that knows that has nothing left to play for.
//!
//! It is decided from the end backwards: if a goal was certain after some rounds, it was so after all later ones. At each
//! time, random continuations look for two different goals; without them, all continuations are followed, within a
//! number of states and the time. So each answer is proved, or there is none.

use percept_game::view::JointMoves;
use percept_game::{Game, RoleId, State};
use percept_infoset::Budget;
use percept_infoset::exact::Layer;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// The random continuations that look for two goals, and the most rounds of one.
const DRAWS: usize = 200;
const LONGEST: usize = 2_000;
/// The most states of continuations that are followed, for each time of the match.
const STATES: usize = 100_000;

/// The time from which a role's goal was certain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certain {
    /// The number of rounds played.
    pub after: usize,
    /// The goals that the rules give: one, if they are sound.
    pub goal: Vec<i64>,
    /// One round earlier.
    pub before: Before,
}

/// The knowledge about one round earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Before {
    /// The goal was certain from the start.
    Start,
    /// Two goals were possible.
    Open,
    /// It was not found whether the goal was certain.
    Unknown,
}

/// The time from which the goal was certain, if that was before the end. `layers` has the states that the role
/// considered possible, as far as they are known.
pub(super) fn certain(game: &Game, role: RoleId, layers: &[Layer], rounds: usize, budget: &Budget) -> Option<Certain> {
    let mut found: Option<Certain> = None;
    let mut before = Before::Start;
    for after in (0..rounds).rev() {
        let Some(layer) = layers.get(after) else {
            before = Before::Unknown;
            break;
        };
        match goals(game, role, &layer.states, &budget.share(after + 1)) {
            Fate::Sure(goal) => found = Some(Certain { after, goal, before: Before::Start }),
            Fate::Open => before = Before::Open,
            Fate::Unknown => before = Before::Unknown,
        }
        if before != Before::Start {
            break;
        }
    }
    found.map(|it| Certain { before, ..it })
}

enum Fate {
    Sure(Vec<i64>),
    Open,
    Unknown,
}

fn goals(game: &Game, role: RoleId, states: &[State], budget: &Budget) -> Fate {
    let mut goal: Option<Vec<i64>> = None;
    let mut differs = |state: &State| {
        let mut own = game.rules.goals(state, role);
        own.sort_unstable();
        *goal.get_or_insert_with(|| own.clone()) != own
    };
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(states.len() as u64);
    for state in states.iter().cycle().take(DRAWS.max(states.len().min(STATES))) {
        let mut state = state.clone();
        if budget.is_spent() {
            return Fate::Unknown;
        }
        game.playout(&mut state, LONGEST, &mut dice);
        if game.rules.terminal(&state) && differs(&state) {
            return Fate::Open;
        }
    }
    let mut visited: FxHashSet<State> = states.iter().cloned().collect();
    let mut open: Vec<State> = states.to_vec();
    while let Some(state) = open.pop() {
        if visited.len() > STATES || budget.is_spent() {
            return Fate::Unknown;
        }
        if game.rules.terminal(&state) {
            if differs(&state) {
                return Fate::Open;
            }
            continue;
        }
        let mut is_stuck = true;
        for joint in JointMoves::new(game, &state, role, None) {
            is_stuck = false;
            let next = game.rules.next(&state, &joint);
            if visited.insert(next.clone()) {
                open.push(next);
            }
        }
        // A match that ends without a move has the goals of its last state.
        if is_stuck && differs(&state) {
            return Fate::Open;
        }
    }
    goal.map_or(Fate::Unknown, Fate::Sure)
}
