//! The game as one role meets it: every other role is replaced by its strategy, and only the memory of the others is
//! kept beside the state. Histories that end in the same state and the same memories have the same future for the role,
//! so they are one node.

use percept_game::{Game, MoveId, RoleId};
use percept_infoset::Budget;
use rustc_hash::FxHashMap;

use super::RespondError;
use super::table::{Memory, Table};
use crate::arena::{Arena, Interned};
use crate::tree::Space;

/// The number of nodes expanded between two checks of the budget.
const CHUNK: usize = 4_096;
/// The bytes of a node with its lookup.
const NODE: usize = 40;

/// The end of a step of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The next node.
    pub node: u32,
    /// The number of the role's list of percepts.
    pub percepts: u32,
    /// The probability of the moves of all other roles.
    pub probability: f64,
}

/// The nodes of one role, with the steps between them.
pub(super) struct Lens {
    /// The role.
    pub role: RoleId,
    /// For each node the number of the role's list of legal moves.
    legal: Vec<u32>,
    /// For each node its first slot: there is one for each legal move of the role, in the order of the list.
    first: Vec<u32>,
    slots: Vec<Slot>,
    edges: Vec<Edge>,
}

/// A node and a move of the role.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The first edge.
    first: u32,
    /// The goals of the matches that end with the move, times their probabilities.
    ended: f64,
}

/// The search for the nodes.
struct Search<'a> {
    game: &'a Game,
    arena: &'a Arena,
    tables: &'a [Table<'a>],
    /// The memories of the other roles.
    memories: Interned<Box<[Memory]>>,
    nodes: Vec<(u32, u32)>,
    ids: FxHashMap<(u32, u32), u32>,
    /// The probabilities of a role's legal moves, by role, memory and list of moves.
    behaviours: FxHashMap<(usize, Memory, u32), Box<[f64]>>,
}

impl Lens {
    /// Finds the nodes of a role, whose match is not over at the start. `tables` has one strategy for each role, chance
    /// included.
    ///
    /// # Errors
    /// If a strategy does not fit the game, or the limits are reached.
    pub(super) fn new(
        game: &Game,
        arena: &Arena,
        tables: &[Table<'_>],
        role: RoleId,
        space: &Space,
        budget: &Budget,
    ) -> Result<Lens, RespondError> {
        let mut lens = Lens { role, legal: Vec::new(), first: Vec::new(), slots: Vec::new(), edges: Vec::new() };
        let mut search = Search {
            game,
            arena,
            tables,
            memories: Interned::new(),
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            behaviours: FxHashMap::default(),
        };
        search.node(0, tables.iter().map(Table::start).collect(), role);
        let mut steps = Vec::new();
        while lens.legal.len() < search.nodes.len() {
            if lens.legal.len().is_multiple_of(CHUNK) {
                budget.check()?;
                budget.report("positions of a role", lens.legal.len(), None);
                let bytes = lens.edges.len() * size_of::<Edge>()
                    + lens.slots.len() * size_of::<Slot>()
                    + search.nodes.len() * NODE;
                if bytes > space.bytes || lens.edges.len() > u32::MAX as usize / 2 {
                    return Err(RespondError::TooLarge {
                        what: "positions",
                        count: search.nodes.len(),
                        space: space.bytes,
                    });
                }
            }
            lens.expand(&mut search, &mut steps)?;
        }
        lens.first.push(lens.slots.len() as u32);
        lens.slots.push(Slot { first: lens.edges.len() as u32, ended: 0.0 });
        Ok(lens)
    }

    /// Adds the slots and edges of the next node.
    fn expand(&mut self, search: &mut Search<'_>, steps: &mut Vec<Step>) -> Result<(), RespondError> {
        let (state, memory) = search.nodes[self.legal.len()];
        let legal = search.arena.legal(state, self.role);
        self.legal.push(legal);
        self.first.push(self.slots.len() as u32);
        search.follow(state, memory, self.role, steps)?;
        // Joint moves with the same result are one edge.
        steps.sort_by_key(|step| (step.mv, step.edge.percepts, step.edge.node));
        let moves = search.arena.moves[self.role.0 as usize].list[legal as usize].len();
        let mut steps = steps.iter().peekable();
        for mv in 0..moves {
            let begin = self.edges.len();
            let mut slot = Slot { first: begin as u32, ended: 0.0 };
            while let Some(Step { edge, goal, .. }) = steps.next_if(|step| step.mv == mv) {
                match (goal, self.edges[begin..].last_mut()) {
                    (Some(goal), _) => slot.ended += edge.probability * goal,
                    (None, Some(last)) if (last.percepts, last.node) == (edge.percepts, edge.node) => {
                        last.probability += edge.probability;
                    }
                    _ => self.edges.push(*edge),
                }
            }
            self.slots.push(slot);
        }
        Ok(())
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.legal.len()
    }

    /// The number of the role's list of legal moves at a node.
    pub(super) fn legal(&self, node: u32) -> u32 {
        self.legal[node as usize]
    }

    /// The edges of a node after the role's legal move with this number, and the goals of the matches that end, times
    /// their probabilities.
    pub(super) fn after(&self, node: u32, mv: usize) -> (&[Edge], f64) {
        let slot = self.first[node as usize] as usize + mv;
        let (here, next) = (self.slots[slot], self.slots[slot + 1]);
        (&self.edges[here.first as usize..next.first as usize], here.ended)
    }
}

/// A step from a position.
struct Step {
    /// The number of the role's move.
    mv: usize,
    /// The edge; it has no node if the match ends.
    edge: Edge,
    /// The role's goal if the match ends.
    goal: Option<f64>,
}

impl Search<'_> {
    /// The number of a node. The role's own memory is not a part of it.
    fn node(&mut self, state: u32, mut memory: Box<[Memory]>, role: RoleId) -> u32 {
        memory[role.0 as usize] = 0;
        let key = (state, self.memories.id(memory));
        let fresh = self.nodes.len() as u32;
        let id = *self.ids.entry(key).or_insert(fresh);
        if id == fresh {
            self.nodes.push(key);
        }
        id
    }

