//! The queries about a game's rules: about one state through a [`Cursor`], about names ([`Names`]), about all matches
//! at once ([`Structure`]), about many random ones ([`Play`]).

use std::sync::Arc;

use crate::play::{Limits, MatchRecord, Stream};
use crate::{
    BitRound, Budget, FluentId, GameError, Ground, JointMove, Lanes, MoveId, PerceptId, RoleId, Scope, State, Term,
    TooLarge,
};

/// The rules of a game, which answer queries. Ids stay valid for the game's life.
///
/// Three implementations: the compiled circuit (fast), the lifted reasoner for GDL games too large to ground, and
/// POGDDL's operators; two more without optimisations, for the check of proofs ([`crate::plain`]).
pub trait Rules: Names + Structure + Play + Send + Sync {
    /// The initial state.
    fn initial(&self) -> State;

    /// A cursor at `state`. It has working memory of its own, so queries take no lock; the memory comes from a pool, so
    /// making a cursor is cheap. Callers that walk through many states keep one and move it.
    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a>;

    /// The fault in an answer given so far, with its place: an evaluation that exceeded a limit, or in POGDDL a number
    /// that no match can have. From then on answers may be incomplete or wrong, so callers must check this before they
    /// show results. The circuit has no limits.
    fn fault(&self) -> Option<GameError> {
        None
    }

    /// [`Cursor::is_terminal`] of one state.
    fn terminal(&self, state: &State) -> bool {
        self.at(state).is_terminal()
    }

    /// [`Cursor::legal`] of one state.
    fn legal(&self, state: &State, role: RoleId) -> Vec<MoveId> {
        self.at(state).legal(role)
    }

    /// [`Cursor::next`] of one state.
    fn next(&self, state: &State, joint: &[MoveId]) -> State {
        self.at(state).next(joint)
    }

    /// [`Cursor::percepts`] of one state.
    fn percepts(&self, state: &State, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        self.at(state).percepts(joint, role)
    }

    /// [`Cursor::goals`] of one state.
    fn goals(&self, state: &State, role: RoleId) -> Vec<i64> {
        self.at(state).goals(role)
    }

    /// [`Cursor::fact`] of one state.
    fn fact(&self, state: &State, atom: &Term) -> Option<bool> {
        self.at(state).fact(atom)
    }

    /// [`Cursor::number`] of one state.
    fn number(&self, state: &State, name: &Term) -> Option<i64> {
        self.at(state).number(name)
    }
}

/// A place in a match: one state, and the answers to all queries about it.
///
/// Answers are remembered until the cursor moves, so a repeated query costs nothing.
///
/// ```
/// use percept_game::Game;
/// use percept_syntax::{Language, Source, Syntax};
///
/// let text = "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (legal r go)
///     (<= (next (n ?b)) (true (n ?a)) (succ ?a ?b)) (<= terminal (true (n 2))) (goal r 1)";
/// let source = Source::parse(text, Language::GdlPrefix);
/// let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
/// let game = Game::from_gdl(description).unwrap();
///
/// let mut at = game.start();
/// let mut rounds = 0;
/// while !at.is_terminal() {
///     let joint: Vec<_> = game.role_ids().map(|role| at.legal(role)[0]).collect();
///     at.step(&joint);
///     rounds += 1;
/// }
/// assert_eq!(rounds, 2);
/// ```
pub trait Cursor: Send {
    /// The cursor's state.
    fn state(&self) -> &State;

    /// Moves to another state of the same game.
    fn go(&mut self, state: &State);

    /// Moves to the state after a joint move.
    fn step(&mut self, joint: &[MoveId]) {
        let next = self.next(joint);
        self.go(&next);
    }

    /// True if the match is over here.
    fn is_terminal(&mut self) -> bool;

