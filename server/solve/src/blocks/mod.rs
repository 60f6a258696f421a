//! Two players with opposed goals, in games whose tree is too large to keep.
//!
//! What one player does often has no influence on what the other can do or perceive, until much later: in Dark Hex, a
//! try on a taken cell changes nothing but the knowledge of the player who tried. So the ways to a state are *products*:
//! any way of the one player fits any way of the other. A [block](build) is such a product, kept as two sets of views,
//! and the sum over its histories is a product of two sums. Views with the same future are one.
//!
//! ```text
//! states ──> core: states without private notes ──> build: blocks, round by round ──> sums over sets (Blocks)
//!                                                                                       └──> cfr, best responses
//! ```
//!
//! The result is the same as on the tree, up to rounding.

mod build;
mod classes;
mod core;
mod ends;
mod expand;
mod forecast;
mod lists;
mod parts;
mod respond;
mod settle;
mod state;
mod table;
mod unite;

use percept_game::{Game, MoveId, PerceptId, RoleId};
use percept_infoset::Budget;

use self::core::Cores;
use self::ends::{Ends, Pattern};
use self::lists::Lists;
use crate::arena::{Arena, Interned, RespondError, is_chance};
use crate::cfr::{Coupling, Pair, Variant};
use crate::shape::Shape;
use crate::tree::Space;
use crate::zero_sum::{Opposed, line};

/// A round of a view: the view before and what the player learned.
#[derive(Clone, Copy, Debug)]
struct Passage {
    before: u32,
    symbol: u32,
    after: u32,
}

/// The decisions of one player.
struct Player {
    shape: Shape,
    /// The move of each variable.
    moves: Vec<MoveId>,
    infosets: f64,
    forced: f64,
    /// For each round, the steps from the views of the round to those of the next.
    passages: Vec<Vec<Passage>>,
    /// For each round, the views with a choice, in the order of their information sets.
    deciding: Vec<Vec<u32>>,
    /// The sets of variables at the ends of matches.
    gathers: Lists,
}

/// The result of the builder.
struct Built {
    players: [Player; 2],
    /// The goals of the first player above the offset, times their probabilities.
    ends: Ends,
    offset: i64,
    rounds: usize,
    largest: usize,
}

/// A game of two players as blocks.
pub struct Blocks {
    players: [Player; 2],
    /// For each player and each set of its variables at the ends of matches: the variables.
    sets: [Pattern; 2],
    /// The goals of the first player for pairs of sets.
    ends: Ends,
    offset: i64,
    /// The roles of the players.
    pub roles: [RoleId; 2],
    /// The second player's goal as a function of that of the first.
    pub opposed: Opposed,
    /// For each player, what it can learn in a round.
    symbols: [Vec<core::Symbol>; 2],
    /// For each player, the lists of percepts.
    percepts: [Interned<Vec<PerceptId>>; 2],
    /// The sizes of the game.
    pub size: Size,
}

/// The sizes of a game as blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The number of states.
    pub states: usize,
    /// The number of joint moves in all states.
    pub steps: usize,
    /// The number of states without private notes.
    pub cores: usize,
    /// The number of fluents that are notes.
    pub notes: usize,
    /// The most blocks in a round.
    pub blocks: usize,
    /// The number of rounds of the longest match.
    pub rounds: usize,
    /// For each player, the number of information sets of the game with a choice.
    pub infosets: [f64; 2],
    /// The same for views that have one move which elsewhere is a choice.
    pub forced: [f64; 2],
    /// For each player, the number of information sets after those with the same future are taken as one.
    pub distinct: [usize; 2],
    /// For each player, the number of variables in sets at the ends of matches.
    pub entries: [usize; 2],
    /// The number of pairs of sets at the ends of matches.
    pub ends: usize,
}

impl Blocks {
    /// Builds the blocks of a game.
    ///
    /// # Errors
    /// If a player does not know its legal moves, or the limits are reached. `Ok(None)` if the game has not two players
    /// with opposed goals, or a player does not know its own moves.
    pub fn build(game: &Game, space: &Space, budget: &Budget) -> Result<Option<Blocks>, RespondError> {
        let roles: Vec<RoleId> = game.role_ids().filter(|&role| !is_chance(game, role)).collect();
        let [one, other] = roles[..] else { return Ok(None) };
        if !game.knows_own_moves || game.rules.terminal(&game.rules.initial()) {
            return Ok(None);
        }
        let (arena, states) = Arena::with_states(game, space, budget)?;
        let goals = |goals: &Vec<i64>| (goals[one.0 as usize], goals[other.0 as usize]);
        let Some(opposed) = line(arena.outcomes.list.iter().map(goals).collect()) else { return Ok(None) };
        let cores = Cores::new(&arena, &states, [one, other], budget)?;
        drop(states);
        let built = build::build(game, &arena, &cores, space, budget)?;
        Ok(Some(Blocks::new(&arena, cores, opposed, built)))
    }

    fn new(arena: &Arena, cores: Cores, opposed: Opposed, built: Built) -> Blocks {
        let Built { mut players, ends, offset, rounds, largest } = built;
        let sets = [0, 1].map(|at| Pattern::new(std::mem::take(&mut players[at].gathers)));
        let size = Size {
            states: arena.states(),
            steps: arena.steps(),
            cores: cores.len(),
            notes: cores.noted,
            blocks: largest,
            rounds,
            infosets: [players[0].infosets, players[1].infosets],
            forced: [players[0].forced, players[1].forced],
            distinct: [players[0].shape.infosets(), players[1].shape.infosets()],
            entries: [sets[0].len(), sets[1].len()],
            ends: ends.len(),
        };
        let percepts = cores.players.map(|role| arena.percepts[role.0 as usize].clone());
        let (roles, symbols) = (cores.players, cores.symbols);
        Blocks { players, sets, ends, offset, roles, opposed, symbols, percepts, size }
    }

    /// Both players, learning against each other.
    pub fn pair(&self, variant: Variant) -> Pair<'_> {
        Pair::of([self.players[0].shape.clone(), self.players[1].shape.clone()], self, variant)
    }

    /// The probability of each variable's move, for the plans of both players. In an information set that a plan never
    /// reaches, the moves are equally likely.
    pub(crate) fn behaviour(&self, plans: &[Vec<f64>; 2]) -> [Vec<f64>; 2] {
        [0, 1].map(|at| self.players[at].shape.behaviour(&plans[at]))
    }
}

impl std::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blocks").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Coupling for Blocks {
    fn gains(&self, player: usize, against: &[f64], gains: &mut [f64]) {
        let theirs = self.sets[1 - player].gather(against);
        let ours = match player {
            0 => self.ends.of_first(&theirs),
            _ => self.ends.of_second(&theirs, self.sets[1].rows()),
        };
        drop(theirs);
        self.sets[player].spread(&ours, gains);
        if player == 1 {
            gains.iter_mut().for_each(|gain| *gain = -*gain);
        }
    }

    fn offset(&self) -> f64 {
        self.offset as f64
    }
}
