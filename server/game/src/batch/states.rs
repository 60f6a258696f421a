//! Matches that are stepped state by state, on top of the calls that all rules have: the matches of games that are not
//! ground, and those that lanes cannot continue.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::circuit::Lit;
use crate::play::Stream;
use crate::play::block::{Block, Illegal, NO_GOAL, NO_MOVE, Numbers};
use crate::{BitRound, Game, JointMove, MoveId, RoleId, State};

/// The number of matches in a block: few, so that every thread has some.
const BLOCK: usize = 16;

/// The approximate bytes of this number of matches.
pub(super) fn bytes(game: &Game, size: usize) -> usize {
    let state = game.rules.initial();
    size.saturating_mul(8 * (state.bits.len() + state.registers.len()) + 200)
}

/// `size` matches before their first move, in blocks of [`BLOCK`].
pub(super) fn blocks(game: &Game, numbers: &Arc<Numbers>, size: usize, seed: u64) -> (Vec<Box<dyn Block>>, usize) {
    let table = Table { game: game.clone(), numbers: numbers.clone(), drawn: Arc::default() };
    let initial = game.rules.initial();
    let block = |first: usize| -> Box<dyn Block> {
        let streams = (first..size.min(first + BLOCK)).map(|number| Stream::new(seed, number as u64));
        let begin = |stream| Match::new(&table, initial.clone(), 0, stream);
        Box::new(States { matches: streams.map(begin).collect(), table: table.clone() })
    };
    ((0..size).step_by(BLOCK).map(block).collect(), BLOCK)
}

/// A game, with the numbers of its moves and percepts.
#[derive(Clone)]
struct Table {
    game: Game,
    numbers: Arc<Numbers>,
    /// For each role, the places of its moves in the order of random play; nothing if that is the order of cursors.
    drawn: Arc<[FxHashMap<MoveId, usize>]>,
}

/// A match that is stepped alone.
struct Match {
    state: State,
    over: bool,
    rounds: u32,
    stream: Stream,
    /// The moves to make; `None` if it is over.
    given: Option<JointMove>,
}

impl Match {
    fn new(table: &Table, state: State, rounds: u32, stream: Stream) -> Match {
        Match { over: table.game.rules.terminal(&state), state, rounds, stream, given: None }
    }

    /// Receives a move for every role. `at`: the number of the match, for the error.
    fn give(&mut self, table: &Table, at: usize, row: &[i32]) -> Result<(), Illegal> {
        if self.over {
            return Ok(());
        }
        let mut cursor = table.game.at(&self.state);
        let mut one = |(role, &number): (RoleId, &i32)| {
            let moves = &table.numbers.moves[role.0 as usize];
            let mv = usize::try_from(number).ok().and_then(|number| moves.get(number)).copied();
            mv.filter(|mv| cursor.legal(role).contains(mv)).ok_or(Illegal { at, role, number })
        };
        self.given = Some(table.game.role_ids().zip(row).map(&mut one).collect::<Result<_, _>>()?);
        Ok(())
    }

    /// Makes the received moves. `at`: the row of the match in the arrays of percepts.
    fn advance(&mut self, table: &Table, at: usize, sees: &mut [(RoleId, &mut [u8])]) {
        let Some(joint) = self.given.take() else { return };
        let mut cursor = table.game.at(&self.state);
        for (role, mask) in sees {
            let width = table.numbers.percepts[role.0 as usize].len();
            let percepts = cursor.percepts(&joint, *role);
            let places = percepts.into_iter().filter_map(|percept| table.numbers.of_percept(*role, percept));
            places.for_each(|place| mask[at * width + place] = 1);
        }
        cursor.step(&joint);
        (self.over, self.rounds) = (cursor.is_terminal(), self.rounds + 1);
        self.state = cursor.state().clone();
    }

