//! Builds the blocks round by round. A *block* is a core, a set of views of the first player and one of the second:
//! every view of the one set together with every view of the other is a way to the core. So a block stands for as many
//! positions as the product of the sizes of its sets.

use percept_game::{Game, MoveId, RoleId};
use percept_infoset::Budget;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Built;
use super::core::Cores;
use super::ends::Ends;
use super::expand::Successors;
use super::forecast::too_many;
use super::lists::Lists;
use super::parts::{NONE, Parts, Raw, Views};
use super::state::{Block, Builder, Decisions, SUM};
use super::unite::{Sides, unite};
use crate::arena::{Arena, RespondError};
use crate::shape::Shape;
use crate::tree::Space;

/// Builds the blocks of a game.
///
/// # Errors
/// If a player does not know its legal moves, or the limits are reached.
pub(super) fn build(
    game: &Game,
    arena: &Arena,
    cores: &Cores,
    space: &Space,
    budget: &Budget,
) -> Result<Built, RespondError> {
    let decisions = cores.players.map(|role| Decisions {
        shape: Shape { firsts: Vec::new(), parents: Vec::new(), sums: vec![0], items: Vec::new(), stages: Vec::new() },
        sums: FxHashMap::default(),
        moves: vec![MoveId(u32::MAX)],
        infosets: 0.0,
        forced: 0.0,
        is_forced: arena.forced(role),
        passages: Vec::new(),
        deciding: Vec::new(),
        gathers: Lists::new(),
    });
    let (core, notes) = cores.start;
    let first = |notes: u32| Views { notes: vec![notes], reach: vec![0], count: vec![1.0], ..Views::default() };
    let mut sets = [Lists::new(), Lists::new()];
    sets.iter_mut().for_each(|sets| sets.push([0]));
    let mut builder = Builder {
        game,
        arena,
        cores,
        space,
        budget,
        views: [first(notes[0]), first(notes[1])],
        sets,
        blocks: vec![Block { core, sets: [0, 0], weight: 1.0 }],
        players: decisions,
        ends: Ends::new(),
        offset: commonest(arena, cores.players[0]),
        counts: Vec::new(),
    };
    while !builder.blocks.is_empty() {
        budget.check()?;
        builder.advance()?;
    }
    Ok(builder.finish())
}

/// The goal of a role at the end of the most matches, by the number of joint moves that end them.
fn commonest(arena: &Arena, role: RoleId) -> i64 {
    let mut counts = FxHashMap::<i64, usize>::default();
    for state in 0..arena.states() as u32 {
        for (next, _) in arena.from(state) {
            if let Some(goals) = arena.goals(next) {
                *counts.entry(goals[role.0 as usize]).or_default() += 1;
            }
        }
    }
    counts.into_iter().max_by_key(|&(goal, count)| (count, goal)).map_or(0, |it| it.0)
}