    /// Adds the legal moves of a role to `moves`, in a fixed order. In a sequential game a role whose turn it is not
    /// has [`MoveId::NOOP`] alone. Nothing for a role that the game does not have.
    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>);

    /// The legal moves of a role, as [`Cursor::legal_into`] gives them.
    fn legal(&mut self, role: RoleId) -> Vec<MoveId> {
        let mut moves = Vec::new();
        self.legal_into(role, &mut moves);
        moves
    }

    /// The state after a joint move, one move per role. For illegal moves, the result is that of the rules.
    fn next(&mut self, joint: &[MoveId]) -> State;

    /// The percepts of `role` when `joint` is made here: for GDL-II sorted by id; for POGDDL in the order sent.
    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId>;

    /// Adds the result of [`Cursor::percepts`] to `percepts`.
    fn percepts_into(&mut self, joint: &[MoveId], role: RoleId, percepts: &mut Vec<PerceptId>) {
        percepts.extend(self.percepts(joint, role));
    }

    /// The goal values that hold here for a role, each once, the least first: exactly one in a terminal state of a
    /// right GDL game.
    fn goals(&mut self, role: RoleId) -> Vec<i64>;

    /// True if a ground atom holds, which need not be a fluent (POGDDL: static and derived facts). `None` if there is
    /// no such atom.
    fn fact(&mut self, atom: &Term) -> Option<bool>;

    /// The value of a numeric fluent, by its name; `None` if no numeric fluent has this name.
    fn number(&mut self, _name: &Term) -> Option<i64> {
        None
    }
}

/// The names of fluents, moves and percepts, and lookups by name. In POGDDL names ignore case.
pub trait Names {
    /// The name of a fluent.
    fn fluent_term(&self, fluent: FluentId) -> Term;
    /// The name of a move.
    fn move_term(&self, role: RoleId, mv: MoveId) -> Term;
    /// The name of a percept.
    fn percept_term(&self, role: RoleId, percept: PerceptId) -> Term;
    /// [`Names::fluent_term`], for display.
    fn fluent_name(&self, fluent: FluentId) -> String {
        self.fluent_term(fluent).to_string()
    }
    /// [`Names::move_term`], for display.
    fn move_name(&self, role: RoleId, mv: MoveId) -> String {
        self.move_term(role, mv).to_string()
    }
    /// [`Names::percept_term`], for display.
    fn percept_name(&self, role: RoleId, percept: PerceptId) -> String {
        self.percept_term(role, percept).to_string()
    }
    /// The move with this name, legal or not; `None` if no such move exists.
    fn move_named(&self, role: RoleId, name: &Term) -> Option<MoveId>;
    /// The percept with this name; in POGDDL the first of a round.
    fn percept_named(&self, role: RoleId, name: &Term) -> Option<PerceptId>;
    /// The percepts with these names, received in this order in one round (in POGDDL the place is part of the percept).
    fn percepts_named(&self, role: RoleId, names: &[Term]) -> Option<Vec<PerceptId>> {
        names.iter().map(|name| self.percept_named(role, name)).collect()
    }
    /// The fluent with this name.
    fn fluent_named(&self, name: &Term) -> Option<FluentId>;
    /// [`Names::move_named`], for a name typed by a person: see [`Term::typed`].
    fn find_move(&self, role: RoleId, name: &str) -> Option<MoveId> {
        self.move_named(role, &Term::typed(name)?)
    }
    /// [`Names::percept_named`], for a name typed by a person.
    fn find_percept(&self, role: RoleId, name: &str) -> Option<PerceptId> {
        self.percept_named(role, &Term::typed(name)?)
    }
    /// [`Names::fluent_named`], for a name typed by a person.
    fn find_fluent(&self, name: &str) -> Option<FluentId> {
        self.fluent_named(&Term::typed(name)?)
    }
    /// The facts and numbers that are the same in every state and therefore not fluents: `(= (size) 10)`. Empty for
    /// GDL, in which only fluents are part of a state.
    fn constants(&self) -> Vec<Term> {
        Vec::new()
    }
    /// The number of fluents; ids are below it.
    fn fluent_count(&self) -> usize;
    /// The names of the registers (numeric fluents), in the order of `State::registers`. Empty for GDL.
    fn register_terms(&self) -> Vec<Term> {
        Vec::new()
    }
    /// [`Names::register_terms`], for display.
    fn register_names(&self) -> Vec<String> {
        self.register_terms().iter().map(Term::to_string).collect()
    }
}

