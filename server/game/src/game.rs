//! The common parts of every game, whatever its language and its implementation.

use std::sync::Arc;

use percept_syntax::TextRange;

use crate::circuit::{Circuit, Lit, Number};
use crate::rules::{Cursor, Rules};
use crate::view::JointMoves;
use crate::{Budget, Term, Written};

/// A role by its place in the order of declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RoleId(pub u16);

/// A fluent: a bit of the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FluentId(pub u32);

/// A move of one role. Ids are dense for each role if the game is ground, and assigned on first use if not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MoveId(pub u32);

/// The move of the roles whose turn it is not, in a sequential game (POGDDL); its name is `noop`.
impl MoveId {
    /// Waiting, in POGDDL.
    pub const NOOP: MoveId = MoveId(u32::MAX);
}

/// A percept of one role.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PerceptId(pub u32);

/// A role of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Role {
    /// The name as the rules write it.
    pub name: String,
    /// True for `random` in GDL-II and `chance` in POGDDL: the role moves uniformly at random over its legal moves, and
    /// has no goal to know.
    pub is_chance: bool,
}

impl Role {
    /// The fact that it is this role's turn, in POGDDL.
    pub fn turn(&self) -> Term {
        Term::list("whoseturn", [Term::word(self.name.as_str())])
    }
}

/// A state: a bit per fluent and a number per register. Bits beyond the last fluent are zero.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct State {
    /// Fluent `n` is bit `n % 64` of word `n / 64`.
    pub bits: Box<[u64]>,
    /// The numbers that are not fluents, in the order of [`crate::Names::register_names`]. Empty for GDL.
    pub registers: Box<[i64]>,
}

impl Clone for State {
    fn clone(&self) -> State {
        State { bits: self.bits.clone(), registers: self.registers.clone() }
    }

    /// Reuses the old state's memory if the sizes agree, as those of one game's states do.
    fn clone_from(&mut self, source: &State) {
        self.bits.clone_from(&source.bits);
        self.registers.clone_from(&source.registers);
    }
}

impl State {
    /// The state in which no fluent holds and all numbers are 0.
    pub fn new(fluents: usize, registers: usize) -> State {
        State { bits: vec![0; fluents.div_ceil(64)].into(), registers: vec![0; registers].into() }
    }

    /// True if a fluent holds; one beyond the last does not.
    pub fn has(&self, fluent: FluentId) -> bool {
        self.bits.get(fluent.0 as usize / 64).is_some_and(|word| word >> (fluent.0 % 64) & 1 == 1)
    }

    /// Sets the truth value of a fluent.
    ///
    /// # Panics
    /// If the fluent is beyond the last word.
    pub fn set(&mut self, fluent: FluentId, value: bool) {
        let mask = 1u64 << (fluent.0 % 64);
        let word = &mut self.bits[fluent.0 as usize / 64];
        *word = if value { *word | mask } else { *word & !mask };
    }

    /// The fluents that hold, in the order of their ids.
    pub fn fluents(&self) -> impl Iterator<Item = FluentId> + '_ {
        self.bits.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    FluentId(index as u32 * 64 + bit)
                })
            })
        })
    }
}

/// One move per role, in the order of the roles.
pub type JointMove = Vec<MoveId>;

/// The joint moves of roles with these legal moves, in the order of the roles; the last role's change fastest. Their
/// number is the product of the lengths; zero if a role has no move.
pub fn joint_moves(legal: &[Vec<MoveId>]) -> JointMoves {
    JointMoves::of(legal.to_vec())
}

/// The cases for which a round's circuit has to be right. A caller with more knowledge gets a smaller circuit.
#[derive(Clone, Copy, Default)]
pub struct Scope<'a> {
    /// Fluents that may hold before the round; `None`: all that are reachable in the game.
    pub possible: Option<&'a State>,
    /// Fluents that certainly hold before the round; `None`: nothing is known.
    pub certain: Option<&'a State>,
    /// The role whose percepts in this round are known, with the percepts: moves that would send it any others may be
    /// left out.
    pub observed: Option<(RoleId, &'a [PerceptId])>,
    /// Greatest number of circuit nodes; `None`: the default budget.
    pub budget: Option<usize>,
    /// The time limit; `None` for no limit.
    pub until: Option<&'a Budget>,
}

/// The reason why a game (or a round) was not ground.
#[derive(Clone, Debug, thiserror::Error)]
#[error("too large to ground: {what} ({limit})")]
pub struct TooLarge {
    /// The part that was too large, in words.
    pub what: String,
    /// The limit that was reached.
    pub limit: Limit,
}

/// The limit that did not suffice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Limit {
    /// Circuit nodes, or another part that takes memory.
    #[error("more than {0} circuit nodes")]
    Nodes(usize),
    /// The limit [`Scope::until`].
    #[error("more than there was time for")]
    Time,
}

