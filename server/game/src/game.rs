//! What every game is, whatever language it was written in and however it is computed.

use std::sync::Arc;

use percept_syntax::TextRange;

use crate::circuit::{Circuit, Lit, Number};
use crate::play::{Limits, MatchRecord, Stream};

/// A role by its place in the order of declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RoleId(pub u16);

/// A fluent: a bit of the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FluentId(pub u32);

/// A move of one role. Dense per role where the game is ground; handed out on first sight where it is not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MoveId(pub u32);

/// In a sequential game (POGDDL) the roles whose turn it is not make this move; its name is `noop`.
impl MoveId {
    pub const NOOP: MoveId = MoveId(u32::MAX);
}

/// A percept of one role.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PerceptId(pub u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Role {
    pub name: String,
    /// `random` in GDL-II, `chance` in POGDDL: moves uniformly at random over its legal moves, has no goal to know.
    pub is_chance: bool,
}

/// A state: a bit per fluent and a number per register. Bits beyond the last fluent are zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct State {
    pub bits: Box<[u64]>,
    pub registers: Box<[i64]>,
}

impl State {
    pub fn new(fluents: usize, registers: usize) -> State {
        State { bits: vec![0; fluents.div_ceil(64)].into(), registers: vec![0; registers].into() }
    }

    pub fn has(&self, fluent: FluentId) -> bool {
        self.bits.get(fluent.0 as usize / 64).is_some_and(|word| word >> (fluent.0 % 64) & 1 == 1)
    }

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

/// The rules of a game, ready to be asked. All calls are pure; ids handed out stay valid for the game's life.
///
/// Three implementations: the compiled circuit (fast), the lifted reasoner for GDL games too large to ground, and
/// POGDDL's operators.
pub trait Rules: Send + Sync {
    fn initial(&self) -> State;
    /// Whether the match is over in this state.
    fn terminal(&self, state: &State) -> bool;
    /// The legal moves of a role, in a fixed order. In a sequential game a role whose turn it is not has `[NOOP]`.
    fn legal(&self, state: &State, role: RoleId) -> Vec<MoveId>;
    /// The state after a joint move. The moves need not be legal; then the result is what the rules say of it.
    fn next(&self, state: &State, joint: &[MoveId]) -> State;
    /// What `role` perceives when `joint` is made in `state`: for GDL-II sorted by id; for POGDDL in the order sent.
    fn percepts(&self, state: &State, joint: &[MoveId], role: RoleId) -> Vec<PerceptId>;
    /// The goal values that hold for a role: exactly one in a terminal state of a right GDL game.
    fn goals(&self, state: &State, role: RoleId) -> Vec<i64>;

    fn fluent_name(&self, fluent: FluentId) -> String;
    fn move_name(&self, role: RoleId, mv: MoveId) -> String;
    fn percept_name(&self, role: RoleId, percept: PerceptId) -> String;
    /// The move with this name (KIF, any spacing and, in POGDDL, any case), legal or not; `None` if no such move exists.
    fn find_move(&self, role: RoleId, name: &str) -> Option<MoveId>;
    fn find_percept(&self, role: RoleId, name: &str) -> Option<PerceptId>;
    /// The percepts with these names, received in this order in one round (in POGDDL the place is part of the percept).
    fn find_percepts(&self, role: RoleId, names: &[&str]) -> Option<Vec<PerceptId>> {
        names.iter().map(|name| self.find_percept(role, name)).collect()
    }
    /// Plays uniformly at random until the match is over or `limit` rounds are made; `state` is left where it ended.
    /// Returns the number of rounds.
    fn playout(&self, roles: usize, state: &mut State, limit: usize, rng: &mut dyn rand::RngCore) -> usize {
        for round in 0..limit {
            if self.terminal(state) {
                return round;
            }
            let mut joint = JointMove::with_capacity(roles);
            for role in 0..roles {
                let legal = self.legal(state, RoleId(role as u16));
                match legal.len() {
                    0 => return round,
                    count => joint.push(legal[rand::Rng::random_range(rng, 0..count)]),
                }
            }
            *state = self.next(state, &joint);
        }
        limit
    }
    fn find_fluent(&self, name: &str) -> Option<FluentId>;
    /// The facts and numbers that are the same in every state and therefore no fluents, by name: `(= (size) 10)`. Empty
    /// for GDL, where only fluents are part of a state.
    fn constants(&self) -> Vec<String> {
        Vec::new()
    }
    /// The number of fluents; ids are below it.
    fn fluent_count(&self) -> usize;
    /// Names of the registers (numeric fluents), in the order of `State::registers`. Empty for GDL.
    fn register_names(&self) -> Vec<String>;

    /// What went wrong in an answer given so far: an evaluation that broke a limit, at its rule. From then on answers
    /// may be incomplete, so whoever shows results asks this first. The circuit has no limits to break.
    fn fault(&self) -> Option<GameError> {
        None
    }

    /// The game compiled for many random matches at once, where it is ground.
    fn playouts(&self) -> Option<&crate::compiled::Playouts> {
        None
    }

    /// Plays one match at random, choosing with `stream`, and fills in the lengths and the numbers of legal moves of
    /// `record` (not its goals) and the joint moves, if they are wanted. Returns the last state; `None` where the rules
    /// have no quicker way than the calls above.
    fn random_match(
        &self,
        _limits: &Limits,
        _stream: &mut Stream,
        _record: &mut MatchRecord,
        _moves: Option<&mut Vec<JointMove>>,
    ) -> Option<State> {
        None
    }

