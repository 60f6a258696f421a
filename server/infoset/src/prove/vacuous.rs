//! Whether any match ends. Where none does, "it knows its goal when the match is over" says nothing.
//!
//! A match that ends shows that one does; that none does is shown by the rules (no end is ever derived), by every
//! reachable state, or by induction.

use percept_game::circuit::Lit;
use percept_game::view::JointMoves;
use percept_game::{Game, States};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::lemmas::Lemmas;
use super::query;
use crate::{Budget, Pace};

/// Random matches tried, and rounds of each.
const MATCHES: u64 = 20;
const ROUNDS: usize = 1_000;

/// States visited, and joint moves made from them.
const MOST_STATES: usize = 50_000;
const MOST_MOVES: usize = 300_000;

/// Whether some match ends; `None` where that stays open. `lemmas`: of the ground game, where it is ground.
pub(crate) fn some_match_ends(game: &Game, lemmas: Option<&mut Lemmas<'_>>, budget: &Budget) -> Option<bool> {
    if lemmas.as_ref().is_some_and(|lemmas| lemmas.ground.terminal == Lit::FALSE) {
        return Some(false);
    }
    if random_match_ends(game, budget) {
        return Some(true);
    }
    by_states(game, budget).or_else(|| query::some_match_ends(lemmas?, budget))
}

fn random_match_ends(game: &Game, budget: &Budget) -> bool {
    budget.report("whether matches end", 0, None);
    (0..MATCHES).take_while(|_| budget.stop().is_none()).any(|seed| {
        let mut state = game.rules.initial();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        game.playout(&mut state, ROUNDS, &mut rng);
        game.at(&state).is_terminal()
    })
}

/// By every reachable state, where there are few.
fn by_states(game: &Game, budget: &Budget) -> Option<bool> {
    let (mut at, mut pace) = (game.start(), Pace::default());
    let mut known = States::default();
    let (mut open, mut moves) = (vec![known.insert(at.state().clone()).0], 0usize);
    while let Some(state) = open.pop() {
        at.go(&known[state]);
        if at.is_terminal() {
            return Some(true);
        }
        for joint in JointMoves::at(game, &mut *at, percept_game::RoleId(0), None) {
            moves += 1;
            if moves > MOST_MOVES || known.len() > MOST_STATES || pace.stop(budget).is_some() {
                return None;
            }
            let (next, is_new) = known.insert(at.next(&joint));
            if is_new {
                open.push(next);
            }
        }
    }
    Some(false)
}