/// A ground round: the effects of one joint move, as a circuit over the old state's fluents and the moves.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// The circuit with the gates of the other fields.
    pub circuit: Circuit,
    /// For each role, its possible moves, each with the gate that makes it legal.
    pub moves: Vec<Vec<(MoveId, Lit)>>,
    /// The new state: fluents not listed are false in it.
    pub next: Vec<(FluentId, Lit)>,
    /// For each role, its possible percepts with their gates. In POGDDL, the order of messages is a part of the
    /// percept's identity.
    pub sees: Vec<Vec<(PerceptId, Lit)>>,
    /// True if the *old* state is terminal.
    pub terminal: Lit,
    /// For each role, the possible goal values of the old state with their gates.
    pub goals: Vec<Vec<(i64, Lit)>>,
    /// Goals that read registers: for each role the number, and the gate under which it is the goal. Exactly one gate
    /// of a role's `goals` and `goal_numbers` holds. Empty if all numbers are known to stay in a small range.
    pub goal_numbers: Vec<Vec<(Number, Lit)>>,
    /// Registers that may change. The new value is the old one plus the amounts of all updates whose gates hold, or the
    /// value of an `Assign` (at most one of them holds).
    pub updates: Vec<RegisterUpdate>,
}

/// A change of a register.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterUpdate {
    /// The register.
    pub register: u32,
    /// The gate under which the update happens.
    pub gate: Lit,
    /// The use of `value`.
    pub kind: UpdateKind,
    /// The value, from the old registers.
    pub value: Number,
}

/// The kind of a change of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    /// It becomes the value.
    Assign,
    /// The value is added.
    Increase,
}

/// A round as a circuit over bits alone, in which many states advance at once: registers are fluents, one for each binary
/// digit.
#[derive(Clone, Debug)]
pub struct BitRound {
    /// The round, without comparisons of numbers, updates and goals that are numbers. Its moves are in the order in which
    /// [`crate::play`] draws them.
    pub ground: Arc<Ground>,
    /// True if the goal of a role is the sum of its values that hold.
    pub adds_goals: bool,
    /// The fluents of the registers, if the game has any.
    pub registers: Option<Registers>,
    /// The gate which states that a register has too many digits after the round, so that a cursor has to make it.
    pub beyond: Lit,
}

/// The fluents that are the binary digits of registers: two's complement, the lowest digit first.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    /// The first digit of the first register; all others follow.
    pub first: u32,
    /// The number of digits of each register, at most 63.
    pub width: u32,
}

impl Registers {
    /// The fluent of a digit.
    pub fn fluent(&self, register: u32, digit: u32) -> FluentId {
        FluentId(self.first + register * self.width + digit)
    }

    /// The first fluent after those of this number of registers.
    pub fn end(&self, registers: usize) -> u32 {
        self.first + registers as u32 * self.width
    }

    /// The least and greatest number that a register can be.
    pub fn bounds(&self) -> (i64, i64) {
        let half = 1i64 << (self.width - 1);
        (-half, half - 1)
    }

    /// True if the registers of a state have few enough digits.
    pub fn hold(&self, state: &State) -> bool {
        let (least, greatest) = self.bounds();
        state.registers.iter().all(|value| (least..=greatest).contains(value))
    }

    /// A state with its registers as fluents, and room for `more` fluents.
    pub fn spread(&self, state: &State, more: usize) -> State {
        let mut bits = State::new(self.end(state.registers.len()) as usize + more, 0);
        bits.bits[..state.bits.len()].copy_from_slice(&state.bits);
        for (register, value) in (0..).zip(&state.registers) {
            (0..self.width).for_each(|digit| bits.set(self.fluent(register, digit), value >> digit & 1 == 1));
        }
        bits
    }

    /// Reverses [`Registers::spread`]. `like`: any state of the game.
    pub fn gather(&self, bits: &State, like: &State) -> State {
        let mut state = State::new(0, like.registers.len());
        state.bits = bits.bits[..like.bits.len()].into();
        let digits = self.first..like.bits.len() as u32 * 64;
        digits.for_each(|fluent| state.set(FluentId(fluent), false));
        for (register, value) in (0..).zip(&mut state.registers) {
            let digit = |at: u32| i64::from(bits.has(self.fluent(register, at))) << at;
            let sign = self.width - 1;
            *value = (0..sign).map(digit).sum::<i64>() - digit(sign);
        }
        state
    }
}

/// The reason why a description is not a game, at its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GameError {
    /// The message.
    pub message: String,
    /// The place in the text; for POGDDL `in_problem` selects one of the two files.
    pub range: TextRange,
    /// True if `range` is in the problem's file, false for the domain's.
    pub in_problem: bool,
}