    /// A fluent that no match must ever make hold, where there is one: once it does, nothing that the rules say is right.
    fn outside(&self) -> Option<FluentId> {
        None
    }

    /// Whether a ground atom holds in a state, also one that is no fluent (POGDDL: static and derived facts). `None` where
    /// there is no such atom.
    fn fact(&self, state: &State, atom: &str) -> Option<bool> {
        self.find_fluent(atom).map(|fluent| state.has(fluent))
    }

    /// The value of a numeric fluent in a state, by its name.
    fn number(&self, _state: &State, _term: &str) -> Option<i64> {
        None
    }

    /// Whether the rules say by themselves that it is never the turn of two roles at once (POGDDL).
    fn is_turn_exclusive(&self) -> bool {
        false
    }

    /// A bound on the length of every match from the facts that actions use up, where the rules are operators.
    fn used_up(&self, _stop: &dyn Fn() -> bool) -> Option<crate::bound::Bound> {
        None
    }

    /// One round as a circuit, as far as it can matter under `scope`.
    ///
    /// # Errors
    /// [`TooLarge`] where the circuit would exceed the budget.
    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge>;

    /// What a round's circuit says of the *old* state only: the moves of `role`, `terminal`, `goals`. The other lists
    /// may be empty, and `scope.observed` is not used. Smaller than [`Rules::ground`] where that is worth the trouble.
    ///
    /// # Errors
    /// As [`Rules::ground`].
    fn position(&self, scope: &Scope<'_>, role: RoleId) -> Result<Arc<Ground>, TooLarge> {
        let _ = role;
        self.ground(&Scope { observed: None, ..*scope })
    }
}

/// What a round's circuit has to be right about. A caller that knows more gets a smaller circuit.
#[derive(Clone, Copy, Default)]
pub struct Scope<'a> {
    /// Fluents that may hold before the round; `None`: anything reachable in the game.
    pub possible: Option<&'a State>,
    /// Fluents that certainly hold before the round; `None`: nothing is known.
    pub certain: Option<&'a State>,
    /// Whose percepts in this round are known, and which: moves that would send it anything else may be left out.
    pub observed: Option<(RoleId, &'a [PerceptId])>,
    /// Greatest number of circuit nodes; `None`: the default budget.
    pub budget: Option<usize>,
}

/// Why a game (or a round) was not ground.
#[derive(Clone, Debug, thiserror::Error)]
#[error("too large to ground: {what} (more than {budget} circuit nodes)")]
pub struct TooLarge {
    pub what: String,
    pub budget: usize,
}

/// A round, ground: what one joint move does, as a circuit over the old state's fluents and the moves.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    pub circuit: Circuit,
    /// For each role its possible moves with the gate that makes each legal.
    pub moves: Vec<Vec<(MoveId, Lit)>>,
    /// The new state: fluents not listed are false in it.
    pub next: Vec<(FluentId, Lit)>,
    /// For each role its possible percepts with their gates. POGDDL: the order of messages is in the percept's identity.
    pub sees: Vec<Vec<(PerceptId, Lit)>>,
    /// Whether the *old* state is terminal.
    pub terminal: Lit,
    /// For each role the possible goal values of the old state with their gates.
    pub goals: Vec<Vec<(i64, Lit)>>,
    /// Goals that read registers: for each role the number and the gate under which it is the goal. Exactly one gate of
    /// a role's `goals` and `goal_numbers` holds. Empty where all numbers are known to stay in a small range.
    pub goal_numbers: Vec<Vec<(Number, Lit)>>,
    /// Registers that may change: the new value is the old one plus what every update whose gate holds adds,
    /// or the value an `Assign` sets (at most one of them holds).
    pub updates: Vec<RegisterUpdate>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RegisterUpdate {
    pub register: u32,
    pub gate: Lit,
    pub kind: UpdateKind,
    pub value: Number,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    Assign,
    Increase,
}

/// Something that keeps a description from becoming a game, at its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GameError {
    pub message: String,
    /// Where in the text; for POGDDL `in_problem` says in which of the two files.
    pub range: TextRange,
    pub in_problem: bool,
}

/// A game: its roles and its rules.
#[derive(Clone)]
pub struct Game {
    pub roles: Vec<Role>,
    pub rules: Arc<dyn Rules>,
    /// Whether a role knows the moves it made. True in GDL-II; in POGDDL only percepts tell.
    pub knows_own_moves: bool,
    /// Whether exactly one role moves at a time and everybody else makes `noop` (POGDDL).
    pub is_sequential: bool,
}

impl Game {
    /// The role of this name: written alike, or else in capital or small letters.
    pub fn role(&self, name: &str) -> Option<RoleId> {
        let alike = self.roles.iter().position(|role| role.name == name);
        let index = alike.or_else(|| self.roles.iter().position(|role| role.name.eq_ignore_ascii_case(name)));
        index.map(|index| RoleId(index as u16))
    }

    pub fn role_ids(&self) -> impl Iterator<Item = RoleId> + use<> {
        (0..self.roles.len() as u16).map(RoleId)
    }
}