    fn choose(&mut self, table: &Table, row: &mut [i32]) {
        row.fill(NO_MOVE);
        if self.over {
            return;
        }
        let mut cursor = table.game.at(&self.state);
        for role in table.game.role_ids() {
            let mut legal = cursor.legal(role);
            if let Some(places) = table.drawn.get(usize::from(role.0)) {
                legal.sort_by_key(|mv| places.get(mv));
            }
            if legal.is_empty() {
                row.fill(NO_MOVE);
                return;
            }
            let mv = legal[self.stream.below(legal.len() as u32) as usize];
            row[role.0 as usize] = table.numbers.of_move(role, mv).map_or(NO_MOVE, |number| number as i32);
        }
    }

    fn legal(&self, table: &Table, role: RoleId, row: &mut [u8]) {
        if !self.over {
            let legal = table.game.rules.legal(&self.state, role);
            legal.into_iter().filter_map(|mv| table.numbers.of_move(role, mv)).for_each(|number| row[number] = 1);
        }
    }

    fn goals(&self, table: &Table, row: &mut [i32]) {
        let mut cursor = table.game.at(&self.state);
        for (role, goal) in table.game.role_ids().zip(row) {
            *goal = match cursor.goals(role)[..] {
                [one] => i32::try_from(one).unwrap_or(NO_GOAL),
                _ => NO_GOAL,
            };
        }
    }
}

/// A block of matches that are stepped one by one.
struct States {
    table: Table,
    matches: Vec<Match>,
}

impl Block for States {
    fn size(&self) -> usize {
        self.matches.len()
    }

    fn give(&mut self, numbers: &[i32]) -> Result<(), Illegal> {
        let rows = numbers.chunks_exact(self.table.game.roles.len());
        let mut matches = self.matches.iter_mut().zip(rows).enumerate();
        matches.try_for_each(|(at, (one, row))| one.give(&self.table, at, row))
    }

    fn take_back(&mut self) {
        self.matches.iter_mut().for_each(|one| one.given = None);
    }

    fn advance(&mut self, sees: &mut [(RoleId, &mut [u8])]) {
        self.matches.iter_mut().enumerate().for_each(|(at, one)| one.advance(&self.table, at, sees));
    }

    fn choose(&mut self, numbers: &mut [i32]) {
        let rows = numbers.chunks_exact_mut(self.table.game.roles.len());
        self.matches.iter_mut().zip(rows).for_each(|(one, row)| one.choose(&self.table, row));
    }

    fn legal(&mut self, role: RoleId, mask: &mut [u8]) {
        let rows = mask.chunks_exact_mut(self.table.numbers.moves[role.0 as usize].len());
        self.matches.iter().zip(rows).for_each(|(one, row)| one.legal(&self.table, role, row));
    }

    fn goals(&mut self, goals: &mut [i32]) {
        let rows = goals.chunks_exact_mut(self.table.game.roles.len());
        self.matches.iter().zip(rows).for_each(|(one, row)| one.goals(&self.table, row));
    }

    fn over(&self, over: &mut [u8]) {
        over.iter_mut().zip(&self.matches).for_each(|(over, one)| *over = u8::from(one.over));
    }

    fn rounds(&self) -> Vec<u32> {
        self.matches.iter().map(|one| one.rounds).collect()
    }

    fn restart(&mut self) -> usize {
        let initial = self.table.game.rules.initial();
        let mut count = 0;
        for one in self.matches.iter_mut().filter(|one| one.over) {
            *one = Match::new(&self.table, initial.clone(), 0, one.stream.clone());
            count += 1;
        }
        count
    }
}

/// A block in lanes, and its matches whose numbers have become too large for lanes.
pub(super) struct WithStrays {
    table: Table,
    lanes: Box<dyn Block>,
    strays: BTreeMap<usize, Match>,
    /// The moves given last, by match and role.
    given: Vec<i32>,
}

