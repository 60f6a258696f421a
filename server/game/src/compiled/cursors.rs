//! Up to 64 states at once.

use super::{Choices, Compiled, Segment, Words, codes, select, transpose};
use crate::{BitRound, Cursor, FluentId, MoveId, PerceptId, Registers, RoleId, Rules, State};

pub(crate) const LEGAL: usize = 0;
pub(crate) const GOALS: usize = 1;
pub(crate) const NEXT: usize = 2;
pub(crate) const SEES: usize = 3;

/// The compiled instructions of a round.
pub(crate) struct Instructions {
    pub compiled: Compiled,
    pub codes: Codes,
    adds_goals: bool,
    registers: Option<Registers>,
}

/// The codes of the outputs in the compiled instructions.
pub(crate) struct Codes {
    pub legal: Vec<Vec<(MoveId, u32)>>,
    pub next: Vec<(FluentId, u32)>,
    pub sees: Vec<Vec<(PerceptId, u32)>>,
    pub goals: Vec<Vec<(i64, u32)>>,
    pub terminal: u32,
    beyond: u32,
}

impl Instructions {
    pub(crate) fn new(round: &BitRound) -> Instructions {
        let ground = &*round.ground;
        let legal = ground.moves.iter().flatten().map(|(_, gate)| *gate).chain([ground.terminal]).collect();
        let goals = ground.goals.iter().flatten().map(|(_, gate)| *gate).collect();
        let next = ground.next.iter().map(|(_, gate)| *gate).chain([round.beyond]).collect();
        let sees = ground.sees.iter().flatten().map(|(_, gate)| *gate).collect();
        let segments =
            [Segment::always(legal), Segment::on_demand(goals), Segment::always(next), Segment::on_demand(sees)];
        let compiled = Compiled::new(&ground.circuit, &segments);
        let codes = Codes {
            legal: ground.moves.iter().map(|moves| codes(&compiled, moves)).collect(),
            next: codes(&compiled, &ground.next),
            sees: ground.sees.iter().map(|sees| codes(&compiled, sees)).collect(),
            goals: ground.goals.iter().map(|goals| codes(&compiled, goals)).collect(),
            terminal: compiled.code(ground.terminal),
            beyond: compiled.code(round.beyond),
        };
        Instructions { compiled, codes, adds_goals: round.adds_goals, registers: round.registers }
    }
}

/// A [`Cursor`] over up to 64 states, in as many *lanes*, the bits of a word: one sweep of the rules'
/// circuit answers for all of them, at the price of one. Callers that play many matches of a game at once get
/// them from [`Play::lanes`](crate::Play::lanes).
///
/// A round has these steps: [`Lanes::put`] states into free lanes; [`Lanes::look`]; read which matches are over and the
/// legal moves; [`Lanes::make`] a move of every role in every lane that goes on; read the percepts; [`Lanes::step`].
/// The answers for a lane without a state, or in which a role has not moved, are meaningless.
///
/// A state whose numbers are too large for its lane has a cursor of its own there. Callers do not notice.
pub struct Lanes<'a> {
    rules: &'a dyn Rules,
    instructions: &'a Instructions,
    words: Words<1>,
    /// For each fluent, the lanes in which it holds, even if the circuit does not read it. The digits of registers are
    /// fluents, too.
    fluents: Vec<u64>,
    /// Any state of the game.
    initial: State,
    /// For each role, the codes of its moves' legality.
    legal: Vec<Vec<u32>>,
    /// The legal moves of the role that [`Lanes::read`] was last called for.
    choices: Choices<1>,
    role: usize,
    states: Vec<State>,
    /// The states with their registers as fluents, if there are any.
    bits: Vec<State>,
    done: Done,
    strays: Strays<'a>,
}

/// The parts that have been computed for the present states and moves.
#[derive(Clone, Copy, Default)]
struct Done {
    goals: bool,
    next: bool,
    sees: bool,
    states: bool,
}

/// The lanes that have cursors of their own.
#[derive(Default)]
struct Strays<'a> {
    /// The lanes, as bits.
    lanes: u64,
    cursors: Vec<Stray<'a>>,
    /// The moves made in each lane, by lane and role: nothing if the game has no registers.
    joints: Vec<MoveId>,
    /// The lanes in which moves were made.
    made: u64,
}