    /// Lists the steps from a position.
    fn follow(&mut self, state: u32, memory: u32, role: RoleId, steps: &mut Vec<Step>) -> Result<(), RespondError> {
        steps.clear();
        let (arena, own) = (self.arena, role.0 as usize);
        let before = self.memories.list[memory as usize].clone();
        let lists: Vec<u32> = (0..arena.roles).map(|other| arena.legal(state, RoleId(other as u16))).collect();
        for other in (0..arena.roles).filter(|&other| other != own) {
            self.behave(other, before[other], lists[other])?;
        }
        let legal: Vec<&[MoveId]> =
            lists.iter().zip(&arena.moves).map(|(&it, all)| &all.list[it as usize][..]).collect();
        let mut digits = vec![0; arena.roles];
        for (next, percepts) in arena.from(state) {
            let mut probability = 1.0;
            for other in (0..arena.roles).filter(|&other| other != own && legal[other].len() > 1) {
                probability *= self.behaviours[&(other, before[other], lists[other])][digits[other]];
            }
            if probability > 0.0 {
                let goal = arena.goals(next).map(|goals| goals[own] as f64);
                let node = match goal {
                    Some(_) => u32::MAX,
                    None => {
                        let after = |at: usize| self.tables[at].after(before[at], legal[at][digits[at]], percepts[at]);
                        let memory = (0..arena.roles).map(after).collect();
                        self.node(next, memory, role)
                    }
                };
                steps.push(Step { mv: digits[own], edge: Edge { node, percepts: percepts[own], probability }, goal });
            }
            advance(&mut digits, &legal);
        }
        Ok(())
    }

    /// Looks up the probabilities of a role's moves, once for each memory.
    fn behave(&mut self, other: usize, memory: Memory, list: u32) -> Result<(), RespondError> {
        let key = (other, memory, list);
        if !self.behaviours.contains_key(&key) {
            let legal = &self.arena.moves[other].list[list as usize];
            let behaviour = behaviour(self.game, &self.tables[other], memory, legal)?;
            self.behaviours.insert(key, behaviour.into());
        }
        Ok(())
    }
}

/// The probabilities of a role's legal moves.
///
/// # Errors
/// If its strategy makes another move.
pub(crate) fn behaviour(
    game: &Game,
    table: &Table<'_>,
    memory: Memory,
    legal: &[MoveId],
) -> Result<Vec<f64>, RespondError> {
    let role = &game.roles[table.role.0 as usize];
    table.behaviour(game, memory, legal).map_err(|mv| RespondError::Illegal { role: role.name.clone(), mv })
}

/// Advances to the next joint move: the last role's changes fastest.
fn advance(digits: &mut [usize], legal: &[&[MoveId]]) {
    for (digit, legal) in digits.iter_mut().zip(legal).rev() {
        *digit += 1;
        if *digit < legal.len() {
            return;
        }
        *digit = 0;
    }
}