impl WithStrays {
    /// Blocks of lanes, which advance by this round, with room for strays.
    pub(super) fn all(
        game: &Game,
        numbers: &Arc<Numbers>,
        round: &BitRound,
        lanes: Vec<Box<dyn Block>>,
    ) -> Vec<Box<dyn Block>> {
        let places = |moves: &Vec<(MoveId, Lit)>| moves.iter().map(|(mv, _)| *mv).zip(0..).collect();
        let drawn = round.ground.moves.iter().map(places).collect();
        let table = Table { game: game.clone(), numbers: numbers.clone(), drawn };
        let with_strays = |lanes| Box::new(WithStrays::new(table.clone(), lanes)) as Box<dyn Block>;
        lanes.into_iter().map(with_strays).collect()
    }

    fn new(table: Table, lanes: Box<dyn Block>) -> WithStrays {
        WithStrays { table, lanes, strays: BTreeMap::new(), given: Vec::new() }
    }

    /// The strays, each with its row of an array.
    fn rows<'a, T>(
        strays: &'a mut BTreeMap<usize, Match>,
        array: &'a mut [T],
        width: usize,
    ) -> impl Iterator<Item = (&'a mut Match, &'a mut [T])> {
        let mut rows = array.chunks_exact_mut(width).enumerate();
        strays.iter_mut().filter_map(move |(at, one)| Some((one, rows.find(|(row, _)| row == at)?.1)))
    }
}

impl Block for WithStrays {
    fn size(&self) -> usize {
        self.lanes.size()
    }

    fn give(&mut self, numbers: &[i32]) -> Result<(), Illegal> {
        let roles = self.table.game.roles.len();
        let in_lanes = self.lanes.give(numbers);
        let before = in_lanes.map_or_else(|illegal| illegal.at, |()| usize::MAX);
        for (&at, one) in self.strays.range_mut(..before) {
            one.give(&self.table, at, &numbers[at * roles..][..roles])?;
        }
        numbers.clone_into(&mut self.given);
        in_lanes
    }

    fn take_back(&mut self) {
        self.lanes.take_back();
        self.strays.values_mut().for_each(|one| one.given = None);
    }

    fn advance(&mut self, sees: &mut [(RoleId, &mut [u8])]) {
        self.lanes.advance(sees);
        let roles = self.table.game.roles.len();
        for leaver in self.lanes.give_away() {
            let mut one = Match::new(&self.table, leaver.state, leaver.rounds, leaver.stream);
            let given = one.give(&self.table, leaver.at, &self.given[leaver.at * roles..][..roles]);
            debug_assert!(given.is_ok(), "a move that is legal in lanes only: {given:?}");
            self.strays.insert(leaver.at, one);
        }
        self.strays.iter_mut().for_each(|(at, one)| one.advance(&self.table, *at, sees));
    }

    fn choose(&mut self, numbers: &mut [i32]) {
        self.lanes.choose(numbers);
        let rows = WithStrays::rows(&mut self.strays, numbers, self.table.game.roles.len());
        rows.for_each(|(one, row)| one.choose(&self.table, row));
    }

    fn legal(&mut self, role: RoleId, mask: &mut [u8]) {
        self.lanes.legal(role, mask);
        let rows = WithStrays::rows(&mut self.strays, mask, self.table.numbers.moves[role.0 as usize].len());
        rows.for_each(|(one, row)| one.legal(&self.table, role, row));
    }

    fn goals(&mut self, goals: &mut [i32]) {
        self.lanes.goals(goals);
        let rows = WithStrays::rows(&mut self.strays, goals, self.table.game.roles.len());
        rows.for_each(|(one, row)| one.goals(&self.table, row));
    }

    fn over(&self, over: &mut [u8]) {
        self.lanes.over(over);
        self.strays.iter().for_each(|(at, one)| over[*at] = u8::from(one.over));
    }

    fn rounds(&self) -> Vec<u32> {
        let mut rounds = self.lanes.rounds();
        self.strays.iter().for_each(|(at, one)| rounds[*at] = one.rounds);
        rounds
    }

    fn restart(&mut self) -> usize {
        let lanes = &mut self.lanes;
        self.strays.retain(|at, one| {
            if one.over {
                lanes.take_again(*at, one.stream.clone());
            }
            !one.over
        });
        self.lanes.restart()
    }
}
