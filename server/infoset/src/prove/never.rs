//! Facts that hold in no match: no state that satisfies the proved invariants, with legal moves, makes them true.

use std::sync::Arc;

use percept_game::circuit::Lit;
use percept_game::{Game, Ground, RoleId};

use super::candidates;
use super::lemmas::{Lemmas, Stage};
use super::setting::Setting;
use super::twin::Moves;
use crate::Budget;
use crate::clauses::Clauses;
use crate::net::Net;

/// For each of these literals of the ground game's circuit, true if it is proved that no match makes it true: neither
/// in a round, with one legal move of every role, nor in a state without moves. The invariants are mined from random
/// matches and proved by induction. `None` if time ran out.
pub fn never(game: &Game, ground: &Arc<Ground>, wanted: &[Lit], budget: &Budget) -> Option<Vec<bool>> {
    impossible(game, ground, wanted, &[Moves::Own, Moves::Nobody], budget)
}

/// Like [`never()`], but for rounds only: states without moves do not matter.
pub fn in_no_round(game: &Game, ground: &Arc<Ground>, wanted: &[Lit], budget: &Budget) -> Option<Vec<bool>> {
    impossible(game, ground, wanted, &[Moves::Own], budget)
}

fn impossible(
    game: &Game,
    ground: &Arc<Ground>,
    wanted: &[Lit],
    when: &[Moves<'_>],
    budget: &Budget,
) -> Option<Vec<bool>> {
    let invariants = Lemmas::new(game, ground.clone()).invariants(Stage { from: 0, joint: false }, budget)?;
    let setting = Setting { game, ground, role: RoleId(0), made: &invariants.made };
    let mut never = vec![true; wanted.len()];
    for &moves in when {
        let (mut net, mut clauses) = (Net::new(), Clauses::for_many(budget));
        let state = invariants.any_state(&setting, &mut net);
        invariants.demand(&mut net, &mut clauses, &state);
        let copy = setting.copy(&mut net, &state, moves, &[]);
        if matches!(moves, Moves::Own) {
            setting.demand_round(&mut net, &mut clauses, &copy);
        }
        let targets: Vec<Lit> = wanted.iter().map(|&lit| copy.lit(lit)).collect();
        let possible = candidates::possible(&mut net, &mut clauses, &targets)?;
        never.iter_mut().zip(possible).for_each(|(never, possible)| *never &= !possible);
    }
    Some(never)
}
