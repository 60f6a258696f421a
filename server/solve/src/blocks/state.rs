//! The state of the builder: the blocks of a round with their sets and views, and the decisions so far.

use percept_game::{Game, MoveId};
use percept_infoset::Budget;
use rustc_hash::FxHashMap;

use super::Passage;
use super::core::Cores;
use super::ends::Ends;
use super::lists::Lists;
use super::parts::{NONE, Views};
use crate::arena::{Arena, RespondError};
use crate::shape::Shape;
use crate::tree::Space;

/// Marks the number of a sum among the variables until the number of moves is known.
pub(super) const SUM: u32 = 1 << 31;

/// A core that is reached by all views of a set of each player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub core: u32,
    /// The sets, by number. In successors, these are codes of parts, then numbers of sides.
    pub sets: [u32; 2],
    pub weight: f64,
}

/// The decisions of one player so far.
pub(super) struct Decisions {
    pub shape: Shape,
    /// The sums, by content.
    pub sums: FxHashMap<Vec<u32>, u32>,
    pub moves: Vec<MoveId>,
    pub infosets: f64,
    pub forced: f64,
    /// For each of the player's lists of legal moves: true if it has one move that elsewhere is a choice.
    pub is_forced: Vec<bool>,
    pub passages: Vec<Vec<Passage>>,
    pub deciding: Vec<Vec<u32>>,
    /// The sets of variables at the ends of matches.
    pub gathers: Lists,
}

pub(super) struct Builder<'a> {
    pub game: &'a Game,
    pub arena: &'a Arena,
    pub cores: &'a Cores,
    pub space: &'a Space,
    pub budget: &'a Budget,
    pub views: [Views; 2],
    pub sets: [Lists; 2],
    pub blocks: Vec<Block>,
    pub players: [Decisions; 2],
    pub ends: Ends,
    pub offset: i64,
    /// The number of blocks after each round.
    pub counts: Vec<usize>,
}

impl Builder<'_> {
    /// Checks that what is kept, together with other bytes, does not take too much memory.
    pub(super) fn check_space(&self, bytes: usize) -> Result<(), RespondError> {
        let player = |player: usize| {
            let Decisions { gathers, passages, moves, shape, .. } = &self.players[player];
            let passages: usize = passages.iter().map(Vec::len).sum();
            let kept = gathers.bytes() + size_of::<Passage>() * passages + 60 * shape.sums.len();
            // Iterations keep six numbers for each move, when the sets and views of rounds are no longer needed.
            let (later, now) = (52 * moves.len(), self.sets[player].bytes() + 24 * self.views[player].notes.len());
            (kept, later, now)
        };
        let (first, second) = (player(0), player(1));
        let kept = first.0 + second.0 + self.ends.bytes();
        let now = first.2 + second.2 + size_of::<Block>() * self.blocks.len() + bytes;
        if kept + now.max(first.1 + second.1) > self.space.bytes { Err(self.too_large()) } else { Ok(()) }
    }

    /// The error that the blocks take too much memory.
    pub(super) fn too_large(&self) -> RespondError {
        RespondError::TooLarge { what: "blocks of positions", count: self.blocks.len(), space: self.space.bytes }
    }
}

/// The variable that leads from a view on by the legal move at this place.
pub(super) fn variable(views: &Views, view: usize, place: usize) -> u32 {
    match views.first[view] {
        NONE => views.reach[view],
        first => first + place as u32,
    }
}
