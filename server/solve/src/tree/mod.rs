//! The extensive form of a game: each player's knowledge at its decisions, and the outcome of each way to the end.
//!
//! A *sequence* of a player is the list of its choices on the way to one of its moves. By perfect recall, a player's
//! information sets and sequences are a tree (a [`Treeplex`]). A history that ends the match is then one sequence per
//! player and the probability of its chance moves: a [`Leaf`]. Simultaneous moves need no order in this form, because
//! none of them is in the view of another.

mod build;
mod count;
mod refused;
mod views;

pub(crate) use build::exact_weight;
pub(crate) use build::legal_moves;
pub use build::{Space, build, build_for};
pub use count::{Size, count};
pub use refused::BuildError;
pub(crate) use refused::{some_goals, some_moves};
pub use views::{PlayerRound, Views};

use percept_game::{MoveId, RoleId};

/// An information set in which a player has a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infoset {
    /// The player's sequence that leads to it.
    pub parent: u32,
    /// Its first sequence; its other sequences follow.
    pub first: u32,
    /// The number of moves.
    pub moves: u32,
    /// Its view, as an index into [`Tree::views`] of this player.
    pub view: u32,
    /// The number of rounds played before the choice.
    pub round: u32,
}

impl Infoset {
    /// The sequences that end with a move here.
    pub fn sequences(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.moves) as usize
    }
}

/// The information sets and sequences of one player. Sequence 0 is the empty one. An information set comes after the
/// one that its parent sequence belongs to, and its sequences come after those of earlier information sets.
#[derive(Clone, Debug)]
pub struct Treeplex {
    /// The role.
    pub role: RoleId,
    /// The information sets, in the order in which they are met.
    pub infosets: Vec<Infoset>,
    /// The move that ends each sequence; meaningless for sequence 0.
    pub moves: Vec<MoveId>,
}

impl Treeplex {
    /// A treeplex without an information set.
    pub fn new(role: RoleId) -> Treeplex {
        Treeplex { role, infosets: Vec::new(), moves: vec![MoveId(u32::MAX)] }
    }

    /// The number of sequences, including the empty one.
    pub fn sequences(&self) -> usize {
        self.moves.len()
    }

    /// For each sequence its information set; `u32::MAX` for the empty sequence.
    pub fn owners(&self) -> Vec<u32> {
        let mut owners = vec![u32::MAX; self.sequences()];
        for (index, infoset) in self.infosets.iter().enumerate() {
            owners[infoset.sequences()].fill(index as u32);
        }
        owners
    }
}

/// All histories that end the match with the same sequences, the same goals and equally likely chance moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The number of histories.
    pub histories: u64,
    /// The index into [`Tree::chances`] of the probability of the chance moves in one of them.
    pub chance: u32,
    /// The index into [`Tree::outcomes`].
    pub outcome: u32,
}

/// The probability of some chance moves: one over a whole number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// The probability, from 0 to 1.
    pub probability: f64,
    /// The inverse of the probability, if it is below 2^127.
    pub one_over: Option<u128>,
}

/// A game in extensive form, as sequences.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The players, in the order of their roles in the game; chance is not among them.
    pub players: Vec<Treeplex>,
    /// The views of each role, parallel to [`Tree::players`].
    pub views: Vec<Views>,
    /// The sequences of each leaf, one per player: `leaf * players + player`.
    pub ends: Vec<u32>,
    /// The ends of all matches.
    pub leaves: Vec<Leaf>,
    /// The probabilities of chance moves.
    pub chances: Vec<Chance>,
    /// The goals of the players, in the order of the players.
    pub outcomes: Vec<Vec<i64>>,
    /// The number of distinct positions: a state with the views of all players, which most algorithms would call a
    /// node.
    pub positions: u64,
    /// The number of histories of joint moves, including the empty one and the unfinished ones.
    pub histories: f64,
    /// The number of rounds of the longest match.
    pub rounds: usize,
}

impl Tree {
    /// The sequences of a leaf, one per player.
    pub fn sequences(&self, leaf: usize) -> &[u32] {
        &self.ends[leaf * self.players.len()..(leaf + 1) * self.players.len()]
    }

    /// The total probability that chance plays its part of a leaf.
    pub fn weight(&self, leaf: usize) -> f64 {
        let leaf = &self.leaves[leaf];
        leaf.histories as f64 * self.chances[leaf.chance as usize].probability
    }

    /// The players that have a choice somewhere, as indices into [`Tree::players`].
    pub fn deciders(&self) -> Vec<usize> {
        (0..self.players.len()).filter(|&player| !self.players[player].infosets.is_empty()).collect()
    }

    /// The number of information sets of all players.
    pub fn infosets(&self) -> usize {
        self.players.iter().map(|plex| plex.infosets.len()).sum()
    }
}
