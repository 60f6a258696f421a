//! The states of a game without the private notes of the players. A *note* is a fluent that decides only what its own
//! player may do, and that the player can keep up to date by itself (such as "I have tried this cell"). Without the
//! notes, states that differ only in what one player has tried in vain are one, and what the two players do from there
//! on is independent.

use percept_game::{MoveId, RoleId, State, States};
use percept_infoset::Budget;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::arena::{Arena, Interned, RespondError};

/// The knowledge of a player about a round: its own move, and the number of its list of percepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol {
    pub mv: MoveId,
    pub percepts: u32,
}

/// A step from a core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CoreStep {
    /// The next core.
    pub next: u32,
    /// The symbols of the players, by number.
    pub symbols: [u32; 2],
    /// The probability that chance does its part.
    pub probability: f64,
}

/// The cores with the steps between them. A step is open to a player if its notes allow the move.
pub(super) struct Cores {
    pub players: [RoleId; 2],
    /// The first core, and the notes of the players there.
    pub start: (u32, [u32; 2]),
    /// For each core its outcome, or [`Arena::ON`].
    pub over: Vec<u32>,
    first: Vec<u32>,
    steps: Vec<CoreStep>,
    /// For each player, what it can learn in a round.
    pub symbols: [Vec<Symbol>; 2],
    /// For each player, the number of its list of legal moves in a core with its notes.
    pub legal: [FxHashMap<(u32, u32), u32>; 2],
    /// For each player, its notes after it has learned something: by notes and symbol.
    pub notes: [FxHashMap<(u32, u32), u32>; 2],
    /// The number of fluents that are notes.
    pub noted: usize,
}

/// The pairs of states looked at before a fluent is taken for a note.
const PAIRS: usize = 2_000;

/// The steps of the arena with their moves and symbols.
struct Rounds<'a> {
    arena: &'a Arena,
    players: [RoleId; 2],
    joints: Interned<Vec<MoveId>>,
    symbols: [Interned<Symbol>; 2],
    /// For each step of the arena: the joint move and the symbols.
    steps: Vec<(u32, [u32; 2])>,
    /// For each state, the place of its first step.
    first: Vec<usize>,
    /// For each state, the number of ways of chance, and of its lists of legal moves.
    chance: Vec<u32>,
    chances: Interned<Vec<u32>>,
}

/// The fluents that are notes, as masks, by player.
type Masks = [Vec<u64>; 2];

impl Cores {
    /// Finds the notes, and the cores without them.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn new(
        arena: &Arena,
        states: &States,
        players: [RoleId; 2],
        budget: &Budget,
    ) -> Result<Cores, RespondError> {
        let rounds = Rounds::new(arena, players);
        let words = states.list()[0].bits.len();
        let mut masks: Masks = [vec![0; words], vec![0; words]];
        let candidates = rounds.candidates(states, budget)?;
        for &(player, bit) in &candidates {
            masks[player][bit / 64] |= 1 << (bit % 64);
        }
        if let Some(cores) = rounds.cores(states, &masks) {
            return Ok(cores);
        }
        // Not all together: one after the other.
        let mut kept: Masks = [vec![0; words], vec![0; words]];
        let mut best = None;
        for &(player, bit) in &candidates {
            budget.check()?;
            let before = kept.clone();
            kept[player][bit / 64] |= 1 << (bit % 64);
            match rounds.cores(states, &kept) {
                Some(cores) => best = Some(cores),
                None => kept = before,
            }
        }
        let none: Masks = [vec![0; words], vec![0; words]];
        let cores = best.or_else(|| rounds.cores(states, &none));
        Ok(cores.expect("without notes, every state is a core"))
    }

    /// The number of cores.
    pub(super) fn len(&self) -> usize {
        self.over.len()
    }

    /// The steps from a core.
    pub(super) fn from(&self, core: u32) -> &[CoreStep] {
        &self.steps[self.first[core as usize] as usize..self.first[core as usize + 1] as usize]
    }
}

