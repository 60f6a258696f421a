//! Matches: random ones, and those given by the names of moves.

use percept_game::{Game, JointMove, MoveId, RoleId, State};
use rand::{Rng, SeedableRng, rngs::SmallRng};

/// A random match of at most `rounds` rounds; it also ends if a role has no move.
pub fn random(game: &Game, seed: u64, rounds: usize) -> Vec<JointMove> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut at = game.start();
    let mut played = Vec::new();
    while played.len() < rounds && !at.is_terminal() {
        let mut joint = JointMove::new();
        for role in game.role_ids() {
            let legal = at.legal(role);
            if legal.is_empty() {
                return played;
            }
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        at.step(&joint);
        played.push(joint);
    }
    played
}

/// A match from the names of its moves, one list per round in the order of the roles.
///
/// # Panics
/// A role has no such move.
pub fn named(game: &Game, rounds: &[&[&str]]) -> Vec<JointMove> {
    let find = |(role, name): (RoleId, &&str)| {
        game.rules.find_move(role, name).unwrap_or_else(|| panic!("{role:?} has no move {name}"))
    };
    rounds.iter().map(|round| game.role_ids().zip(round.iter()).map(find).collect()).collect()
}

/// The role that has a move to choose, in a game by turns.
pub fn mover(game: &Game, state: &State) -> Option<RoleId> {
    game.role_ids().find(|&role| game.rules.legal(state, role) != [MoveId::NOOP])
}

/// The joint move in which one role moves and all others wait.
pub fn joint(game: &Game, role: RoleId, mv: MoveId) -> JointMove {
    game.role_ids().map(|other| if other == role { mv } else { MoveId::NOOP }).collect()
}
