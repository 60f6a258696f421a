//! Matches that advance together, by moves that callers choose: what learners step through.
//!
//! Moves and percepts are numbers: places in the lists of [`Numbers`]. Games with a [`BitRound`](crate::BitRound) are
//! stepped in the lanes of words, all others state by state; the answers are the same. A match whose numbers become too
//! large for lanes goes on state by state, until it is restarted.

mod states;

use std::sync::Arc;

use rayon::prelude::*;

use crate::compiled::Rounds;
use crate::play::block::Block;
use crate::{Game, RoleId};
use states::WithStrays;

pub use crate::play::block::{Illegal, NO_GOAL, NO_MOVE, Numbers};

/// A batch that would take too many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a batch of {size} matches would take {} MB, more than {}", bytes >> 20, limit >> 20)]
pub struct TooMany {
    /// The number of matches.
    pub size: usize,
    /// The required bytes.
    pub bytes: usize,
    /// The allowed bytes.
    pub limit: usize,
}

/// Matches that advance together, on the threads of the current rayon pool.
///
/// The random moves of a match come from its own stream, made of the seed and its number: match `n` of a batch with
/// random moves is match `n` of [`crate::play`], as long as it is not restarted. POGDDL that is stepped state by state is
/// drawn in another order.
pub struct Batch {
    blocks: Vec<Box<dyn Block>>,
    /// The number of matches in every block but the last.
    per_block: usize,
    size: usize,
    roles: usize,
    numbers: Arc<Numbers>,
}

impl Batch {
    /// A batch of `size` matches, each before its first move, that takes at most `limit` bytes.
    ///
    /// # Errors
    /// If it would take more.
    pub fn new(game: &Game, numbers: &Arc<Numbers>, size: usize, seed: u64, limit: usize) -> Result<Batch, TooMany> {
        let round = game.rules.bit_round();
        let lanes = round.as_ref().map(|round| Arc::new(Rounds::new(round, game.rules.initial(), numbers)));
        let bytes = match &lanes {
            Some(rounds) => rounds.bytes(size),
            None => states::bytes(game, size),
        };
        if bytes > limit {
            return Err(TooMany { size, bytes, limit });
        }
        let (mut blocks, per_block) = match &lanes {
            Some(rounds) => rounds.blocks(size, seed),
            None => states::blocks(game, numbers, size, seed),
        };
        if let Some(round) = round.filter(|round| round.registers.is_some()) {
            blocks = WithStrays::all(game, numbers, &round, blocks);
        }
        Ok(Batch { blocks, per_block, size, roles: game.roles.len(), numbers: numbers.clone() })
    }

    /// The number of matches.
    pub fn len(&self) -> usize {
        self.size
    }

    /// True if it has no matches.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// True if other threads could do a part of the work.
    pub fn is_shared(&self) -> bool {
        self.blocks.len() > 1
    }

    /// Applies `f` to every block and its part of an array that has `width` items for a match.
    fn each<T: Send>(
        &mut self,
        array: &mut [T],
        width: usize,
        f: impl Fn(&mut Box<dyn Block>, &mut [T]) + Send + Sync,
    ) {
        let chunk = (self.per_block * width).max(1);
        match &mut self.blocks[..] {
            [one] => f(one, array),
            _ if width == 0 => {}
            blocks => blocks.par_iter_mut().zip(array.par_chunks_mut(chunk)).for_each(|(block, part)| f(block, part)),
        }
    }

    /// A random legal move for every role, by match and role: [`NO_MOVE`] for all if a match is over or a role is
    /// stuck. `numbers` has room for them.
    pub fn choose(&mut self, numbers: &mut [i32]) {
        let roles = self.roles;
        self.each(numbers, roles, |block, numbers| block.choose(numbers));
    }

    /// Makes a joint move in every match that is not over: the moves are by match and role; those of matches that are
    /// over are not read. The percepts of the roles in `sees` are marked with 1, by match and number.
    ///
    /// # Errors
    /// The first move that is not legal; then no match has advanced.
    ///
    /// # Panics
    /// If an array has another size.
    pub fn step(&mut self, numbers: &[i32], sees: &mut [(RoleId, &mut [u8])]) -> Result<(), Illegal> {
        assert_eq!(numbers.len(), self.size * self.roles, "a move for every role of every match");
        let chunk = (self.per_block * self.roles).max(1);
        let given = match &mut self.blocks[..] {
            [one] => one.give(numbers),
            blocks => {
                let give = |(at, (block, numbers)): (usize, (&mut Box<dyn Block>, &[i32]))| {
                    let given = block.give(numbers);
                    given.map_err(|illegal| Illegal { at: at * self.per_block + illegal.at, ..illegal })
                };
                let given: Vec<_> =
                    blocks.par_iter_mut().zip(numbers.par_chunks(chunk)).enumerate().map(give).collect();
                given.into_iter().collect()
            }
        };
        if given.is_err() {
            self.blocks.par_iter_mut().for_each(|block| block.take_back());
            return given;
        }
        let widths: Vec<usize> = sees.iter().map(|(role, _)| self.numbers.percepts[role.0 as usize].len()).collect();
        let mut parts: Vec<Vec<(RoleId, &mut [u8])>> = self.blocks.iter().map(|_| Vec::new()).collect();
        for ((role, mask), width) in sees.iter_mut().zip(widths) {
            mask.fill(0);
            let mut rest = &mut **mask;
            for (parts, block) in parts.iter_mut().zip(&self.blocks) {
                let (part, more) = rest.split_at_mut(block.size() * width);
                parts.push((*role, part));
                rest = more;
            }
        }
        match (&mut self.blocks[..], &mut parts[..]) {
            ([one], [sees]) => one.advance(sees),
            (blocks, parts) => {
                blocks.par_iter_mut().zip(parts).for_each(|(block, sees)| block.advance(sees));
            }
        }
        Ok(())
    }

    /// Marks the legal moves of a role with 1, by match and number; none if a match is over.
    pub fn legal(&mut self, role: RoleId, mask: &mut [u8]) {
        mask.fill(0);
        let width = self.numbers.moves[role.0 as usize].len();
        self.each(mask, width, |block, mask| block.legal(role, mask));
    }

    /// The goal values that the rules give now, by match and role.
    pub fn goals(&mut self, goals: &mut [i32]) {
        let roles = self.roles;
        self.each(goals, roles, |block, goals| block.goals(goals));
    }

    /// Writes 1 for each match that is over, else 0.
    pub fn over(&mut self, over: &mut [u8]) {
        self.each(over, 1, |block, over| block.over(over));
    }

    /// The number of rounds played, for each match.
    pub fn rounds(&self) -> Vec<u32> {
        self.blocks.iter().flat_map(|block| block.rounds()).collect()
    }

    /// Restarts the matches that are over. Returns their number.
    pub fn restart(&mut self) -> usize {
        match &mut self.blocks[..] {
            [one] => one.restart(),
            blocks => blocks.par_iter_mut().map(|block| block.restart()).sum(),
        }
    }
}
