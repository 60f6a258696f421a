//! The engine behind the interface of all games.

mod naming;
mod playing;

use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use self::playing::InLanes;
use super::{
    engine::Engine,
    faults::Faults,
    ground,
    interned::{Moves, Percepts},
    model::*,
    plan::{Cond, Plan, bit},
    relaxed::{self, Allowed, Cut},
    step::{Bindings, Changes, Sent},
    supply, turns,
};
use crate::compiled::cursors::Instructions;
use crate::pool::{Lent, Pool};
use crate::{
    BitRound, Budget, Cursor, GameError, Ground, MoveId, PerceptId, RoleId, Rules, Scope, State, Structure, TooLarge,
};

/// POGDDL's rules: lifted operators over one engine.
pub(crate) struct Operators {
    pub engine: Engine,
    pub ends_at_payoff: bool,
    /// True if no two roles ever have the turn; see [`turns::is_exclusive`].
    pub is_turn_exclusive: bool,
    /// The precondition of each schema over a full binding.
    pub preconditions: Vec<Cond>,
    moves: RwLock<Moves>,
    percepts: RwLock<Percepts>,
    /// Plans of schemas some of whose parameters are bound from outside.
    plans: RwLock<Plans>,
    reachable: OnceLock<Result<Vec<u64>, Cut>>,
    /// The game in lanes, once it was needed.
    lanes: OnceLock<Result<InLanes, ground::NoCircuit>>,
    /// The round in which many states advance at once, once it was needed.
    in_bits: OnceLock<Option<Arc<BitRound>>>,
    /// Its instructions for 64 states, if they are few.
    instructions: OnceLock<Option<Instructions>>,
    pool: Pool<Scratch>,
}

/// The working memory of a cursor.
struct Scratch {
    state: State,
    /// The derived atoms, if there are any: valid if `is_extended`.
    extended: Vec<u64>,
    is_extended: bool,
    bindings: Bindings,
    changes: Changes,
    /// Moves that this scratch has used, so that it looks up each in the shared table only once.
    met: FxHashMap<Box<[Obj]>, MoveId>,
    actions: FxHashMap<MoveId, Box<[Obj]>>,
    messages: FxHashMap<Box<[u32]>, PerceptId>,
}

/// The number of moves at which a scratch drops them.
const MOST_MET: usize = 1 << 20;

/// Plans by schema and the mask of bound slots.
type Plans = FxHashMap<(u16, u64), Arc<Plan>>;

/// The data of a lock is valid even if a thread panicked while it held the lock: interning only appends.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

impl Operators {
    pub(super) fn new(engine: Engine, ends_at_payoff: bool) -> Operators {
        let compiler = engine.compiler();
        let all = |schema: &Schema| schema.params.iter().fold(0, |mask, var| mask | bit(var.slot));
        let precondition = |schema: &Schema| compiler.condition(&schema.precondition, all(schema));
        let preconditions = engine.model.schemas.iter().map(precondition).collect();
        Operators {
            is_turn_exclusive: turns::is_exclusive(&engine.model),
            preconditions,
            engine,
            ends_at_payoff,
            moves: RwLock::default(),
            percepts: RwLock::default(),
            plans: RwLock::default(),
            reachable: OnceLock::new(),
            lanes: OnceLock::new(),
            in_bits: OnceLock::new(),
            instructions: OnceLock::new(),
            pool: Pool::default(),
        }
    }

    /// The plan of a schema whose slots in `bound` have values already.
    pub(super) fn plan(&self, schema: u16, bound: u64) -> Arc<Plan> {
        if let Some(plan) = read(&self.plans).get(&(schema, bound)) {
            return plan.clone();
        }
        let lowered = &self.engine.model.schemas[schema as usize];
        let plan = Arc::new(self.engine.compiler().plan(&lowered.params, &lowered.precondition, bound));
        write(&self.plans).entry((schema, bound)).or_insert(plan).clone()
    }

    /// The facts that can ever hold, computed once.
    ///
    /// # Errors
    /// If that takes too long. A later call may have more time.
    pub(super) fn reachable(&self, allowed: Allowed<'_>) -> Result<Vec<u64>, Cut> {
        if let Some(list) = self.reachable.get() {
            return list.clone();
        }
        match relaxed::reachable(&self.engine, allowed) {
            Err(Cut::Time) => Err(Cut::Time),
            found => self.reachable.get_or_init(|| found).clone(),
        }
    }