/// The consequences of the rules for every match, without playing one.
pub trait Structure {
    /// One round as a circuit, restricted to the parts that matter under `scope`.
    ///
    /// # Errors
    /// [`TooLarge`] if the circuit would exceed the budget.
    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge>;

    /// The circuit of a round from any state, if the rules keep one: [`Structure::ground`] under no scope, at no cost.
    /// Callers that translate only the queried part, and fold by the state, do not need a restricted circuit, which
    /// costs a pass over all of it.
    fn kept(&self) -> Option<&Arc<Ground>> {
        None
    }

    /// The part of a round's circuit about the *old* state: the moves of `role`, `terminal`, `goals`. The other lists
    /// may be empty, and `scope.observed` is not used. Smaller than [`Structure::ground`] if that is worth the effort.
    ///
    /// # Errors
    /// Like [`Structure::ground`].
    fn position(&self, scope: &Scope<'_>, role: RoleId) -> Result<Arc<Ground>, TooLarge> {
        let _ = role;
        self.ground(&Scope { observed: None, ..*scope })
    }

    /// True if the goals of states and of the ground round are available: a plain game may be made without them
    /// ([`crate::plain::pogddl_for`]), and nothing may be concluded about them then.
    fn tells_goals(&self) -> bool {
        true
    }

    /// A fluent that no match may ever make true, if there is one: once it holds, no answer of the rules is right.
    fn outside(&self) -> Option<FluentId> {
        None
    }

    /// True if the rules themselves guarantee that two roles never have the turn at once (POGDDL).
    fn is_turn_exclusive(&self) -> bool {
        false
    }

    /// A bound on the length of every match from the facts that actions use up, if the rules are operators.
    fn used_up(&self, _budget: &Budget) -> Option<crate::bound::Bound> {
        None
    }
}

/// Faster ways to play at random than by a cursor, if the rules have one: [`crate::play`] and
/// [`Game::playout`](crate::Game::playout) use them.
pub trait Play {
    /// The game compiled for many random matches at once, if it is ground.
    fn playouts(&self) -> Option<&crate::compiled::Playouts> {
        None
    }

    /// The number of matches from which [`Play::playouts`] saves more time than it takes to make.
    fn worth_playouts(&self) -> u64 {
        0
    }

    /// A round over bits, in which many states advance at once, if there is one that is right about all numbers.
    fn bit_round(&self) -> Option<Arc<BitRound>> {
        None
    }

    /// The reason why random matches are slower than they could be: the rules have no circuit, or, once
    /// [`Play::playouts_of_many`] was asked, no circuit for every round.
    fn given_up(&self) -> Option<String> {
        None
    }

    /// Memory for up to 64 states at once, if one sweep of the rules answers for all of them.
    fn lanes(&self) -> Option<Lanes<'_>> {
        None
    }

    /// Like [`Play::playouts`], for so large a number of matches that a longer search for a fast way to play them pays.
    fn playouts_of_many(&self) -> Option<&crate::compiled::Playouts> {
        self.playouts()
    }

    /// Plays one match at random, choosing with `stream`, and fills in the lengths and the numbers of legal moves of
    /// `record` (not its goals) and, on request, the joint moves. Returns the last state.
    fn random_match(
        &self,
        _limits: &Limits,
        _stream: &mut Stream,
        _record: &mut MatchRecord,
        _moves: Option<&mut Vec<JointMove>>,
    ) -> Option<State> {
        None
    }

    /// Plays at random from `state` until the match is over or `limit` rounds are made; changes `state` to the final
    /// one. Returns the number of rounds.
    fn random_rounds(&self, _state: &mut State, _limit: usize, _rng: &mut dyn rand::RngCore) -> Option<usize> {
        None
    }
}
