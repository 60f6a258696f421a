//! A block of matches that advance together, independent of their storage, and the numbers of their moves and percepts.

use super::Stream;
use crate::circuit::Lit;
use crate::{Ground, MoveId, PerceptId, RoleId, State};

/// The goal of a role that has no goal value, more than one, or one beyond 32 bits.
pub const NO_GOAL: i32 = i32::MIN;

/// The number for "no move": the match is over, or a role is stuck.
pub const NO_MOVE: i32 = -1;

/// The moves and percepts behind the numbers, for each role in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The moves, by role and number.
    pub moves: Vec<Vec<MoveId>>,
    /// The percepts, by role and number.
    pub percepts: Vec<Vec<PerceptId>>,
}

impl Numbers {
    /// All moves and percepts of a ground game; `noop` of POGDDL is the last.
    pub fn new(ground: &Ground, roles: usize) -> Numbers {
        fn sorted<K: Ord + Copy>(gates: &[Vec<(K, Lit)>], roles: usize) -> Vec<Vec<K>> {
            let mut keys: Vec<Vec<K>> = gates.iter().map(|gates| gates.iter().map(|(key, _)| *key).collect()).collect();
            keys.resize(roles, Vec::new());
            keys.iter_mut().for_each(|keys| {
                keys.sort_unstable();
                keys.dedup();
            });
            keys
        }
        Numbers { moves: sorted(&ground.moves, roles), percepts: sorted(&ground.sees, roles) }
    }

    /// The number of a move.
    pub fn of_move(&self, role: RoleId, mv: MoveId) -> Option<usize> {
        self.moves[role.0 as usize].binary_search(&mv).ok()
    }

    /// The number of a percept.
    pub fn of_percept(&self, role: RoleId, percept: PerceptId) -> Option<usize> {
        self.percepts[role.0 as usize].binary_search(&percept).ok()
    }
}

/// A move that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("match {at}: move {number} is not legal for role {}", role.0)]
pub struct Illegal {
    /// The index of the match.
    pub at: usize,
    /// The role of the move.
    pub role: RoleId,
    /// The number as given.
    pub number: i32,
}

/// Some matches of a batch. Arrays are by match, then by role or number.
pub(crate) trait Block: Send + Sync {
    fn size(&self) -> usize;
    /// Receives a move for every role of every match that is not over. After an error, [`Block::take_back`] must
    /// follow.
    fn give(&mut self, numbers: &[i32]) -> Result<(), Illegal>;
    /// Forgets the received moves.
    fn take_back(&mut self);
    /// Makes the received moves, and marks the percepts of these roles.
    fn advance(&mut self, sees: &mut [(RoleId, &mut [u8])]);
    /// Random legal moves.
    fn choose(&mut self, numbers: &mut [i32]);
    /// Marks the legal moves of a role.
    fn legal(&mut self, role: RoleId, mask: &mut [u8]);
    fn goals(&mut self, goals: &mut [i32]);
    fn over(&self, over: &mut [u8]);
    fn rounds(&self) -> Vec<u32>;
    /// Restarts the matches that are over; returns their number.
    fn restart(&mut self) -> usize;
    /// Gives away the matches in which the last moves have made a number too large for the block. They are not matches
    /// of the block until they return.
    fn give_away(&mut self) -> Vec<Leaver> {
        Vec::new()
    }
    /// Receives back the stream of a match that was given away; the match can then be restarted.
    fn take_again(&mut self, _at: usize, _stream: Stream) {}
}

/// A match that leaves its block.
pub(crate) struct Leaver {
    /// Its index in the block.
    pub at: usize,
    /// Its state before the last moves, and the number of rounds before it.
    pub state: State,
    pub rounds: u32,
    pub stream: Stream,
}

/// The bits that are set.
pub(crate) fn ones(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}
