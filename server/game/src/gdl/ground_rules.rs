//! [`Rules`] on a ground circuit.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::ground::GroundGame;
use super::names::find_term;
use crate::circuit::{Lit, Node};
use crate::compiled::cursors::{GOALS, Instructions, LEGAL, NEXT, SEES};
use crate::compiled::{Many, Playouts, Words};
use crate::pool::{Lent, Pool};
use crate::terms::TermId;
use crate::{
    BitRound, Cursor, FluentId, Ground, Lanes, Limit, MoveId, Names, PerceptId, Play, RoleId, Rules, Scope, State,
    Structure, Term, TooLarge,
};

/// The rules of a ground GDL game.
pub(super) struct GroundRules {
    pub(super) game: GroundGame,
    ground: Arc<Ground>,
    /// The instructions for single steps; playouts have instructions of their own.
    instructions: OnceLock<Instructions>,
    /// The ids of names, made on first use. Playouts need none.
    ids: OnceLock<Ids>,
    /// Evaluations to be reused; each keeps the state it was last used for.
    pool: Pool<Scratch>,
    playouts: OnceLock<Playouts>,
    for_many: OnceLock<Many>,
}

/// An evaluation of one state.
struct Scratch {
    words: Words<1>,
    /// The state that the words are about; legality and the end have been evaluated.
    state: State,
    goals_done: bool,
    /// The moves that are set, or empty.
    joint: Vec<MoveId>,
    next_done: bool,
    sees_done: bool,
    /// A buffer in which the next state is built.
    spare: State,
}

/// The ids of fluents, and by role those of moves and percepts, by their names.
struct Ids {
    fluents: FxHashMap<TermId, u32>,
    moves: Vec<FxHashMap<TermId, u32>>,
    percepts: Vec<FxHashMap<TermId, u32>>,
}

impl Ids {
    fn new(game: &GroundGame) -> Ids {
        let ids = |names: &Vec<TermId>| names.iter().enumerate().map(|(id, &term)| (term, id as u32)).collect();
        Ids {
            fluents: ids(&game.fluents),
            moves: game.moves.iter().map(ids).collect(),
            percepts: game.percepts.iter().map(ids).collect(),
        }
    }
}

impl GroundRules {
    pub(crate) fn new(mut game: GroundGame) -> GroundRules {
        let ground = Arc::new(std::mem::take(&mut game.ground));
        GroundRules {
            game,
            ground,
            ids: OnceLock::new(),
            instructions: OnceLock::new(),
            pool: Pool::default(),
            playouts: OnceLock::new(),
            for_many: OnceLock::new(),
        }
    }
}

impl GroundRules {
    /// The instructions that evaluate a state and a round. Compiled on first use.
    fn instructions(&self) -> &Instructions {
        self.instructions.get_or_init(|| Instructions::new(&self.in_bits()))
    }

    fn in_bits(&self) -> BitRound {
        BitRound { ground: self.ground.clone(), adds_goals: false, registers: None, beyond: Lit::FALSE }
    }

    fn ids(&self) -> &Ids {
        self.ids.get_or_init(|| Ids::new(&self.game))
    }

    /// An evaluation of the state in which nothing holds.
    fn scratch(&self) -> Scratch {
        let compiled = &self.instructions().compiled;
        let mut words = Words::new(compiled);
        words.run(compiled, LEGAL);
        Scratch {
            words,
            state: State::new(self.game.fluents.len(), 0),
            goals_done: false,
            joint: Vec::new(),
            next_done: false,
            sees_done: false,
            spare: State::new(self.game.fluents.len(), 0),
        }
    }
}

/// A position in a match of a ground game.
struct Position<'a> {
    rules: &'a GroundRules,
    instructions: &'a Instructions,
    scratch: Lent<'a, Scratch>,
}

