//! The legal moves of the players at their views.

use std::sync::atomic::{AtomicU32, Ordering};

use percept_game::MoveId;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::parts::NONE;
use super::state::Builder;
use crate::arena::RespondError;

/// The sets of views that are looked at before their lists of moves are put together.
const BATCH: usize = 1 << 18;

/// For each set of views of a player, the symbols that are open to some of them.
pub(super) struct Open {
    /// For each set, the number of the lists of legal moves of its views.
    kinds: Vec<u32>,
    /// For each kind and symbol.
    open: Vec<bool>,
    symbols: usize,
}

impl Open {
    /// True if a symbol's move is legal at some view of a set.
    pub(super) fn is_open(&self, set: u32, symbol: u32) -> bool {
        self.open[self.kinds[set as usize] as usize * self.symbols + symbol as usize]
    }
}

impl Builder<'_> {
    pub(super) fn lists(&self, player: usize) -> &[Vec<MoveId>] {
        &self.arena.moves[self.cores.players[player].0 as usize].list
    }

    /// Finds the legal moves of a player at its views, and makes information sets of them.
    ///
    /// # Errors
    /// If the player does not know its legal moves.
    pub(super) fn settle(&mut self, player: usize) -> Result<Open, RespondError> {
        let mut at: Vec<(u32, u32)> = self.blocks.iter().map(|block| (block.sets[player], block.core)).collect();
        at.par_sort_unstable();
        at.dedup();
        let list: Vec<AtomicU32> = self.views[player].notes.iter().map(|_| AtomicU32::new(NONE)).collect();
        let (mut kinds, mut ids) = (Vec::with_capacity(self.sets[player].len()), FxHashMap::default());
        let groups: Vec<&[(u32, u32)]> = at.chunk_by(|one, other| one.0 == other.0).collect();
        // Every set is in a block, so the groups are in the order of the sets.
        for groups in groups.chunks(BATCH) {
            let found = groups.par_iter().map(|at| self.legal(player, at, &list));
            let found: Result<Vec<Vec<u32>>, (u32, u32)> = found.collect();
            let found = found.map_err(|(one, other)| {
                let lists = self.lists(player);
                let (one, other) = (&lists[one as usize], &lists[other as usize]);
                RespondError::unknown_moves(self.game, self.cores.players[player], one, other)
            })?;
            for lists in found {
                let fresh = ids.len() as u32;
                kinds.push(*ids.entry(lists).or_insert(fresh));
            }
        }
        let symbols = &self.cores.symbols[player];
        let mut open = vec![false; ids.len() * symbols.len()];
        for (lists, kind) in ids {
            for (symbol, of) in symbols.iter().enumerate() {
                let is_legal = |&list: &u32| self.lists(player)[list as usize].binary_search(&of.mv).is_ok();
                open[kind as usize * symbols.len() + symbol] = lists.iter().any(is_legal);
            }
        }
        let open = Open { kinds, open, symbols: symbols.len() };
        self.views[player].list = list.into_iter().map(AtomicU32::into_inner).collect();
        self.decide(player);
        Ok(open)
    }

    /// The lists of legal moves of the views of a set, which is met at some cores. An error has two lists that the
    /// player cannot tell apart.
    fn legal(&self, player: usize, at: &[(u32, u32)], list: &[AtomicU32]) -> Result<Vec<u32>, (u32, u32)> {
        let (views, legal) = (&self.views[player], &self.cores.legal[player]);
        let mut by_notes: FxHashMap<u32, u32> = FxHashMap::default();
        let mut lists = Vec::new();
        for &view in self.sets[player].list(at[0].0 as usize) {
            let notes = views.notes[view as usize];
            let here = match by_notes.get(&notes) {
                Some(&here) => here,
                None => {
                    let here = legal[&(at[0].1, notes)];
                    if let Some(other) = at.iter().map(|it| legal[&(it.1, notes)]).find(|&it| it != here) {
                        return Err((here, other));
                    }
                    by_notes.insert(notes, here);
                    lists.push(here);
                    here
                }
            };
            let before = list[view as usize].swap(here, Ordering::Relaxed);
            if before != NONE && before != here {
                return Err((before, here));
            }
        }
        lists.sort_unstable();
        lists.dedup();
        Ok(lists)
    }

    /// Makes information sets of the views with a choice.
    fn decide(&mut self, player: usize) {
        let lists = &self.arena.moves[self.cores.players[player].0 as usize].list;
        let (views, decisions) = (&mut self.views[player], &mut self.players[player]);
        views.first = vec![NONE; views.list.len()];
        let mut deciding = Vec::new();
        for view in 0..views.list.len() {
            let list = views.list[view];
            let legal = &lists[list as usize];
            if legal.len() > 1 {
                let first = decisions.moves.len() as u32;
                views.first[view] = first;
                decisions.shape.firsts.push(first);
                decisions.shape.parents.push(views.reach[view]);
                decisions.moves.extend_from_slice(legal);
                decisions.infosets += views.count[view];
                deciding.push(view as u32);
            } else if decisions.is_forced[list as usize] {
                decisions.forced += views.count[view];
            }
        }
        decisions.deciding.push(deciding);
    }
}
