//! The successors of blocks.

use rayon::prelude::*;

use super::ends::Leaf;
use super::parts::{NONE, Parts, Used};
use super::settle::Open;
use super::state::{Block, Builder, variable};
use crate::arena::{Arena, RespondError};

/// The blocks that one task expands, and those that are expanded before the results are put together.
const TASK: usize = 1 << 14;
const BATCH: usize = 1 << 21;

/// The successors of blocks, and the ends of matches. In both, sets are the codes of parts.
#[derive(Default)]
pub(super) struct Successors {
    pub(super) blocks: Vec<Block>,
    pub(super) leaves: Vec<Leaf>,
}

impl Builder<'_> {
    /// Finds the successors of the blocks, and the parts in use.
    ///
    /// # Errors
    /// If the limits are reached.
    pub(super) fn expand(&self, open: &[Open; 2]) -> Result<(Successors, [Parts; 2]), RespondError> {
        let symbols = [0, 1].map(|player| self.cores.symbols[player].len());
        let codes = [0, 1].map(|player| self.sets[player].len() * symbols[player]);
        if codes.iter().any(|&codes| codes >= NONE as usize) {
            return Err(self.too_large());
        }
        let used = codes.map(Used::none);
        let mut all = Successors::default();
        for batch in self.blocks.chunks(BATCH) {
            self.budget.check()?;
            let found = batch.par_chunks(TASK).map(|blocks| self.successors(blocks, open, &used));
            for found in found.collect::<Vec<Successors>>() {
                all.blocks.extend(found.blocks);
                all.leaves.extend(found.leaves);
            }
            self.check_space(size_of::<Block>() * all.blocks.len() + 16 * all.leaves.len())?;
        }
        let [one, other] = used;
        Ok((all, [Parts::new(one, symbols[0]), Parts::new(other, symbols[1])]))
    }

    fn successors(&self, blocks: &[Block], open: &[Open; 2], used: &[Used; 2]) -> Successors {
        let mut found = Successors::default();
        let role = self.cores.players[0].0 as usize;
        for block in blocks {
            for step in self.cores.from(block.core) {
                if (0..2).any(|player| !open[player].is_open(block.sets[player], step.symbols[player])) {
                    continue;
                }
                let symbols = |player: usize| self.cores.symbols[player].len() as u32;
                let sets = [0, 1].map(|player| block.sets[player] * symbols(player) + step.symbols[player]);
                let weight = block.weight * step.probability;
                let outcome = self.cores.over[step.next as usize];
                if outcome == Arena::ON {
                    found.blocks.push(Block { core: step.next, sets, weight });
                } else {
                    let goal = self.arena.outcomes.list[outcome as usize][role] - self.offset;
                    if goal == 0 {
                        continue;
                    }
                    found.leaves.push((sets[0], sets[1], weight * goal as f64));
                }
                used.iter().zip(sets).for_each(|(used, code)| used.add(code));
            }
        }
        found
    }

    /// Lists the variables of the sets with which matches end, and keeps the ends.
    pub(super) fn end(&mut self, mut leaves: Vec<Leaf>, parts: &[Parts; 2]) {
        for (player, parts) in parts.iter().enumerate() {
            let before = self.players[player].gathers.len() as u32;
            let mut numbers = vec![NONE; parts.codes.len()];
            let mut ends = Vec::new();
            for leaf in &mut leaves {
                let code = if player == 0 { &mut leaf.0 } else { &mut leaf.1 };
                let part = parts.id(*code);
                let number = &mut numbers[part as usize];
                if *number == NONE {
                    *number = before + ends.len() as u32;
                    ends.push(part);
                }
                *code = *number;
            }
            drop(numbers);
            let mut gathers = std::mem::take(&mut self.players[player].gathers);
            let (lists, views, sets) = (self.lists(player), &self.views[player], &self.sets[player]);
            gathers.extend(ends.len(), |end, items| {
                let (set, symbol) = parts.part(ends[end]);
                let mv = self.cores.symbols[player][symbol as usize].mv;
                let variable = |&view: &u32| {
                    let place = lists[views.list[view as usize] as usize].binary_search(&mv).ok()?;
                    Some(variable(views, view as usize, place))
                };
                items.extend(sets.list(set as usize).iter().filter_map(variable));
            });
            self.players[player].gathers = gathers;
        }
        let rows = self.players[0].gathers.len();
        self.ends.extend(crate::zero_sum::merged(&mut leaves), rows);
    }
}