    /// The number of a ground action, new or known.
    pub(super) fn intern_move(&self, schema: u16, args: &[Obj]) -> MoveId {
        let ids = self.intern_moves(std::iter::once((schema, args)));
        ids[0]
    }

    fn intern_moves<'a>(&self, moves: impl Iterator<Item = (u16, &'a [Obj])>) -> Vec<MoveId> {
        let mut ids = Vec::with_capacity(moves.size_hint().0);
        let mut missing = Vec::new();
        let mut action: Vec<Obj> = Vec::new();
        {
            let table = read(&self.moves);
            for (index, (schema, args)) in moves.enumerate() {
                action.clear();
                action.push(schema);
                action.extend_from_slice(args);
                match table.find(&action) {
                    Some(id) => ids.push(MoveId(id)),
                    None => {
                        ids.push(MoveId::NOOP);
                        missing.push((index, action.clone()));
                    }
                }
            }
        }
        if !missing.is_empty() {
            let mut table = write(&self.moves);
            for (index, action) in missing {
                ids[index] = MoveId(table.intern(&action));
            }
        }
        ids
    }

    /// The number of a message at a place of the list a role gets.
    pub(super) fn intern_percept(&self, place: usize, message: &[u32]) -> PerceptId {
        let mut percept = vec![place as u32];
        percept.extend_from_slice(message);
        let id = read(&self.percepts).find(&percept);
        PerceptId(id.unwrap_or_else(|| write(&self.percepts).intern(&percept)))
    }

    /// Place, head and arguments.
    pub(super) fn percept(&self, percept: PerceptId) -> Option<Vec<u32>> {
        read(&self.percepts).get(percept.0).map(<[u32]>::to_vec)
    }

    /// The schema and arguments of a move.
    pub(super) fn action(&self, mv: MoveId) -> Option<(u16, Vec<Obj>)> {
        let moves = read(&self.moves);
        let (&schema, args) = moves.get(mv.0)?.split_first()?;
        Some((schema, args.to_vec()))
    }
}

/// A place in a match.
struct Position<'a> {
    rules: &'a Operators,
    scratch: Lent<'a, Scratch>,
}

impl Position<'_> {
    /// Evaluates the derived atoms, if that has not been done.
    fn extend(&mut self) {
        let Scratch { state, extended, is_extended, .. } = &mut *self.scratch;
        if !std::mem::replace(is_extended, true) {
            self.rules.engine.extended(state, extended);
        }
    }

    /// The one action of a joint move: its schema and its arguments.
    fn acting(&mut self, joint: &[MoveId]) -> Option<Box<[Obj]>> {
        let &mv = joint.iter().find(|&&mv| mv != MoveId::NOOP)?;
        if let Some(action) = self.scratch.actions.get(&mv) {
            return Some(action.clone());
        }
        let action: Box<[Obj]> = read(&self.rules.moves).get(mv.0)?.into();
        self.scratch.actions.insert(mv, action.clone());
        Some(action)
    }
}

impl Scratch {
    /// The bits to evaluate in: the state's, and the derived atoms.
    fn bits<'a>(&'a self, engine: &Engine) -> &'a [u64] {
        if engine.needs_closure() { &self.extended } else { &self.state.bits }
    }
}

