//! One round of a simulated match: the legal moves, the next state, and every role's knowledge, as keys.

use percept_game::{Cursor, Game, JointMove, MoveId, PerceptId, RoleId, State};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number of rounds after which a simulated match is given up; its goals at that point then count.
pub(crate) const LONGEST: usize = 2_000;

/// A role's knowledge as a number: equal for histories that the role cannot distinguish.
pub(crate) type Key = u64;

/// A position of a simulated match.
#[derive(Clone, Debug)]
pub struct Place {
    pub state: State,
    /// The key of each role.
    pub keys: Box<[Key]>,
}

fn mix(key: Key, value: u64) -> Key {
    // The finalizer of splitmix64 over a sum that depends on the order.
    let mut z = key.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value.wrapping_add(0x632b_e59b_d9b4_e019);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the key of a view that is longer by a round.
pub(crate) fn longer(key: Key, own: Option<MoveId>, percepts: &[PerceptId]) -> Key {
    let own = own.map_or(u64::MAX, |mv| u64::from(mv.0));
    percepts.iter().fold(mix(key, own), |key, percept| mix(key, u64::from(percept.0)))
}

/// Returns the key of a state, for players that assume that they see it.
pub(crate) fn state_key(state: &State) -> Key {
    let bits = state.bits.iter().fold(1, |key, &word| mix(key, word));
    state.registers.iter().fold(bits, |key, &number| mix(key, number as u64))
}

impl Place {
    pub fn start(game: &Game) -> Place {
        Place { state: game.rules.initial(), keys: vec![0; game.roles.len()].into() }
    }

    /// Returns the place after a joint move.
    pub fn after(&self, game: &Game, joint: &[MoveId]) -> Place {
        self.next(game, &mut *game.at(&self.state), joint)
    }

    /// Like [`Place::after`], with a cursor that is at this place.
    pub fn next(&self, game: &Game, at: &mut dyn Cursor, joint: &[MoveId]) -> Place {
        let mut keys = self.keys.clone();
        learn(game, at, joint, &mut keys, &mut Vec::new());
        Place { state: at.next(joint), keys }
    }
}

/// Updates every role's key by a joint move at a place. `percepts` is scratch space.
pub(crate) fn learn(
    game: &Game,
    at: &mut dyn Cursor,
    joint: &[MoveId],
    keys: &mut [Key],
    percepts: &mut Vec<PerceptId>,
) {
    for (role, key) in game.role_ids().zip(keys) {
        if !game.roles[role.0 as usize].is_chance {
            percepts.clear();
            at.percepts_into(joint, role, percepts);
            *key = key_after(game, role, *key, joint, percepts);
        }
    }
}

/// Returns a role's key after a round with these percepts; chance learns nothing.
pub(crate) fn key_after(game: &Game, role: RoleId, key: Key, joint: &[MoveId], percepts: &[PerceptId]) -> Key {
    let index = usize::from(role.0);
    match game.roles[index].is_chance {
        true => key,
        false => longer(key, game.own_move(role, joint), percepts),
    }
}

/// The legal moves of every role.
pub(crate) fn choices(game: &Game, state: &State) -> Vec<Vec<MoveId>> {
    let mut at = game.at(state);
    game.role_ids().map(|role| at.legal(role)).collect()
}

/// The goals of all roles: the mean if there are several, zero if there are none.
pub(crate) fn goals(game: &Game, state: &State) -> Vec<f64> {
    goals_at(game, &mut *game.at(state))
}

/// Like [`goals`], at the cursor's position.
pub(crate) fn goals_at(game: &Game, at: &mut dyn Cursor) -> Vec<f64> {
    let goal = |role| {
        let goals = at.goals(role);
        goals.iter().sum::<i64>() as f64 / goals.len().max(1) as f64
    };
    game.role_ids().map(goal).collect()
}

/// Plays random moves from the cursor's position to the end, and returns the goals of all roles. The cursor may move.
/// `state` is scratch space.
pub(crate) fn playout_at(
    game: &Game,
    at: &mut dyn Cursor,
    state: &mut State,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<f64> {
    state.clone_from(at.state());
    match game.rules.random_rounds(state, LONGEST, rng) {
        Some(_) => goals(game, state),
        None => told_playout(game, at, rng, &mut |_, _| ()),
    }
}

/// Plays random moves from the cursor's position to the end, reports each choice, and returns the goals of all roles.
pub(crate) fn told_playout(
    game: &Game,
    at: &mut dyn Cursor,
    rng: &mut Xoshiro256PlusPlus,
    record: &mut dyn FnMut(RoleId, MoveId),
) -> Vec<f64> {
    let mut joint = JointMove::with_capacity(game.roles.len());
    let mut legal = Vec::new();
    'rounds: for _ in 0..LONGEST {
        if at.is_terminal() {
            break;
        }
        joint.clear();
        for role in game.role_ids() {
            legal.clear();
            at.legal_into(role, &mut legal);
            match legal.len() {
                0 => break 'rounds,
                1 => joint.push(legal[0]),
                count => {
                    let mv = legal[rng.random_range(0..count)];
                    record(role, mv);
                    joint.push(mv);
                }
            }
        }
        at.step(&joint);
    }
    goals_at(game, at)
}
