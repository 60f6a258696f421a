//! The strategy of one role as a trie of its views, in the numbers of an [`Arena`].

use percept_game::{Game, MoveId, RoleId, Term};
use rustc_hash::FxHashMap;

use super::arena::Arena;
use crate::strategy::{Entry, Strategy};

/// What a role remembers: a node of the trie.
pub(super) type Memory = u32;

/// The memory of a view after which no view has an entry: from then on the role moves uniformly at random.
pub(super) const UNLISTED: Memory = u32::MAX;

/// The own move of a round in which the role does not know it.
const UNKNOWN: u32 = u32::MAX;

/// The entries of one role.
pub(super) struct Table<'a> {
    pub role: RoleId,
    knows_own_moves: bool,
    /// The node after a node, an own move and a list of percepts.
    after: FxHashMap<(Memory, u32, u32), Memory>,
    /// The entry of each node.
    entries: Vec<Option<&'a Entry>>,
}

impl<'a> Table<'a> {
    /// The entries of a role; without a strategy there are none. Views that no match has are left out.
    pub(super) fn new(game: &Game, arena: &Arena, role: RoleId, strategy: Option<&'a Strategy>) -> Table<'a> {
        let knows_own_moves = game.knows_own_moves;
        let mut table = Table { role, knows_own_moves, after: FxHashMap::default(), entries: vec![None] };
        let name = &game.roles[role.0 as usize].name;
        let entries = strategy.map_or(&[][..], Strategy::entries);
        for entry in entries.iter().filter(|entry| entry.role.eq_ignore_ascii_case(name)) {
            table.add(game, arena, entry);
        }
        table
    }

    fn add(&mut self, game: &Game, arena: &Arena, entry: &'a Entry) {
        let mut at = 0;
        for round in &entry.view {
            let own = match &round.own {
                Some(own) => own.parse().ok().and_then(|own: Term| game.rules.move_named(self.role, &own)),
                None => Some(MoveId(UNKNOWN)),
            };
            let names: Option<Vec<Term>> = round.percepts.iter().map(|name| name.parse().ok()).collect();
            let percepts = names.and_then(|names| game.rules.percepts_named(self.role, &names));
            let percepts = percepts.and_then(|mut percepts| {
                if !game.is_sequential {
                    percepts.sort_unstable();
                }
                arena.percepts[self.role.0 as usize].find(&percepts)
            });
            let (Some(own), Some(percepts)) = (own, percepts) else { return };
            let fresh = self.entries.len() as Memory;
            at = *self.after.entry((at, own.0, percepts)).or_insert(fresh);
            if at == fresh {
                self.entries.push(None);
            }
        }
        self.entries[at as usize] = Some(entry);
    }

    /// The memory before the first round.
    pub(super) fn start(&self) -> Memory {
        if self.after.is_empty() && self.entries[0].is_none() { UNLISTED } else { 0 }
    }

    /// True if there is an entry for this view.
    pub(super) fn is_listed(&self, memory: Memory) -> bool {
        self.entries.get(memory as usize).is_some_and(Option::is_some)
    }

    /// The memory after a round.
    pub(super) fn after(&self, memory: Memory, own: MoveId, percepts: u32) -> Memory {
        let own = if self.knows_own_moves { own.0 } else { UNKNOWN };
        self.after.get(&(memory, own, percepts)).copied().unwrap_or(UNLISTED)
    }

    /// The probabilities of these legal moves.
    ///
    /// # Errors
    /// If the entry gives a move that is not among them a probability above zero, the name of that move.
    pub(super) fn behaviour(&self, game: &Game, memory: Memory, legal: &[MoveId]) -> Result<Vec<f64>, String> {
        let entry = self.entries.get(memory as usize).copied().flatten();
        let Some(entry) = entry else { return Ok(vec![1.0 / legal.len() as f64; legal.len()]) };
        let mut behaviour = vec![0.0; legal.len()];
        for (name, probability) in &entry.moves {
            let mv = name.parse().ok().and_then(|name: Term| game.rules.move_named(self.role, &name));
            match legal.iter().position(|&legal| Some(legal) == mv) {
                Some(at) => behaviour[at] += probability,
                None if *probability > 0.0 => return Err(name.clone()),
                None => {}
            }
        }
        Ok(behaviour)
    }
}