impl<'a> Rounds<'a> {
    fn new(arena: &'a Arena, players: [RoleId; 2]) -> Rounds<'a> {
        let mut rounds = Rounds {
            arena,
            players,
            joints: Interned::new(),
            symbols: [Interned::new(), Interned::new()],
            steps: Vec::with_capacity(arena.steps()),
            first: vec![0],
            chance: Vec::with_capacity(arena.states()),
            chances: Interned::new(),
        };
        let at = players.map(|role| role.0 as usize);
        for state in 0..arena.states() as u32 {
            if arena.outcome(state) == Arena::ON {
                let lists: Vec<u32> = (0..arena.roles).map(|role| arena.legal(state, RoleId(role as u16))).collect();
                let legal: Vec<&[MoveId]> =
                    lists.iter().zip(&arena.moves).map(|(&it, all)| &all.list[it as usize][..]).collect();
                let mut digits = vec![0; arena.roles];
                for (_, percepts) in arena.from(state) {
                    let joint: Vec<MoveId> = digits.iter().zip(&legal).map(|(&digit, legal)| legal[digit]).collect();
                    let mut symbols = [0; 2];
                    for player in 0..2 {
                        let symbol = Symbol { mv: joint[at[player]], percepts: percepts[at[player]] };
                        symbols[player] = rounds.symbols[player].id(symbol);
                    }
                    rounds.steps.push((rounds.joints.id(joint), symbols));
                    advance(&mut digits, &legal);
                }
                let chance = (0..arena.roles).filter(|role| !at.contains(role)).map(|role| lists[role]).collect();
                rounds.chance.push(rounds.chances.id(chance));
            } else {
                rounds.chance.push(u32::MAX);
            }
            rounds.first.push(rounds.steps.len());
        }
        rounds
    }

    /// The steps of a state: the next state, the joint move and the symbols.
    fn from(&self, state: u32) -> impl Iterator<Item = (u32, u32, [u32; 2])> {
        let range = self.first[state as usize]..self.first[state as usize + 1];
        self.arena.from(state).zip(&self.steps[range]).map(|((next, _), &(joint, symbols))| (next, joint, symbols))
    }

    /// The fluents that may be notes, with their players: those with states that differ in nothing else.
    fn candidates(&self, states: &States, budget: &Budget) -> Result<Vec<(usize, usize)>, RespondError> {
        let fluents = states.list()[0].bits.len() * 64;
        let mut found = Vec::new();
        for bit in 0..fluents {
            budget.check()?;
            let Some(differ) = self.pairs(states, bit) else { continue };
            let player = (0..2).find(|&player| self.is_private(&differ, player) && self.is_kept(states, bit, player));
            found.extend(player.map(|player| (player, bit)));
        }
        Ok(found)
    }

    /// Pairs of states that differ only in this fluent; `None` if there are none.
    fn pairs(&self, states: &States, bit: usize) -> Option<Vec<(u32, u32)>> {
        let has = |state: &State| state.bits[bit / 64] >> (bit % 64) & 1 == 1;
        let with = states.list().par_iter().enumerate().filter(|(_, state)| has(state));
        let other = |(at, state): (usize, &State)| {
            let mut without = state.clone();
            without.bits[bit / 64] ^= 1 << (bit % 64);
            states.find(&without).map(|other| (at as u32, other))
        };
        let pairs: Vec<(u32, u32)> = with.filter_map(other).collect();
        (!pairs.is_empty()).then(|| pairs.into_iter().take(PAIRS).collect())
    }

    /// True if these pairs of states differ only in what a player may do.
    fn is_private(&self, pairs: &[(u32, u32)], player: usize) -> bool {
        let other = self.players[1 - player];
        pairs.iter().all(|&(one, two)| {
            let arena = self.arena;
            arena.outcome(one) == arena.outcome(two)
                && self.chance[one as usize] == self.chance[two as usize]
                && (arena.outcome(one) != Arena::ON || arena.legal(one, other) == arena.legal(two, other))
        })
    }

    /// True if a player always knows this fluent after a round from the fluent before it and what it learns.
    fn is_kept(&self, states: &States, bit: usize, player: usize) -> bool {
        let has = |state: u32| states[state].bits[bit / 64] >> (bit % 64) & 1 == 1;
        let mut after = vec![None; 2 * self.symbols[player].list.len()];
        (0..self.arena.states() as u32).all(|state| {
            let before = usize::from(has(state));
            self.from(state).all(|(next, _, symbols)| {
                let value = has(next);
                *after[2 * symbols[player] as usize + before].get_or_insert(value) == value
            })
        })
    }

    /// The cores without these notes. `None` if a note decides more than what its player may do.
    fn cores(&self, states: &States, masks: &Masks) -> Option<Cores> {
        let (mut ids, mut notes) = (Interned::new(), [Interned::new(), Interned::new()]);
        let mut core = Vec::with_capacity(states.len());
        let mut note: Vec<[u32; 2]> = Vec::with_capacity(states.len());
        for state in states.list() {
            let mut rest = state.clone();
            let mut own = [0; 2];
            for player in 0..2 {
                let bits: Vec<u64> = state.bits.iter().zip(&masks[player]).map(|(bits, mask)| bits & mask).collect();
                rest.bits.iter_mut().zip(&masks[player]).for_each(|(bits, mask)| *bits &= !mask);
                own[player] = notes[player].id(bits);
            }
            core.push(ids.id(rest));
            note.push(own);
        }
        let count = ids.list.len();
        drop(ids);
        let noted = masks.iter().flatten().map(|mask| mask.count_ones() as usize).sum();
        let mut cores = Cores {
            players: self.players,
            start: (core[0], note[0]),
            over: vec![0; count],
            first: Vec::with_capacity(count + 1),
            steps: Vec::new(),
            symbols: [self.symbols[0].list.clone(), self.symbols[1].list.clone()],
            legal: [FxHashMap::default(), FxHashMap::default()],
            notes: [FxHashMap::default(), FxHashMap::default()],
            noted,
        };
        self.collect(&core, &note, &mut cores)?;
        self.connect(&core, &mut cores)?;
        Some(cores)
    }

    /// Collects outcomes, legal moves and notes.
    fn collect(&self, core: &[u32], note: &[[u32; 2]], cores: &mut Cores) -> Option<()> {
        let mut seen: Vec<Option<(u32, u32)>> = vec![None; cores.over.len()];
        for state in 0..core.len() {
            let (at, outcome) = (core[state], self.arena.outcome(state as u32));
            let here = (outcome, self.chance[state]);
            if *seen[at as usize].get_or_insert(here) != here {
                return None;
            }
            cores.over[at as usize] = outcome;
            if outcome != Arena::ON {
                continue;
            }
            for player in 0..2 {
                let list = self.arena.legal(state as u32, self.players[player]);
                if *cores.legal[player].entry((at, note[state][player])).or_insert(list) != list {
                    return None;
                }
                for (next, _, symbols) in self.from(state as u32) {
                    let after = note[next as usize][player];
                    let key = (note[state][player], symbols[player]);
                    if *cores.notes[player].entry(key).or_insert(after) != after {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// Collects the steps between the cores.
    fn connect(&self, core: &[u32], cores: &mut Cores) -> Option<()> {
        let mut all: Vec<(u32, u32, u32, [u32; 2])> = (0..core.len())
            .into_par_iter()
            .flat_map_iter(|state| {
                self.from(state as u32)
                    .map(move |(next, joint, symbols)| (core[state], joint, core[next as usize], symbols))
            })
            .collect();
        all.par_sort_unstable();
        all.dedup();
        if all.par_windows(2).any(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            return None;
        }
        let ways = self.ways(core, cores.over.len());
        let mut all = all.into_iter().peekable();
        for at in 0..cores.over.len() as u32 {
            let from = cores.steps.len();
            cores.first.push(from as u32);
            while let Some((_, _, next, symbols)) = all.next_if(|step| step.0 == at) {
                cores.steps.push(CoreStep { next, symbols, probability: 1.0 / ways[at as usize] });
            }
            cores.steps[from..].sort_by_key(|step| (step.symbols, step.next));
            let mut kept = from;
            for step in from + 1..cores.steps.len() {
                let (here, last) = (cores.steps[step], cores.steps[kept]);
                if (here.symbols, here.next) == (last.symbols, last.next) {
                    cores.steps[kept].probability += here.probability;
                } else {
                    kept += 1;
                    cores.steps[kept] = here;
                }
            }
            let len = if cores.steps.len() == from { from } else { kept + 1 };
            cores.steps.truncate(len);
        }
        cores.first.push(cores.steps.len() as u32);
        Some(())
    }

    /// The number of ways of chance in each core.
    fn ways(&self, core: &[u32], count: usize) -> Vec<f64> {
        let roles = (0..self.arena.roles).filter(|&role| !self.players.contains(&RoleId(role as u16)));
        let roles: Vec<usize> = roles.collect();
        let mut ways = vec![1.0; count];
        for (state, &at) in core.iter().enumerate() {
            if let Some(lists) = self.chances.list.get(self.chance[state] as usize) {
                let moves = roles
                    .iter()
                    .zip(lists)
                    .map(|(&role, &list)| self.arena.moves[role].list[list as usize].len() as f64);
                ways[at as usize] = moves.product();
            }
        }
        ways
    }
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
