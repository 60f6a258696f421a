//! The complete table of positions: Genesereth and Thielscher, *General Game Playing*, chapter 17.6. After each round
//! the player keeps every position that fits its percepts, and values a move over all of them.
//!
//! Choices that the chapter leaves open: The player looks ahead over its own tables and splits them by its future
//! percepts, so that information counts by its effect. The others move uniformly (`table`), or each position is played
//! in the worst way for the player (`table:maximin`, the chapter's example). The player looks as far ahead as the clock
//! allows, deeper round by round, and values the positions at the horizon by random play. If the table is too large to
//! keep, a few hundred positions drawn from it represent it.

use percept_game::onward::{Opening, play_on};
use percept_game::{Game, MoveId, RoleId, State, joint_moves};
use percept_infoset::View;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use super::head::{Head, Look};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};
use crate::simulation::{LONGEST, choices, goals};

/// The most positions kept.
const POSITIONS: usize = 50_000;
/// The number of random matches that value a position at the horizon.
const PLAYOUTS: usize = 2;
/// The greatest depth of the look-ahead.
const DEEPEST: usize = 64;

/// The value of a move with several possible outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concept {
    /// The mean of the outcomes.
    Expectation,
    /// The worst of the outcomes.
    Maximin,
}

/// Positions with their weights.
type Positions = Vec<(State, f64)>;

pub(super) struct Table<'g> {
    head: Head<'g>,
    concept: Concept,
    depth: usize,
}

impl<'g> Table<'g> {
    pub(super) fn new(seat: &'g Seat, concept: Concept) -> Table<'g> {
        let mut head = Head::new(seat);
        head.belief = head.belief.knowing(POSITIONS);
        Table { head, concept, depth: 0 }
    }
}

impl Player for Table<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        let moves = match self.head.look(view, clock)? {
            Look::Only(only) => return Ok(only),
            Look::Among(moves) => moves,
        };
        let mut table: FxHashMap<&State, f64> = FxHashMap::default();
        for member in self.head.belief.members() {
            *table.entry(&member.place.state).or_default() += member.weight;
        }
        let mut positions: Positions = table.into_iter().map(|(state, weight)| (state.clone(), weight)).collect();
        positions.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut values: Vec<(MoveId, f64)> = moves.iter().map(|&mv| (mv, 0.0)).collect();
        let mut ahead = Ahead {
            game: self.head.game,
            role: self.head.role,
            concept: self.concept,
            clock,
            done: 0,
            cut: false,
            rng: &mut self.head.rng,
        };
        for depth in 1..=DEEPEST {
            ahead.cut = false;
            let deeper: Option<Vec<(MoveId, f64)>> =
                moves.iter().map(|&mv| Some((mv, ahead.after(&positions, mv, depth)?))).collect();
            let Some(deeper) = deeper else { break };
            (values, self.depth) = (deeper, depth);
            if !ahead.cut {
                break;
            }
        }
        self.head.best(values.into_iter()).ok_or(Trouble::Lost)
    }

    fn remark(&self) -> Option<String> {
        let whole = if self.head.belief.is_complete() { "the complete table" } else { "a part of the table" };
        Some(format!("{whole}, {} rounds ahead", self.depth))
    }
}

/// The look-ahead over the player's own tables.
struct Ahead<'a> {
    game: &'a Game,
    role: RoleId,
    concept: Concept,
    clock: &'a Clock,
    done: u64,
    /// True if a position was valued by random play.
    cut: bool,
    rng: &'a mut Xoshiro256PlusPlus,
}

