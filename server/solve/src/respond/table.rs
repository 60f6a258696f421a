//! The strategy of one role as a trie of its views, in the numbers of an [`Arena`](crate::arena::Arena).

use percept_game::{Game, MoveId, PerceptId, RoleId, Term};
use rustc_hash::FxHashMap;

use super::Profile;
use crate::arena::Interned;
use crate::sampling::{Node, Table as Sampling};
use crate::strategy::{Entry, Shared, ViewRound};

/// The memory of a role: a node of the trie.
pub(crate) type Memory = u32;

/// The memory of a view after which no view has an entry: from then on the role moves uniformly at random.
pub(super) const UNLISTED: Memory = u32::MAX;

/// The own move of a round in which the role does not know it.
const UNKNOWN: u32 = u32::MAX;

/// The lists of percepts of a role.
type Percepts = Interned<Vec<PerceptId>>;

/// The behaviour at a view.
#[derive(Clone, Copy)]
enum Listed<'a> {
    /// By the names of moves.
    Named(&'a Entry),
    Sampled(&'a Node),
    Shared(&'a [(u32, f64)]),
}

/// A strategy over views with the same future, in the numbers of an arena.
struct Automaton<'a> {
    shared: &'a Shared,
    /// The number of each round, by own move and percepts.
    rounds: FxHashMap<(u32, u32), u32>,
    /// The numbers of the moves, by their numbers in the strategy.
    moves: Vec<Option<MoveId>>,
}

/// The entries of one role.
pub(crate) struct Table<'a> {
    pub role: RoleId,
    knows_own_moves: bool,
    /// The node after a node, an own move and a list of percepts.
    after: FxHashMap<(Memory, u32, u32), Memory>,
    entries: FxHashMap<Memory, Listed<'a>>,
    shared: Option<Automaton<'a>>,
}

impl<'a> Table<'a> {
    /// The strategy of a role in a profile. Views that no match has are left out. `lists`: the role's lists of percepts
    /// in all matches.
    pub(crate) fn new(game: &Game, lists: &Percepts, role: RoleId, profile: Profile<'a>) -> Table<'a> {
        let mut table = Table {
            role,
            knows_own_moves: game.knows_own_moves,
            after: FxHashMap::default(),
            entries: FxHashMap::default(),
            shared: None,
        };
        match profile {
            Profile::Uniform => {}
            Profile::Table(strategy) => {
                let name = &game.roles[role.0 as usize].name;
                table.shared = strategy.shared(name).map(|shared| table.automaton(game, lists, shared));
                for entry in strategy.entries().iter().filter(|entry| entry.role.eq_ignore_ascii_case(name)) {
                    table.add(game, lists, entry);
                }
            }
            Profile::Sampled(sampled) => {
                if let Some(sampled) = sampled.table(role) {
                    table.copy(lists, sampled);
                }
            }
        }
        table
    }

    /// Takes over the views of a sample, with their numbers.
    fn copy(&mut self, lists: &Percepts, sampled: &'a Sampling) {
        for (view, before, last) in sampled.views.steps() {
            if let Some(percepts) = lists.find(last.percepts) {
                self.after.insert((before, last.own.map_or(UNKNOWN, |mv| mv.0), percepts), view);
            }
        }
        self.entries.extend(sampled.nodes.iter().map(|(&view, node)| (view, Listed::Sampled(node))));
    }

    fn automaton(&self, game: &Game, lists: &Percepts, shared: &'a Shared) -> Automaton<'a> {
        let rounds = (0..).zip(shared.rounds()).filter_map(|(id, round)| {
            let (own, percepts) = self.round(game, lists, round)?;
            Some(((own.0, percepts), id))
        });
        let mv = |name: &String| game.rules.move_named(self.role, &name.parse().ok()?);
        Automaton { shared, rounds: rounds.collect(), moves: shared.moves().iter().map(mv).collect() }
    }

    /// The own move and the percepts of a round. `None` if no match has them.
    fn round(&self, game: &Game, lists: &Percepts, round: &ViewRound) -> Option<(MoveId, u32)> {
        let own = match &round.own {
            Some(own) => game.rules.move_named(self.role, &own.parse().ok()?)?,
            None => MoveId(UNKNOWN),
        };
        let names: Option<Vec<Term>> = round.percepts.iter().map(|name| name.parse().ok()).collect();
        let mut percepts = game.rules.percepts_named(self.role, &names?)?;
        if !game.is_sequential {
            percepts.sort_unstable();
        }
        Some((own, lists.find(&percepts)?))
    }

    fn add(&mut self, game: &Game, lists: &Percepts, entry: &'a Entry) {
        let mut at = 0;
        for round in &entry.view {
            let Some((own, percepts)) = self.round(game, lists, round) else { return };
            let fresh = self.after.len() as Memory + 1;
            at = *self.after.entry((at, own.0, percepts)).or_insert(fresh);
        }
        self.entries.insert(at, Listed::Named(entry));
    }

    /// The memory before the first round.
    pub(crate) fn start(&self) -> Memory {
        if self.entries.is_empty() && self.shared.is_none() { UNLISTED } else { 0 }
    }

    /// True if there is an entry for this view.
    pub(crate) fn is_listed(&self, memory: Memory) -> bool {
        self.listed(memory).is_some()
    }

    fn listed(&self, memory: Memory) -> Option<Listed<'a>> {
        match &self.shared {
            Some(automaton) if memory != UNLISTED => {
                let plays = automaton.shared.plays(memory);
                (!plays.is_empty()).then_some(Listed::Shared(plays))
            }
            _ => self.entries.get(&memory).copied(),
        }
    }

    /// The memory after a round.
    pub(crate) fn after(&self, memory: Memory, own: MoveId, percepts: u32) -> Memory {
        let own = if self.knows_own_moves { own.0 } else { UNKNOWN };
        if let Some(automaton) = self.shared.as_ref().filter(|_| memory != UNLISTED) {
            let round = automaton.rounds.get(&(own, percepts));
            return round.and_then(|&round| automaton.shared.after(memory, round)).unwrap_or(UNLISTED);
        }
        self.after.get(&(memory, own, percepts)).copied().unwrap_or(UNLISTED)
    }

    /// The probabilities of these legal moves.
    ///
    /// # Errors
    /// If the entry gives a move that is not among them a probability above zero, the name of that move.
    pub(super) fn behaviour(&self, game: &Game, memory: Memory, legal: &[MoveId]) -> Result<Vec<f64>, String> {
        let entry = match self.listed(memory) {
            Some(Listed::Shared(plays)) => return self.shared_behaviour(game, plays, legal),
            None => return Ok(vec![1.0 / legal.len() as f64; legal.len()]),
            // Sampling compared the legal moves of each view, so they are the same.
            Some(Listed::Sampled(node)) => return Ok(node.average()),
            Some(Listed::Named(entry)) => entry,
        };
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

    fn shared_behaviour(&self, game: &Game, plays: &[(u32, f64)], legal: &[MoveId]) -> Result<Vec<f64>, String> {
        let mut behaviour = vec![0.0; legal.len()];
        for &(mv, probability) in plays {
            let own = self.shared.as_ref().and_then(|automaton| automaton.moves[mv as usize]);
            match legal.iter().position(|&legal| Some(legal) == own) {
                Some(at) => behaviour[at] += probability,
                None if probability > 0.0 => {
                    return Err(own.map_or_else(String::new, |mv| game.rules.move_name(self.role, mv)));
                }
                None => {}
            }
        }
        Ok(behaviour)
    }
}
