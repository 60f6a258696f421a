//! Up to 64 states at once.

use super::ground_rules::{GOALS, GroundRules, Instructions, LEGAL, NEXT, SEES};
use crate::compiled::{Choices, Words, select, transpose};
use crate::{MoveId, PerceptId, RoleId, State};

/// A [`Cursor`](crate::Cursor) over up to 64 states, in as many *lanes*, the bits of a word: one sweep of the rules'
/// circuit answers for all of them, at the price of one. Callers that play many matches of a ground game at once get
/// them from [`Play::lanes`](crate::Play::lanes).
///
/// A round has these steps: [`Lanes::put`] states into free lanes; [`Lanes::look`]; read which matches are over and the
/// legal moves; [`Lanes::make`] a move of every role in every lane that goes on; read the percepts; [`Lanes::step`].
/// The answers for a lane without a state, or in which a role has not moved, are meaningless.
pub struct Lanes<'a> {
    instructions: &'a Instructions,
    words: Words<1>,
    /// For each fluent, the lanes in which it holds, even if the circuit does not read it.
    fluents: Vec<u64>,
    /// For each role, the codes of its moves' legality.
    legal: Vec<Vec<u32>>,
    /// The legal moves of the role that [`Lanes::read`] was last called for.
    choices: Choices<1>,
    role: usize,
    states: Vec<State>,
    done: Done,
}

/// The parts that have been computed for the present states and moves.
#[derive(Clone, Copy, Default)]
struct Done {
    goals: bool,
    next: bool,
    sees: bool,
    states: bool,
}

impl<'a> Lanes<'a> {
    /// The number of lanes.
    pub const COUNT: usize = 64;

    /// The lanes of a set that is given as bits, ascending.
    pub fn each(mut set: u64) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let lane = set.trailing_zeros() as usize;
            set &= set.wrapping_sub(1);
            (lane < Lanes::COUNT).then_some(lane)
        })
    }

    pub(super) fn new(rules: &'a GroundRules) -> Lanes<'a> {
        let codes = |moves: &Vec<(MoveId, u32)>| moves.iter().map(|(_, code)| *code).collect();
        let instructions = rules.instructions();
        let legal: Vec<Vec<u32>> = instructions.codes.legal.iter().map(codes).collect();
        Lanes {
            words: Words::new(&instructions.compiled),
            fluents: vec![0; rules.game.fluents.len()],
            choices: Choices::new(legal.iter().map(Vec::len).max().unwrap_or(0)),
            legal,
            role: 0,
            states: Vec::new(),
            done: Done::default(),
            instructions,
        }
    }

    /// Puts a state into a lane. Its answers are valid after the next [`Lanes::look`].
    pub fn put(&mut self, lane: usize, state: &State) {
        let bit = 1 << lane;
        self.done.states = false;
        for (index, holds) in self.fluents.iter_mut().enumerate() {
            let now = (state.bits[index / 64] >> (index % 64) & 1) << lane;
            if *holds & bit != now {
                *holds ^= bit;
                self.words.set(self.instructions.compiled.fluents.get(index), [*holds]);
            }
        }
    }

    /// Computes the legal moves and the matches that are over.
    pub fn look(&mut self) {
        self.words.run(&self.instructions.compiled, LEGAL);
        self.done = Done::default();
    }

    /// The lanes in which the match is over, as bits.
    pub fn over(&self) -> u64 {
        self.words.get(self.instructions.codes.terminal)[0]
    }

    /// Reads the legal moves of a role for [`Lanes::count`], [`Lanes::nth`] and [`Lanes::legal_into`].
    pub fn read(&mut self, role: RoleId) {
        self.role = usize::from(role.0);
        self.choices.read(&self.words, &self.legal[self.role]);
    }

    /// The number of legal moves of the role in a lane.
    pub fn count(&self, lane: usize) -> u32 {
        self.choices.count(0, lane)
    }

    /// The role's legal move with this number, counted from 0, in a lane: in the order of [`Lanes::legal_into`].
    pub fn nth(&self, lane: usize, number: u32) -> MoveId {
        self.instructions.codes.legal[self.role][self.choices.place(0, lane, number, select)].0
    }

    /// Adds the role's legal moves in a lane, in the same order as a cursor.
    pub fn legal_into(&self, lane: usize, moves: &mut Vec<MoveId>) {
        let codes = &self.instructions.codes.legal[self.role];
        moves.extend(self.choices.places(0, lane).map(|place| codes[place].0));
    }

    /// Makes a role's move in a lane.
    pub fn make(&mut self, lane: usize, role: RoleId, mv: MoveId) {
        let slots = self.instructions.compiled.moves.get(usize::from(role.0));
        self.words.mark(slots.and_then(|slots| slots.get(mv.0 as usize)), 1 << lane);
    }

    /// Adds the role's percepts after the moves, by lane, for the lanes of `among` only.
    pub fn percepts_into(&mut self, role: RoleId, among: u64, percepts: &mut [Vec<PerceptId>]) {
        self.follow();
        if !std::mem::replace(&mut self.done.sees, true) {
            self.words.run(&self.instructions.compiled, SEES);
        }
        for &(percept, code) in &self.instructions.codes.sees[usize::from(role.0)] {
            Lanes::each(self.words.get(code)[0] & among).for_each(|lane| percepts[lane].push(percept));
        }
    }

    fn follow(&mut self) {
        if !std::mem::replace(&mut self.done.next, true) {
            self.words.run(&self.instructions.compiled, NEXT);
        }
    }

    /// Advances every lane by the moves that were made in it. Its answers are valid after the next [`Lanes::look`].
    pub fn step(&mut self) {
        self.follow();
        let compiled = &self.instructions.compiled;
        self.fluents.fill(0);
        for &(fluent, code) in &self.instructions.codes.next {
            self.fluents[fluent.0 as usize] |= self.words.get(code)[0];
        }
        for (index, holds) in self.fluents.iter().enumerate() {
            self.words.set(compiled.fluents.get(index), [*holds]);
        }
        self.words.clear_moves(compiled);
        self.done = Done::default();
    }

    /// The goals of a role in a lane, as [`Cursor::goals`](crate::Cursor::goals) returns them.
    pub fn goals(&mut self, lane: usize, role: RoleId) -> Vec<i64> {
        if !std::mem::replace(&mut self.done.goals, true) {
            self.words.run(&self.instructions.compiled, GOALS);
        }
        let codes = &self.instructions.codes.goals[usize::from(role.0)];
        let holding = codes.iter().filter(|(_, code)| self.words.holds(*code, 0, lane));
        let mut goals: Vec<i64> = holding.map(|(goal, _)| *goal).collect();
        goals.dedup();
        goals
    }

    /// The states of all lanes, by lane.
    pub fn states(&mut self) -> &[State] {
        if !std::mem::replace(&mut self.done.states, true) {
            self.states.resize_with(Lanes::COUNT, || State::new(self.fluents.len(), 0));
            for (block, fluents) in self.fluents.chunks(64).enumerate() {
                let mut rows = [[0]; 64];
                rows.iter_mut().zip(fluents).for_each(|(row, holds)| *row = [*holds]);
                transpose(&mut rows);
                self.states.iter_mut().zip(rows).for_each(|(state, [bits])| state.bits[block] = bits);
            }
        }
        &self.states
    }
}