impl Ahead<'_> {
    /// The value of a table if the player makes the best move; weights add up to the table's share.
    fn worth(&mut self, positions: &Positions, depth: usize) -> Option<f64> {
        let (over, on): (Vec<_>, Vec<_>) = positions.iter().cloned().partition(|it| self.game.rules.terminal(&it.0));
        let mut worth = Tally::new(self.concept);
        for (state, weight) in &over {
            worth.add(*weight, goals(self.game, state)[self.role.0 as usize]);
        }
        if on.is_empty() {
            return Some(worth.value());
        }
        let share: f64 = on.iter().map(|(_, weight)| weight).sum();
        if depth == 0 {
            self.play_out(&on, &mut worth)?;
            return Some(worth.value());
        }
        let mut best = f64::NEG_INFINITY;
        for mv in self.common_moves(&on) {
            best = best.max(self.after(&on, mv, depth)?);
        }
        worth.add(share, best);
        Some(worth.value())
    }

    /// Values the positions of a table by random matches.
    fn play_out(&mut self, positions: &Positions, worth: &mut Tally) -> Option<()> {
        self.cut = true;
        let twice = positions.iter().flat_map(|position| std::iter::repeat_n(position, PLAYOUTS));
        let openings: Vec<Opening> = twice.map(|(state, _)| Opening { state, first: None }).collect();
        self.done += openings.len() as u64 - 1;
        self.spend()?;
        let (role, clock) = (usize::from(self.role.0), self.clock);
        let all = play_on(self.game, &openings, LONGEST, self.rng, &|| clock.is_over(), &mut |opening, goals| {
            worth.add(positions[opening / PLAYOUTS].1 / PLAYOUTS as f64, goals[role]);
        });
        all.then_some(())
    }

    /// The value of a move in all positions of a table.
    fn after(&mut self, positions: &Positions, mv: MoveId, depth: usize) -> Option<f64> {
        // Keyed by percepts, then by state.
        let mut tables: FxHashMap<Vec<u32>, FxHashMap<State, f64>> = FxHashMap::default();
        for (state, weight) in positions {
            let mut legal = choices(self.game, state);
            legal[self.role.0 as usize] = vec![mv];
            let share = weight / legal.iter().map(|moves| moves.len() as f64).product::<f64>();
            for joint in joint_moves(&legal) {
                self.spend()?;
                let percepts = self.game.rules.percepts(state, &joint, self.role);
                let table = tables.entry(percepts.iter().map(|percept| percept.0).collect()).or_default();
                *table.entry(self.game.rules.next(state, &joint)).or_default() += share;
            }
        }
        let mut tables: Vec<(Vec<u32>, FxHashMap<State, f64>)> = tables.into_iter().collect();
        tables.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut worth = Tally::new(self.concept);
        for (_, table) in tables {
            let mut positions: Positions = table.into_iter().collect();
            positions.sort_unstable_by(|left, right| left.0.cmp(&right.0));
            let share = positions.iter().map(|(_, weight)| weight).sum();
            let value = self.worth(&positions, depth - 1)?;
            worth.add(share, value);
        }
        Some(worth.value())
    }

    /// The moves that are legal in every position of a table; if there are none, those of the first.
    fn common_moves(&self, positions: &Positions) -> Vec<MoveId> {
        let first = self.game.rules.legal(&positions[0].0, self.role);
        let mut common = first.clone();
        for (state, _) in &positions[1..] {
            let legal = self.game.rules.legal(state, self.role);
            common.retain(|mv| legal.contains(mv));
        }
        if common.is_empty() { first } else { common }
    }

    fn spend(&mut self) -> Option<()> {
        self.done += 1;
        let within = self.clock.simulations() == u64::MAX || self.done < self.clock.simulations().saturating_mul(64);
        (within && !self.clock.is_over()).then_some(())
    }
}

/// A mean, or a least value.
struct Tally {
    concept: Concept,
    weight: f64,
    sum: f64,
    least: f64,
}

impl Tally {
    fn new(concept: Concept) -> Tally {
        Tally { concept, weight: 0.0, sum: 0.0, least: f64::INFINITY }
    }

    fn add(&mut self, weight: f64, value: f64) {
        self.weight += weight;
        self.sum += weight * value;
        self.least = self.least.min(value);
    }

    fn value(&self) -> f64 {
        match self.concept {
            Concept::Expectation => self.sum / self.weight,
            Concept::Maximin => self.least,
        }
    }
}
