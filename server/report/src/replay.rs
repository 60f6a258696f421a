//! Replays a match given by the names of its moves, as editors and pages store it, and plays one more round.
//!
//! In: a game and names. Out: a [`Stepper`] at the requested place. Clients send the history with every request, so the
//! rules may have changed since; the history is played as far as the current rules allow.

use std::sync::Arc;

use percept_game::stepper::{ReplayEnd, Stepper};
use percept_game::trace::{self, View};
use percept_game::{Game, JointMove, MoveId, RoleId};
use percept_infoset::{Budget, Claims, DEFAULT_MEMORY, certain};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::belief::Worlds;
use crate::names;

/// The only part of a [`ReplayEnd`] that a role may learn: the mover and the reason are not among its percepts.
pub const ILLEGAL_MOVE: &str = "a move is no longer legal";

/// Plays the rounds of a history, each with a move of every role by name, and goes to the place after `at` of them (to
/// the end if absent). If the history ends early, the result has the reason.
pub fn replay(game: &Arc<Game>, history: &[Vec<String>], at: Option<usize>) -> (Stepper, Option<ReplayEnd>) {
    let mut stepper = Stepper::new(game.clone());
    let mut ended = None;
    for (index, names) in history.iter().enumerate() {
        let joint = joint(game, names).map_err(|error| error.to_string());
        let played = joint.and_then(|joint| stepper.play(joint).map_err(|error| error.to_string()));
        if let Err(why) = played {
            ended = Some(ReplayEnd { round: index + 1, why });
            break;
        }
    }
    stepper.jump(at.unwrap_or(usize::MAX));
    (stepper, ended)
}

/// The reason why names are not a round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoundError {
    /// The number of names is wrong.
    #[error("a round takes {roles} moves, one of each role, not {names}")]
    Count {
        /// The number of roles of the game.
        roles: usize,
        /// The number of names given.
        names: usize,
    },
    /// One name is not a move of its role.
    #[error("{role} has no move `{name}`")]
    Move {
        /// The role's name.
        role: String,
        /// The name that is not a move.
        name: String,
    },
}

/// A joint move from names, one for each role.
///
/// # Errors
/// If there are too many or too few names, or one is not a move of its role.
pub fn joint(game: &Game, names: &[String]) -> Result<JointMove, RoundError> {
    let names: Vec<Option<String>> = names.iter().cloned().map(Some).collect();
    Ok(chosen(game, &names)?.into_iter().flatten().collect())
}

/// Moves from names, one or none for each role. An empty list means no move for any role.
///
/// # Errors
/// Like [`joint`].
pub fn chosen(game: &Game, names: &[Option<String>]) -> Result<Vec<Option<MoveId>>, RoundError> {
    if names.is_empty() {
        return Ok(vec![None; game.roles.len()]);
    }
    if names.len() != game.roles.len() {
        return Err(RoundError::Count { roles: game.roles.len(), names: names.len() });
    }
    let find = |(role, name): (RoleId, &Option<String>)| {
        let Some(name) = name else { return Ok(None) };
        let unknown = || RoundError::Move { role: names::role(game, role).to_owned(), name: name.clone() };
        game.rules.find_move(role, name).map(Some).ok_or_else(unknown)
    };
    game.role_ids().zip(names).map(find).collect()
}

/// Random numbers for the moves of a round. However a client counts its rounds, no two rounds share a seed.
pub fn random(seed: u64, round: usize) -> SmallRng {
    SmallRng::seed_from_u64(seed_of(seed, round))
}

fn seed_of(seed: u64, round: usize) -> u64 {
    // The golden ratio of 2^64, which puts neighbouring seeds far apart.
    seed.wrapping_add((round as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// The role's moves and percepts in the first `at` rounds.
pub fn view(stepper: &Stepper, role: RoleId, at: usize) -> View {
    trace::view_of(stepper.game(), &stepper.joints()[..at], role, at)
}

/// True if a role can know that a move of its own is legal, by a proof; `None` if the budget does not decide it. Only
/// the role's view is used.
pub fn is_known_legal(game: &Game, view: &View, mv: MoveId, budget: &Budget) -> Option<bool> {
    let claims = Claims { legal: vec![mv], ..Claims::default() };
    match certain(game, view, &claims, DEFAULT_MEMORY, budget) {
        Ok((proved, _)) if !proved.is_empty() => Some(true),
        Ok((_, true)) => Some(false),
        Ok((_, false)) | Err(_) => None,
    }
}

/// The most moves that are tried one by one if draws prove none.
const TRIED: usize = 8;

/// The move that a role makes at its seat, without use of the true state. It is always a move that the role knows to be
/// legal: `own` if given, else a random one. `is_legal` proves a move that draws leave open, and returns `None` if time
/// runs out.
///
/// # Errors
/// A sentence with the reason why the move cannot be made.
pub fn own_move(
    game: &Game,
    worlds: &Worlds,
    own: Option<MoveId>,
    mut is_legal: impl FnMut(MoveId) -> Option<bool>,
    rng: &mut SmallRng,
) -> Result<MoveId, String> {
    let moves = worlds.legal(game);
    let certain: Vec<MoveId> = moves.iter().filter(|(_, chance)| *chance >= 1.0).map(|(mv, _)| *mv).collect();
    let name = names::role(game, worlds.role);
    let Some(own) = own else {
        let likely = moves.iter().filter(|(_, chance)| !worlds.is_exact() && *chance > 0.5).take(TRIED);
        let found = certain.choose(rng).copied();
        let found = found.or_else(|| likely.map(|(mv, _)| *mv).find(|&mv| is_legal(mv) == Some(true)));
        return found.ok_or_else(|| format!("{name} knows of no legal move"));
    };
    if certain.contains(&own) {
        return Ok(own);
    }
    let mv = game.rules.move_name(worlds.role, own);
    match is_legal(own) {
        Some(true) => Ok(own),
        Some(false) => Err(format!("{name} does not know whether `{mv}` is legal")),
        None => Err(format!("whether {name} knows that `{mv}` is legal was not found out in time")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rounds_share_a_seed() {
        for (up, first) in [(0u64, 7u64), (1, 0), (1, 6), (1, 1 << 31), (2, 5)] {
            let mut seeds: Vec<u64> = (0..200).map(|round| seed_of(first + up * round as u64, round)).collect();
            seeds.sort_unstable();
            seeds.dedup();
            assert_eq!(seeds.len(), 200, "counting up by {up} from {first}");
        }
    }
}