impl Cursor for Position<'_> {
    fn state(&self) -> &State {
        &self.scratch.state
    }

    fn go(&mut self, state: &State) {
        if self.scratch.state != *state {
            self.scratch.state.clone_from(state);
            self.scratch.is_extended = false;
        }
    }

    fn step(&mut self, joint: &[MoveId]) {
        let Some(action) = self.acting(joint) else { return };
        self.extend();
        let engine = &self.rules.engine;
        let mut changes = std::mem::take(&mut self.scratch.changes);
        let world = engine.world(self.scratch.bits(engine), &self.scratch.state);
        engine.changes(world, action[0], &action[1..], &mut changes);
        engine.write(&changes, &mut self.scratch.state);
        (self.scratch.changes, self.scratch.is_extended) = (changes, false);
    }

    fn is_terminal(&mut self) -> bool {
        self.extend();
        let engine = &self.rules.engine;
        let world = engine.world(self.scratch.bits(engine), &self.scratch.state);
        (self.rules.ends_at_payoff && engine.is_paid(world)) || !engine.can_move(world)
    }

    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        self.extend();
        let engine = &self.rules.engine;
        let mut bindings = std::mem::take(&mut self.scratch.bindings);
        let world = engine.world(self.scratch.bits(engine), &self.scratch.state);
        if engine.mover(world.upper) != Some(role.0 as usize) {
            moves.push(MoveId::NOOP);
        } else {
            engine.bindings(world, &mut bindings);
            self.rules.number(&bindings, &mut self.scratch.met, moves);
        }
        self.scratch.bindings = bindings;
    }

    fn next(&mut self, joint: &[MoveId]) -> State {
        let mut next = self.scratch.state.clone();
        if let Some(action) = self.acting(joint) {
            self.extend();
            let engine = &self.rules.engine;
            let mut changes = std::mem::take(&mut self.scratch.changes);
            let world = engine.world(self.scratch.bits(engine), &self.scratch.state);
            engine.changes(world, action[0], &action[1..], &mut changes);
            engine.write(&changes, &mut next);
            self.scratch.changes = changes;
        }
        next
    }

    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let Some(action) = self.acting(joint) else { return Vec::new() };
        self.extend();
        let engine = &self.rules.engine;
        let world = engine.world(self.scratch.bits(engine), &self.scratch.state);
        let sent = engine.messages(world, action[0], &action[1..], role.0 as usize);
        let met = &mut self.scratch.messages;
        let number = |(place, message): (usize, &Sent)| {
            let mut percept = vec![place as u32];
            percept.extend_from_slice(message);
            if let Some(&id) = met.get(&percept[..]) {
                return id;
            }
            let id = self.rules.intern_percept(place, message);
            met.insert(percept.into(), id);
            id
        };
        sent.iter().enumerate().map(number).collect()
    }

    fn goals(&mut self, role: RoleId) -> Vec<i64> {
        self.extend();
        let engine = &self.rules.engine;
        let mut world = engine.world(self.scratch.bits(engine), &self.scratch.state);
        // The payoffs before the end of a match have no effect.
        let faults = Faults::default();
        world.faults = Some(&faults);
        let payoff = engine.payoff(world, role.0 as usize);
        if let Some(error) = faults.first()
            && self.is_terminal()
        {
            self.rules.engine.faults.take(error);
        }
        vec![payoff]
    }

    fn fact(&mut self, atom: &crate::Term) -> Option<bool> {
        self.rules.holds(&self.scratch.state, atom)
    }

    fn number(&mut self, name: &crate::Term) -> Option<i64> {
        self.rules.value(&self.scratch.state, name)
    }
}

impl Operators {
    /// Numbers legal actions: known ones from this cursor's own table, the others from the shared one.
    fn number(&self, bindings: &Bindings, met: &mut FxHashMap<Box<[Obj]>, MoveId>, moves: &mut Vec<MoveId>) {
        let mut action: Vec<Obj> = Vec::new();
        let first = moves.len();
        let mut missing = Vec::new();
        for (index, (schema, args)) in bindings.iter().enumerate() {
            action.clear();
            action.push(schema);
            action.extend_from_slice(args);
            let id = met.get(&action[..]).copied();
            missing.extend(id.is_none().then_some(index));
            moves.push(id.unwrap_or(MoveId::NOOP));
        }
        if missing.is_empty() {
            return;
        }
        if met.len() + missing.len() > MOST_MET {
            met.clear();
        }
        let ids = self.intern_moves(missing.iter().map(|&index| bindings.get(index)));
        for (index, id) in missing.into_iter().zip(ids) {
            moves[first + index] = id;
            let (schema, args) = bindings.get(index);
            let action: Vec<Obj> = std::iter::once(schema).chain(args.iter().copied()).collect();
            met.insert(action.into(), id);
        }
    }
}

impl Rules for Operators {
    fn initial(&self) -> State {
        self.engine.initial.clone()
    }

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        let new = || Scratch {
            state: self.engine.initial.clone(),
            extended: Vec::new(),
            is_extended: false,
            bindings: Bindings::default(),
            changes: Changes::default(),
            met: FxHashMap::default(),
            actions: FxHashMap::default(),
            messages: FxHashMap::default(),
        };
        let mut position = Position { rules: self, scratch: self.pool.lend(new) };
        position.go(state);
        Box::new(position)
    }

    fn fault(&self) -> Option<GameError> {
        self.engine.faults.first()
    }
}

impl Structure for Operators {
    fn is_turn_exclusive(&self) -> bool {
        self.is_turn_exclusive
    }

    fn used_up(&self, budget: &Budget) -> Option<crate::bound::Bound> {
        supply::bound(self, budget)
    }

    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        ground::ground(self, scope)
    }

    fn position(&self, scope: &Scope<'_>, role: RoleId) -> Result<Arc<Ground>, TooLarge> {
        ground::position(self, scope, role)
    }
}
