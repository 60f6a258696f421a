//! The views of a player as a tree: every view is the previous view and one more round.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use percept_game::{MoveId, PerceptId};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// One round of a view: the player's own move, if it knows it, and its percepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRound<'a> {
    /// The player's own move, if it knows it.
    pub own: Option<MoveId>,
    /// The percepts of the round.
    pub percepts: &'a [PerceptId],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step {
    before: u32,
    /// `u32::MAX - 1` if the player does not know its move.
    own: u32,
    percepts: u32,
}

const UNKNOWN: u32 = u32::MAX - 1;

/// The views of one player; view 0 is the empty one.
#[derive(Clone, Debug)]
pub struct Views {
    steps: Vec<Step>,
    lists: Vec<Box<[PerceptId]>>,
    list_ids: FxHashMap<Box<[PerceptId]>, u32>,
    /// The views of the round being built, by content.
    ids: HashTable<u32>,
}

impl Default for Views {
    fn default() -> Views {
        let root = Step { before: u32::MAX, own: UNKNOWN, percepts: 0 };
        Views { steps: vec![root], lists: Vec::new(), list_ids: FxHashMap::default(), ids: HashTable::new() }
    }
}

impl Views {
    /// The approximate bytes of a view while it can still be met again.
    pub const BYTES: usize = size_of::<Step>() + 10;

    /// The number of views.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if it has no views.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The view that follows `before` by this round.
    pub fn after(&mut self, before: u32, own: Option<MoveId>, percepts: &[PerceptId]) -> u32 {
        let list = match self.list_ids.get(percepts) {
            Some(&list) => list,
            None => {
                let list = self.lists.len() as u32;
                self.lists.push(percepts.into());
                self.list_ids.insert(percepts.into(), list);
                list
            }
        };
        let step = Step { before, own: own.map_or(UNKNOWN, |mv| mv.0), percepts: list };
        let hash = FxBuildHasher.hash_one(step);
        if let Some(&old) = self.ids.find(hash, |&id| self.steps[id as usize] == step) {
            return old;
        }
        let id = self.steps.len() as u32;
        self.steps.push(step);
        let steps = &self.steps;
        self.ids.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(steps[id as usize]));
        id
    }

    /// Begins the next round: views of earlier rounds cannot be met again, so their index is dropped.
    pub fn next_round(&mut self) {
        self.ids.clear();
    }

    /// Every view but the empty one: its number, that of the view before it, and its last round.
    pub fn steps(&self) -> impl Iterator<Item = (u32, u32, PlayerRound<'_>)> {
        let step = |(view, step): (usize, &Step)| (view as u32, step.before, self.round(*step));
        self.steps.iter().enumerate().skip(1).map(step)
    }

    fn round(&self, step: Step) -> PlayerRound<'_> {
        let own = (step.own != UNKNOWN).then_some(MoveId(step.own));
        PlayerRound { own, percepts: &self.lists[step.percepts as usize] }
    }

    /// The rounds of a view, first to last.
    pub fn rounds(&self, view: u32) -> Vec<PlayerRound<'_>> {
        let mut rounds = Vec::new();
        let mut at = view;
        while at != 0 {
            let step = self.steps[at as usize];
            rounds.push(self.round(step));
            at = step.before;
        }
        rounds.reverse();
        rounds
    }
}