impl Builder<'_> {
    /// Settles the blocks of a round and finds those of the next.
    fn advance(&mut self) -> Result<(), RespondError> {
        let open = [self.settle(0)?, self.settle(1)?];
        let (Successors { blocks, leaves }, mut parts) = self.expand(&open)?;
        drop(open);
        self.blocks = blocks;
        self.blocks.par_iter_mut().for_each(|block| {
            block.sets = [0, 1].map(|player: usize| parts[player].id(block.sets[player]));
        });
        self.end(leaves, &parts);
        parts.iter_mut().for_each(Parts::settle);
        let raw = [0, 1].map(|player| {
            Raw::new(&self.views[player], self.lists(player), &self.cores.symbols[player], &parts[player])
        });
        let next = self.next_sets(&parts, &raw)?;
        drop(parts);
        for ((player, mut sets), raw) in next.into_iter().enumerate().zip(raw) {
            self.views[player] = self.classes(player, &raw, &mut sets);
            self.sets[player] = sets;
        }
        self.counts.push(self.blocks.len());
        self.budget.report("rounds", self.counts.len(), None);
        match too_many(&self.counts, self.arena.rounds, self.space.bytes) {
            Some(count) => {
                let what = "blocks of positions that are to be expected";
                Err(RespondError::TooLarge { what, count, space: self.space.bytes })
            }
            None => Ok(()),
        }
    }

    /// Unites blocks, gives their sets numbers, and lists the views in the sets.
    fn next_sets(&mut self, parts: &[Parts; 2], raw: &[Raw; 2]) -> Result<[Lists; 2], RespondError> {
        let mut blocks = std::mem::take(&mut self.blocks);
        let sides = |player: usize| Sides::new(&parts[player], &raw[player], &self.views[player], &self.sets[player]);
        let mut sides = [sides(0), sides(1)];
        unite(&mut blocks, &mut sides);
        let mut next = [None, None];
        let mut kept = [Vec::new(), Vec::new()];
        for (player, sides) in sides.iter().enumerate() {
            let used = renumbered(&mut blocks, player, sides.len());
            if sides.are_sets() {
                kept[player] = vec![false; self.sets[player].len()];
                used.iter().for_each(|&side| kept[player][parts[player].part(side).0 as usize] = true);
                continue;
            }
            let (sets, views) = (&self.sets[player], &self.views[player]);
            let mut lists = Lists::new();
            lists.extend(used.len(), |at, items| {
                let from = items.len();
                for (set, symbol) in sides.of(used[at]).map(|part| parts[player].part(part)) {
                    let number = |&view: &u32| raw[player].number(views, view, symbol);
                    items.extend(sets.list(set as usize).iter().filter_map(number));
                }
                items[from..].sort_unstable();
            });
            next[player] = Some(lists);
            self.budget.check()?;
        }
        drop(sides);
        self.blocks = blocks;
        let raw = raw.iter().map(|raw| 32 * raw.len()).max().unwrap_or(0);
        self.check_space(next.iter().flatten().map(Lists::bytes).sum::<usize>() + raw)?;
        for (player, kept) in kept.iter().enumerate() {
            let before = std::mem::take(&mut self.sets[player]);
            let sets = next[player].get_or_insert(before);
            if !kept.is_empty() {
                sets.retain(|set| kept[set]);
            }
        }
        Ok(next.map(Option::unwrap_or_default))
    }

    fn finish(self) -> Built {
        let Builder { players, ends, offset, counts, .. } = self;
        let (rounds, largest) = (counts.len(), counts.into_iter().max().unwrap_or(1).max(1));
        Built { players: players.map(Decisions::finish), ends, offset, rounds, largest }
    }
}

/// Gives the sides of a player in blocks numbers from 0, in their order. Returns the sides.
fn renumbered(blocks: &mut [Block], player: usize, sides: usize) -> Vec<u32> {
    let mut numbers = vec![NONE; sides];
    blocks.iter().for_each(|block| numbers[block.sets[player] as usize] = 0);
    let mut used = Vec::new();
    for (side, number) in (0..).zip(&mut numbers).filter(|it| *it.1 == 0) {
        *number = used.len() as u32;
        used.push(side);
    }
    blocks.par_iter_mut().for_each(|block| block.sets[player] = numbers[block.sets[player] as usize]);
    used
}

impl Decisions {
    /// Numbers the sums after the moves.
    fn finish(mut self) -> super::Player {
        let moves = self.moves.len() as u32;
        self.shape.firsts.push(moves);
        let number = |it: u32| if it & SUM == 0 { it } else { (it & !SUM) + moves };
        self.shape.parents.iter_mut().for_each(|it| *it = number(*it));
        self.shape.items.iter_mut().for_each(|it| *it = number(*it));
        self.gathers.map(number);
        super::Player {
            shape: self.shape,
            moves: self.moves,
            infosets: self.infosets,
            forced: self.forced,
            passages: self.passages,
            deciding: self.deciding,
            gathers: self.gathers,
        }
    }
}