struct Stray<'a> {
    lane: usize,
    cursor: Box<dyn Cursor + 'a>,
    /// The legal moves of the role that was read last.
    legal: Vec<MoveId>,
}

impl<'a> Strays<'a> {
    fn has(&self, lane: usize) -> bool {
        self.lanes >> lane & 1 == 1
    }

    /// The stray in a lane that has one.
    fn at(&self, lane: usize) -> &Stray<'a> {
        let of = |stray: &&Stray<'a>| stray.lane == lane;
        self.cursors.iter().find(of).expect("the lane of a stray")
    }

    fn add(&mut self, lane: usize, cursor: Box<dyn Cursor + 'a>) {
        self.lanes |= 1 << lane;
        self.cursors.push(Stray { lane, cursor, legal: Vec::new() });
    }

    fn remove(&mut self, lane: usize) {
        self.lanes &= !(1 << lane);
        self.cursors.retain(|stray| stray.lane != lane);
    }
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

    pub(crate) fn new(rules: &'a dyn Rules, instructions: &'a Instructions) -> Lanes<'a> {
        let codes = |moves: &Vec<(MoveId, u32)>| moves.iter().map(|(_, code)| *code).collect();
        let legal: Vec<Vec<u32>> = instructions.codes.legal.iter().map(codes).collect();
        let (initial, fluents) = (rules.initial(), rules.fluent_count());
        let end = |registers: Registers| registers.end(initial.registers.len()) as usize;
        let fluents = instructions.registers.map_or(fluents, end);
        let joints = if instructions.registers.is_some() { Lanes::COUNT * legal.len() } else { 0 };
        Lanes {
            rules,
            words: Words::new(&instructions.compiled),
            fluents: vec![0; fluents],
            initial,
            choices: Choices::new(legal.iter().map(Vec::len).max().unwrap_or(0)),
            legal,
            role: 0,
            states: Vec::new(),
            bits: Vec::new(),
            done: Done::default(),
            strays: Strays { joints: vec![MoveId::NOOP; joints], ..Strays::default() },
            instructions,
        }
    }

    /// Puts a state into a lane. Its answers are valid after the next [`Lanes::look`].
    pub fn put(&mut self, lane: usize, state: &State) {
        self.strays.remove(lane);
        self.done.states = false;
        match self.instructions.registers {
            None => self.put_bits(lane, &state.bits),
            Some(registers) if registers.hold(state) => self.put_bits(lane, &registers.spread(state, 0).bits),
            Some(_) => self.strays.add(lane, self.rules.at(state)),
        }
    }

    fn put_bits(&mut self, lane: usize, bits: &[u64]) {
        let bit = 1 << lane;
        for (index, holds) in self.fluents.iter_mut().enumerate() {
            let now = (bits[index / 64] >> (index % 64) & 1) << lane;
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
    pub fn over(&mut self) -> u64 {
        let in_lanes = self.words.get(self.instructions.codes.terminal)[0] & !self.strays.lanes;
        let strays = self.strays.cursors.iter_mut();
        strays.fold(in_lanes, |over, stray| over | u64::from(stray.cursor.is_terminal()) << stray.lane)
    }

    /// Reads the legal moves of a role for [`Lanes::count`], [`Lanes::nth`] and [`Lanes::legal_into`].
    pub fn read(&mut self, role: RoleId) {
        self.role = usize::from(role.0);
        self.choices.read(&self.words, &self.legal[self.role]);
        for stray in &mut self.strays.cursors {
            stray.legal.clear();
            stray.cursor.legal_into(role, &mut stray.legal);
        }
    }

    /// The number of legal moves of the role in a lane.
    pub fn count(&self, lane: usize) -> u32 {
        if self.strays.has(lane) { self.strays.at(lane).legal.len() as u32 } else { self.choices.count(0, lane) }
    }

    /// The role's legal move with this number, counted from 0, in a lane: in the order of [`Lanes::legal_into`].
    pub fn nth(&self, lane: usize, number: u32) -> MoveId {
        if self.strays.has(lane) {
            return self.strays.at(lane).legal[number as usize];
        }
        self.instructions.codes.legal[self.role][self.choices.place(0, lane, number, select)].0
    }

    /// Adds the role's legal moves in a lane, in the same order as a cursor.
    pub fn legal_into(&self, lane: usize, moves: &mut Vec<MoveId>) {
        if self.strays.has(lane) {
            return moves.extend_from_slice(&self.strays.at(lane).legal);
        }
        let codes = &self.instructions.codes.legal[self.role];
        moves.extend(self.choices.places(0, lane).map(|place| codes[place].0));
    }

    /// Makes a role's move in a lane.
    pub fn make(&mut self, lane: usize, role: RoleId, mv: MoveId) {
        let slots = self.instructions.compiled.moves.get(usize::from(role.0));
        self.words.mark(slots.and_then(|slots| slots.get(mv.0 as usize)), 1 << lane);
        if let Some(kept) = self.strays.joints.get_mut(lane * self.legal.len() + usize::from(role.0)) {
            *kept = mv;
            self.strays.made |= 1 << lane;
        }
    }

    /// Adds the role's percepts after the moves, by lane, for the lanes of `among` only.
    pub fn percepts_into(&mut self, role: RoleId, among: u64, percepts: &mut [Vec<PerceptId>]) {
        self.follow();
        if !std::mem::replace(&mut self.done.sees, true) {
            self.words.run(&self.instructions.compiled, SEES);
        }
        let in_lanes = among & !self.strays.lanes;
        for &(percept, code) in &self.instructions.codes.sees[usize::from(role.0)] {
            Lanes::each(self.words.get(code)[0] & in_lanes).for_each(|lane| percepts[lane].push(percept));
        }
        let roles = self.legal.len();
        for stray in self.strays.cursors.iter_mut().filter(|stray| among >> stray.lane & 1 == 1) {
            let joint = &self.strays.joints[stray.lane * roles..][..roles];
            stray.cursor.percepts_into(joint, role, &mut percepts[stray.lane]);
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
        if !self.strays.joints.is_empty() {
            self.step_strays();
        }
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

    /// Advances the strays, with those lanes whose numbers become too large by these moves.
    fn step_strays(&mut self) {
        let beyond = self.words.get(self.instructions.codes.beyond)[0] & self.strays.made & !self.strays.lanes;
        if beyond != 0 {
            self.states();
            Lanes::each(beyond).for_each(|lane| self.strays.add(lane, self.rules.at(&self.states[lane])));
        }
        let Strays { cursors, joints, made, .. } = &mut self.strays;
        let roles = self.legal.len();
        cursors.iter_mut().for_each(|stray| stray.cursor.step(&joints[stray.lane * roles..][..roles]));
        joints.fill(MoveId::NOOP);
        *made = 0;
    }

    /// The goals of a role in a lane, as [`Cursor::goals`] returns them.
    pub fn goals(&mut self, lane: usize, role: RoleId) -> Vec<i64> {
        if self.strays.has(lane) {
            let stray = self.strays.cursors.iter_mut().find(|stray| stray.lane == lane);
            return stray.map_or_else(Vec::new, |stray| stray.cursor.goals(role));
        }
        if !std::mem::replace(&mut self.done.goals, true) {
            self.words.run(&self.instructions.compiled, GOALS);
        }
        let codes = &self.instructions.codes.goals[usize::from(role.0)];
        let holding = codes.iter().filter(|(_, code)| self.words.holds(*code, 0, lane)).map(|(goal, _)| *goal);
        if self.instructions.adds_goals {
            return vec![holding.sum()];
        }
        let mut goals: Vec<i64> = holding.collect();
        goals.dedup();
        goals
    }

    /// The states of all lanes, by lane.
    pub fn states(&mut self) -> &[State] {
        if std::mem::replace(&mut self.done.states, true) {
            return &self.states;
        }
        let bits = if self.instructions.registers.is_some() { &mut self.bits } else { &mut self.states };
        bits.resize_with(Lanes::COUNT, || State::new(self.fluents.len(), 0));
        for (block, fluents) in self.fluents.chunks(64).enumerate() {
            let mut rows = [[0]; 64];
            rows.iter_mut().zip(fluents).for_each(|(row, holds)| *row = [*holds]);
            transpose(&mut rows);
            bits.iter_mut().zip(rows).for_each(|(state, [bits])| state.bits[block] = bits);
        }
        if let Some(registers) = self.instructions.registers {
            self.states = self.bits.iter().map(|bits| registers.gather(bits, &self.initial)).collect();
            for stray in &self.strays.cursors {
                self.states[stray.lane].clone_from(stray.cursor.state());
            }
        }
        &self.states
    }
}