impl Position<'_> {
    /// Sets the moves, if they are not set already.
    fn make(&mut self, joint: &[MoveId]) {
        let Scratch { words, joint: old, next_done, sees_done, .. } = &mut *self.scratch;
        if old == joint {
            return;
        }
        for (joint, value) in [(&old[..], [0]), (joint, [!0])] {
            for (role, mv) in joint.iter().enumerate() {
                let slot = self.instructions.compiled.moves.get(role).and_then(|slots| slots.get(mv.0 as usize));
                words.set(slot, value);
            }
        }
        old.clear();
        old.extend_from_slice(joint);
        (*next_done, *sees_done) = (false, false);
    }

    /// Evaluates the consequences of the moves.
    fn follow(&mut self, joint: &[MoveId]) {
        self.make(joint);
        if !std::mem::replace(&mut self.scratch.next_done, true) {
            self.scratch.words.run(&self.instructions.compiled, NEXT);
        }
    }

    /// Writes the state after a joint move into `next`, in which no fluent holds.
    fn put_next(&mut self, joint: &[MoveId], next: &mut State) {
        self.follow(joint);
        for &(fluent, code) in &self.instructions.codes.next {
            let value = self.scratch.words.get(code)[0] & 1;
            next.bits[fluent.0 as usize / 64] |= value << (fluent.0 % 64);
        }
    }

    /// Evaluates the percepts of the moves.
    fn perceive(&mut self, joint: &[MoveId]) {
        self.follow(joint);
        if !std::mem::replace(&mut self.scratch.sees_done, true) {
            self.scratch.words.run(&self.instructions.compiled, SEES);
        }
    }
}

impl Cursor for Position<'_> {
    fn state(&self) -> &State {
        &self.scratch.state
    }

    fn go(&mut self, state: &State) {
        let Scratch { words, state: old, goals_done, next_done, sees_done, .. } = &mut *self.scratch;
        if old == state {
            return;
        }
        let compiled = &self.instructions.compiled;
        let pairs = old.bits.iter().zip(&state.bits).enumerate();
        for (index, (old, new)) in pairs {
            let mut changed = old ^ new;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let value = (new >> bit & 1).wrapping_neg();
                words.set(compiled.fluents.get(index * 64 + bit as usize), [value]);
            }
        }
        words.run(compiled, LEGAL);
        old.clone_from(state);
        (*goals_done, *next_done, *sees_done) = (false, false, false);
        self.make(&[]);
    }

    fn is_terminal(&mut self) -> bool {
        self.scratch.words.get(self.instructions.codes.terminal)[0] & 1 == 1
    }

    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        if let Some(codes) = self.instructions.codes.legal.get(role.0 as usize) {
            moves.extend(holding(&self.scratch.words, codes));
        }
    }

    fn next(&mut self, joint: &[MoveId]) -> State {
        let mut next = State::new(self.rules.game.fluents.len(), 0);
        self.put_next(joint, &mut next);
        next
    }

    fn step(&mut self, joint: &[MoveId]) {
        let mut next = std::mem::take(&mut self.scratch.spare);
        next.bits.fill(0);
        self.put_next(joint, &mut next);
        self.go(&next);
        self.scratch.spare = next;
    }

    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let mut percepts = Vec::new();
        self.percepts_into(joint, role, &mut percepts);
        percepts
    }

    fn percepts_into(&mut self, joint: &[MoveId], role: RoleId, percepts: &mut Vec<PerceptId>) {
        let Some(codes) = self.instructions.codes.sees.get(role.0 as usize) else { return };
        self.perceive(joint);
        percepts.extend(holding(&self.scratch.words, codes));
    }

    fn goals(&mut self, role: RoleId) -> Vec<i64> {
        let Some(codes) = self.instructions.codes.goals.get(role.0 as usize) else { return Vec::new() };
        if !std::mem::replace(&mut self.scratch.goals_done, true) {
            self.scratch.words.run(&self.instructions.compiled, GOALS);
        }
        let mut values: Vec<i64> = holding(&self.scratch.words, codes).collect();
        values.dedup();
        values
    }

    fn fact(&mut self, atom: &Term) -> Option<bool> {
        self.rules.fluent_named(atom).map(|fluent| self.scratch.state.has(fluent))
    }
}

impl Rules for GroundRules {
    fn initial(&self) -> State {
        self.game.initial.clone()
    }

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        let mut position =
            Position { rules: self, instructions: self.instructions(), scratch: self.pool.lend(|| self.scratch()) };
        position.go(state);
        Box::new(position)
    }
}