impl GameError {
    /// Checks the budget of a set-up.
    ///
    /// # Errors
    /// The reason why the set-up ends early.
    pub(crate) fn if_spent(set_up: &Budget) -> Result<(), Vec<GameError>> {
        let error = |stop| GameError {
            message: format!("the set-up ended early: {stop}"),
            range: TextRange::default(),
            in_problem: false,
        };
        set_up.check().map_err(|stop| vec![error(stop)])
    }
}

/// A name that no role of a game has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no role `{name}`; the roles are {}", .roles.join(", "))]
pub struct NoSuchRole {
    /// The name that was given.
    pub name: String,
    /// The roles of the game, in the order of the description.
    pub roles: Vec<String>,
}

/// A game: its roles and its rules.
#[derive(Clone)]
pub struct Game {
    /// The roles, in the order of the description.
    pub roles: Vec<Role>,
    /// The rules, which answer all other questions.
    pub rules: Arc<dyn Rules>,
    /// True if a role knows its own moves. True in GDL-II; in POGDDL only percepts reveal them.
    pub knows_own_moves: bool,
    /// True if exactly one role moves at a time and all others make `noop` (POGDDL).
    pub is_sequential: bool,
    /// The description that the game was made of.
    pub written: Written,
}

/// The assumed price of a round without a circuit; see [`Game::price`].
const STEPS_A_ROUND: u64 = 2_000;
const STEPS_A_GATE: u64 = 4;
const UNKNOWN_GATES: usize = 5_000;
/// The assumed size of a game without a circuit, which is followed rule by rule.
const LIFTED_GATES: usize = 250_000;

impl Game {
    /// The role of this name: an exact match or, without one, a match that ignores case.
    pub fn role(&self, name: &str) -> Option<RoleId> {
        let alike = self.roles.iter().position(|role| role.name == name);
        let index = alike.or_else(|| self.roles.iter().position(|role| role.name.eq_ignore_ascii_case(name)));
        index.map(|index| RoleId(index as u16))
    }

    /// Like [`Game::role`].
    ///
    /// # Errors
    /// If the game has no role of this name. The message lists the roles.
    pub fn role_named(&self, name: &str) -> Result<RoleId, NoSuchRole> {
        let roles = || self.roles.iter().map(|role| role.name.clone()).collect();
        self.role(name).ok_or_else(|| NoSuchRole { name: name.to_owned(), roles: roles() })
    }

    /// The own move of a joint move, if the role knows it ([`Game::knows_own_moves`]).
    pub fn own_move(&self, role: RoleId, joint: &[MoveId]) -> Option<MoveId> {
        self.knows_own_moves.then(|| joint[role.0 as usize])
    }

    /// The price of a round, in steps of a [`Budget`]: proportional to the size of its circuit, or an estimate without
    /// one.
    pub fn price(&self) -> u64 {
        let guess = if self.is_sequential { UNKNOWN_GATES } else { LIFTED_GATES };
        let gates = self.rules.kept().map_or(guess, |ground| ground.circuit.nodes().len());
        STEPS_A_ROUND + STEPS_A_GATE * gates as u64
    }

    /// A cursor at the initial state.
    pub fn start(&self) -> Box<dyn Cursor + '_> {
        self.rules.at(&self.rules.initial())
    }

    /// A cursor at a state; see [`Rules::at`].
    pub fn at(&self, state: &State) -> Box<dyn Cursor + '_> {
        self.rules.at(state)
    }

    /// Plays uniformly at random from `state` until the match is over, a role has no legal move, or `limit` rounds are
    /// played; changes `state` to the final one. Returns the number of rounds.
    pub fn playout(&self, state: &mut State, limit: usize, rng: &mut dyn rand::RngCore) -> usize {
        self.playout_until(state, limit, rng, &|| false)
    }

    /// Like [`Game::playout`], with a check of `stop` before each round if rounds take long enough for that.
    pub(crate) fn playout_until(
        &self,
        state: &mut State,
        limit: usize,
        rng: &mut dyn rand::RngCore,
        stop: &dyn Fn() -> bool,
    ) -> usize {
        if let Some(rounds) = self.rules.random_rounds(state, limit, rng) {
            return rounds;
        }
        let mut at = self.rules.at(state);
        let (mut joint, mut legal) = (JointMove::with_capacity(self.roles.len()), Vec::new());
        let mut played = 0;
        'rounds: while played < limit && !stop() && !at.is_terminal() {
            joint.clear();
            for role in self.role_ids() {
                legal.clear();
                at.legal_into(role, &mut legal);
                match legal.len() {
                    0 => break 'rounds,
                    count => joint.push(legal[rand::Rng::random_range(rng, 0..count)]),
                }
            }
            at.step(&joint);
            played += 1;
        }
        state.clone_from(at.state());
        played
    }

    /// All roles, in the order of declaration.
    pub fn role_ids(&self) -> impl Iterator<Item = RoleId> + use<> {
        (0..self.roles.len() as u16).map(RoleId)
    }
}