impl Names for GroundRules {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        term(&self.game, self.game.fluents.get(fluent.0 as usize), fluent.0)
    }

    fn move_term(&self, role: RoleId, mv: MoveId) -> Term {
        term(&self.game, self.game.moves[role.0 as usize].get(mv.0 as usize), mv.0)
    }

    fn percept_term(&self, role: RoleId, percept: PerceptId) -> Term {
        term(&self.game, self.game.percepts[role.0 as usize].get(percept.0 as usize), percept.0)
    }

    fn move_named(&self, role: RoleId, name: &Term) -> Option<MoveId> {
        let ids = self.ids().moves.get(role.0 as usize)?;
        ids.get(&find_term(&self.game.terms, name)?).map(|&id| MoveId(id))
    }

    fn percept_named(&self, role: RoleId, name: &Term) -> Option<PerceptId> {
        let ids = self.ids().percepts.get(role.0 as usize)?;
        ids.get(&find_term(&self.game.terms, name)?).map(|&id| PerceptId(id))
    }

    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        self.ids().fluents.get(&find_term(&self.game.terms, name)?).map(|&id| FluentId(id))
    }

    fn fluent_count(&self) -> usize {
        self.game.fluents.len()
    }
}

impl Play for GroundRules {
    fn playouts(&self) -> Option<&Playouts> {
        Some(self.playouts.get_or_init(|| Playouts::shrunk(&self.ground, &self.game.initial)))
    }

    fn bit_round(&self) -> Option<Arc<BitRound>> {
        Some(Arc::new(self.in_bits()))
    }

    fn lanes(&self) -> Option<Lanes<'_>> {
        Some(Lanes::new(self, self.instructions()))
    }

    fn playouts_of_many(&self) -> Option<&Playouts> {
        let few = self.playouts()?;
        let many = self.for_many.get_or_init(|| few.for_many(&self.ground, &self.game.initial));
        Some(many.playouts.as_ref().unwrap_or(few))
    }

    fn given_up(&self) -> Option<String> {
        self.for_many.get()?.given_up.as_ref().map(ToString::to_string)
    }
}

impl Structure for GroundRules {
    fn kept(&self) -> Option<&Arc<Ground>> {
        Some(&self.ground)
    }

    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        let ground = match (scope.possible, scope.certain) {
            (None, None) => self.ground.clone(),
            _ => Arc::new(self.restricted(scope)),
        };
        match scope.budget {
            Some(budget) if ground.circuit.nodes().len() > budget => {
                let what = format!("one round has {} circuit nodes", ground.circuit.nodes().len());
                Err(TooLarge { what, limit: Limit::Nodes(budget) })
            }
            _ => Ok(ground),
        }
    }
}

impl GroundRules {
    /// The round's circuit with the fluents and moves that `scope` decides folded away.
    fn restricted(&self, scope: &Scope<'_>) -> Ground {
        let mut ground = Ground::clone(&self.ground);
        let fluent = |fluent: FluentId| match (scope.possible, scope.certain) {
            (Some(possible), _) if !possible.has(fluent) => Some(false),
            (_, Some(certain)) if certain.has(fluent) => Some(true),
            _ => None,
        };
        ground.substitute(&|node| match node {
            Node::Fluent(id) => fluent(*id),
            _ => None,
        });
        let dead: Vec<Vec<bool>> = ground
            .moves
            .iter()
            .zip(&self.game.moves)
            .map(|(moves, names)| {
                let mut dead = vec![true; names.len()];
                moves
                    .iter()
                    .filter(|(_, gate)| *gate != crate::circuit::Lit::FALSE)
                    .for_each(|(mv, _)| dead[mv.0 as usize] = false);
                dead
            })
            .collect();
        ground.substitute(&|node| match node {
            Node::Move(role, mv) if dead[role.0 as usize][mv.0 as usize] => Some(false),
            _ => None,
        });
        let falsehood = crate::circuit::Lit::FALSE;
        ground.moves.iter_mut().for_each(|moves| moves.retain(|(_, gate)| *gate != falsehood));
        ground.next.retain(|(_, gate)| *gate != falsehood);
        ground.sees.iter_mut().for_each(|sees| sees.retain(|(_, gate)| *gate != falsehood));
        ground.goals.iter_mut().for_each(|goals| goals.retain(|(_, gate)| *gate != falsehood));
        debug_assert!(ground.roots().iter().all(|lit| (lit.node() as usize) < ground.circuit.nodes().len()));
        ground
    }
}

fn holding<K: Copy>(words: &Words<1>, codes: &[(K, u32)]) -> impl Iterator<Item = K> {
    codes.iter().filter(|(_, code)| words.get(*code)[0] & 1 == 1).map(|(key, _)| *key)
}

fn term(game: &GroundGame, term: Option<&TermId>, id: u32) -> Term {
    term.map_or_else(|| Term::word(format!("#{id}")), |&term| game.terms.term(term))
}
