//! The engine behind the interface every game has.

use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use super::{
    engine::Engine,
    eval::Location,
    ground,
    interned::{Moves, Percepts},
    layout::Layout,
    model::*,
    names::key,
    plan::{Cond, Plan, bit},
    random, reach,
    step::{Bindings, Changes},
    supply, turns,
};
use crate::play::{Limits, MatchRecord, Stream};
use crate::{FluentId, Ground, JointMove, MoveId, PerceptId, RoleId, Rules, Scope, State, TooLarge};

/// POGDDL's rules: lifted operators over one engine.
pub(crate) struct Operators {
    pub engine: Engine,
    pub ends_at_payoff: bool,
    /// See [`turns::is_exclusive`].
    pub is_turn_exclusive: bool,
    /// The precondition of each schema over a full binding.
    pub preconditions: Vec<Cond>,
    moves: RwLock<Moves>,
    percepts: RwLock<Percepts>,
    /// Plans of schemas some of whose parameters are bound from outside.
    plans: RwLock<Plans>,
    reachable: OnceLock<Option<Vec<u64>>>,
}

/// By schema and the mask of bound slots.
type Plans = FxHashMap<(u16, u64), Arc<Plan>>;

/// A lock's data is whole even if a thread panicked while holding it: interning only appends.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

impl Operators {
    pub fn new(engine: Engine, ends_at_payoff: bool) -> Operators {
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
        }
    }

    /// The plan of a schema whose slots in `bound` have values already.
    pub fn plan(&self, schema: u16, bound: u64) -> Arc<Plan> {
        if let Some(plan) = read(&self.plans).get(&(schema, bound)) {
            return plan.clone();
        }
        let lowered = &self.engine.model.schemas[schema as usize];
        let plan = Arc::new(self.engine.compiler().plan(&lowered.params, &lowered.precondition, bound));
        write(&self.plans).entry((schema, bound)).or_insert(plan).clone()
    }

    /// Everything that can ever hold, found once; `None` where that takes too long.
    pub fn reachable(&self, limit: usize) -> Option<Vec<u64>> {
        self.reachable.get_or_init(|| reach::reachable(&self.engine, limit)).clone()
    }

    /// The number of a ground action, new or known.
    pub fn intern_move(&self, schema: u16, args: &[Obj]) -> MoveId {
        let ids = self.intern_moves(std::iter::once((schema, args)));
        ids[0]
    }

    fn intern_moves<'a>(&self, moves: impl Iterator<Item = (u16, &'a [Obj])>) -> Vec<MoveId> {
        let mut ids = Vec::with_capacity(moves.size_hint().0);
        let mut missing = Vec::new();
        let mut action: Vec<Obj> = Vec::new();
        {
            let known = read(&self.moves);
            for (index, (schema, args)) in moves.enumerate() {
                action.clear();
                action.push(schema);
                action.extend_from_slice(args);
                match known.find(&action) {
                    Some(id) => ids.push(MoveId(id)),
                    None => {
                        ids.push(MoveId::NOOP);
                        missing.push((index, action.clone()));
                    }
                }
            }
        }
        if !missing.is_empty() {
            let mut known = write(&self.moves);
            for (index, action) in missing {
                ids[index] = MoveId(known.intern(&action));
            }
        }
        ids
    }

    /// The number of a message at a place of the list a role gets.
    pub fn intern_percept(&self, place: usize, message: &[u32]) -> PerceptId {
        let mut percept = vec![place as u32];
        percept.extend_from_slice(message);
        let known = read(&self.percepts).find(&percept);
        PerceptId(known.unwrap_or_else(|| write(&self.percepts).intern(&percept)))
    }

    /// Place, head and arguments.
    pub fn percept(&self, percept: PerceptId) -> Option<Vec<u32>> {
        read(&self.percepts).get(percept.0).map(<[u32]>::to_vec)
    }

    /// The schema and arguments of a move.
    pub fn action(&self, mv: MoveId) -> Option<(u16, Vec<Obj>)> {
        let moves = read(&self.moves);
        let (&schema, args) = moves.get(mv.0)?.split_first()?;
        Some((schema, args.to_vec()))
    }

    /// The one action of a joint move.
    fn acting(&self, joint: &[MoveId]) -> Option<(u16, Vec<Obj>)> {
        joint.iter().find(|&&mv| mv != MoveId::NOOP).and_then(|&mv| self.action(mv))
    }

    fn words(&self, words: impl Iterator<Item = u32>) -> String {
        let words: Vec<&str> = words.map(|word| self.engine.model.words[word as usize].as_str()).collect();
        format!("({})", words.join(" "))
    }

    pub(super) fn atom_name(&self, symbol: &Symbol, layout: &Layout, id: u32) -> String {
        let mut name = format!("({}", symbol.name);
        for object in layout.args(id) {
            name.push(' ');
            name.push_str(&self.engine.model.objects[object as usize]);
        }
        name.push(')');
        name
    }

    fn register_name(&self, register: u32) -> String {
        let engine = &self.engine;
        let changed = (0..engine.functions.len()).filter(|&id| engine.values[id].is_none());
        for id in changed {
            let layout = &engine.functions[id];
            if (layout.base..layout.base + layout.size as u32).contains(&register) {
                return self.atom_name(&engine.model.functions[id], layout, register);
            }
        }
        format!("(register {register})")
    }

    /// Reads `(name word ...)`, with or without the parentheses.
    pub(super) fn tokens(name: &str) -> Option<Vec<String>> {
        let inner = name.trim();
        let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(inner);
        if inner.contains(['(', ')']) {
            return None;
        }
        let tokens: Vec<String> = inner.split_whitespace().map(|token| key(token).to_string()).collect();
        (!tokens.is_empty()).then_some(tokens)
    }

    pub(super) fn object(&self, name: &str) -> Option<Obj> {
        let objects = &self.engine.model.objects;
        objects.binary_search_by(|known| known.as_str().cmp(name)).ok().map(|index| index as Obj)
    }

    fn word(&self, name: &str) -> Option<u32> {
        let model = &self.engine.model;
        let of_message = || model.words.iter().skip(model.objects.len()).position(|known| known == name);
        self.object(name).map(u32::from).or_else(|| of_message().map(|index| (index + model.objects.len()) as u32))
    }

    fn find_percept_at(&self, place: usize, name: &str) -> Option<PerceptId> {
        let words: Option<Vec<u32>> = Self::tokens(name)?.iter().map(|token| self.word(token)).collect();
        Some(self.intern_percept(place, &words?))
    }
}

impl Rules for Operators {
    fn initial(&self) -> State {
        self.engine.initial.clone()
    }

    fn terminal(&self, state: &State) -> bool {
        let mut buffer = Vec::new();
        let world = self.engine.world(self.engine.extended(state, &mut buffer), state);
        (self.ends_at_payoff && self.engine.is_paid(world)) || !self.engine.can_move(world)
    }

    fn legal(&self, state: &State, role: RoleId) -> Vec<MoveId> {
        let mut buffer = Vec::new();
        let world = self.engine.world(self.engine.extended(state, &mut buffer), state);
        if self.engine.mover(world.upper) != Some(role.0 as usize) {
            return vec![MoveId::NOOP];
        }
        let mut bindings = Bindings::default();
        self.engine.bindings(world, &mut bindings);
        self.intern_moves(bindings.iter())
    }

    fn next(&self, state: &State, joint: &[MoveId]) -> State {
        let mut next = state.clone();
        if let Some((schema, args)) = self.acting(joint) {
            let mut buffer = Vec::new();
            let world = self.engine.world(self.engine.extended(state, &mut buffer), state);
            let mut changes = Changes::default();
            self.engine.changes(world, schema, &args, &mut changes);
            self.engine.write(&changes, &mut next);
        }
        next
    }

    fn percepts(&self, state: &State, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let Some((schema, args)) = self.acting(joint) else { return Vec::new() };
        let mut buffer = Vec::new();
        let world = self.engine.world(self.engine.extended(state, &mut buffer), state);
        let messages = self.engine.messages(world, schema, &args, role.0 as usize);
        messages.iter().enumerate().map(|(place, message)| self.intern_percept(place, message)).collect()
    }

    fn goals(&self, state: &State, role: RoleId) -> Vec<i64> {
        let mut buffer = Vec::new();
        let world = self.engine.world(self.engine.extended(state, &mut buffer), state);
        vec![self.engine.payoff(world, role.0 as usize)]
    }

    fn fluent_name(&self, fluent: FluentId) -> String {
        let engine = &self.engine;
        for (id, layout) in engine.predicates.iter().enumerate() {
            let ids = layout.base..layout.base.saturating_add(layout.size.min(u32::MAX as u64) as u32);
            if engine.tables[id].is_none() && ids.contains(&fluent.0) {
                return self.atom_name(&engine.model.predicates[id], layout, fluent.0);
            }
        }
        for (register, location) in engine.locations.iter().enumerate() {
            if let Location::Bits { first, low, len } = *location
                && (first..first + len).contains(&fluent.0)
            {
                let value = low + (fluent.0 - first) as i64;
                return format!("(= {} {value})", self.register_name(register as u32));
            }
        }
        format!("(fluent {})", fluent.0)
    }

    fn move_name(&self, _role: RoleId, mv: MoveId) -> String {
        match self.action(mv) {
            None => "noop".to_owned(),
            Some((schema, args)) => {
                let mut name = format!("({}", self.engine.model.schemas[schema as usize].name);
                for object in args {
                    name.push(' ');
                    name.push_str(&self.engine.model.objects[object as usize]);
                }
                name.push(')');
                name
            }
        }
    }

    fn percept_name(&self, _role: RoleId, percept: PerceptId) -> String {
        match self.percept(percept) {
            Some(words) => self.words(words.into_iter().skip(1)),
            None => format!("(percept {})", percept.0),
        }
    }

    fn find_move(&self, _role: RoleId, name: &str) -> Option<MoveId> {
        let tokens = Self::tokens(name)?;
        if tokens == ["noop"] {
            return Some(MoveId::NOOP);
        }
        let schemas = &self.engine.model.schemas;
        let schema = schemas.iter().position(|schema| schema.name == tokens[0])?;
        let args: Vec<Obj> = tokens[1..].iter().map(|token| self.object(token)).collect::<Option<_>>()?;
        let params = &schemas[schema].params;
        let is_typed = args.len() == params.len() && args.iter().zip(params).all(|(arg, var)| var.domain.contains(arg));
        is_typed.then(|| self.intern_move(schema as u16, &args))
    }

    fn find_percept(&self, _role: RoleId, name: &str) -> Option<PerceptId> {
        self.find_percept_at(0, name)
    }

    fn find_percepts(&self, _role: RoleId, names: &[&str]) -> Option<Vec<PerceptId>> {
        names.iter().enumerate().map(|(place, name)| self.find_percept_at(place, name)).collect()
    }

    fn playout(&self, _roles: usize, state: &mut State, limit: usize, rng: &mut dyn rand::RngCore) -> usize {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        self.engine.play(state, self.ends_at_payoff, &mut random::Drawn { limit, rng }).0 as usize
    }

    fn random_match(
        &self,
        limits: &Limits,
        stream: &mut Stream,
        record: &mut MatchRecord,
        moves: Option<&mut Vec<JointMove>>,
    ) -> Option<State> {
        let mut state = self.engine.initial.clone();
        let moves = moves.map(|moves| (moves, |schema, args: &[Obj]| self.intern_move(schema, args)));
        let mut watch = random::Recorded { limits, stream, record, moves };
        let (rounds, terminal) = self.engine.play(&mut state, self.ends_at_payoff, &mut watch);
        (record.rounds, record.terminal) = (rounds, terminal);
        Some(state)
    }

    fn find_fluent(&self, name: &str) -> Option<FluentId> {
        let engine = &self.engine;
        let Some(tokens) = Self::tokens(name) else { return self.find_number(name) };
        let id = engine.model.predicates.iter().position(|symbol| symbol.name == tokens[0])?;
        let args: Vec<Obj> = tokens[1..].iter().map(|token| self.object(token)).collect::<Option<_>>()?;
        let layout = &engine.predicates[id];
        if engine.tables[id].is_some() || args.len() != layout.positions.len() {
            return None;
        }
        layout.id(&args).filter(|&id| id < engine.fluent_count).map(FluentId)
    }

    fn fluent_count(&self) -> usize {
        self.engine.fluent_count as usize
    }

    fn register_names(&self) -> Vec<String> {
        let words = self.engine.locations.iter().enumerate();
        words
            .filter(|(_, location)| matches!(location, Location::Word(_)))
            .map(|(register, _)| self.register_name(register as u32))
            .collect()
    }

    fn constants(&self) -> Vec<String> {
        self.constant_names()
    }

    fn fact(&self, state: &State, atom: &str) -> Option<bool> {
        self.holds(state, atom)
    }

    fn number(&self, state: &State, term: &str) -> Option<i64> {
        self.value(state, term)
    }

    fn is_turn_exclusive(&self) -> bool {
        self.is_turn_exclusive
    }

    fn used_up(&self, stop: &dyn Fn() -> bool) -> Option<crate::bound::Bound> {
        supply::bound(self, stop)
    }

    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        ground::ground(self, scope)
    }

    fn position(&self, scope: &Scope<'_>, role: RoleId) -> Result<Arc<Ground>, TooLarge> {
        ground::position(self, scope, role)
    }
}

impl Operators {
    /// `(= (score p1) 3)`.
    fn find_number(&self, name: &str) -> Option<FluentId> {
        let inner = name.trim().strip_prefix('(')?.strip_suffix(')')?.trim().strip_prefix('=')?;
        let (term, value) = inner.rsplit_once(char::is_whitespace)?;
        let value: i64 = value.trim().parse().ok()?;
        let tokens = Self::tokens(term)?;
        let engine = &self.engine;
        let id = engine.model.functions.iter().position(|symbol| symbol.name == tokens[0])?;
        let args: Vec<Obj> = tokens[1..].iter().map(|token| self.object(token)).collect::<Option<_>>()?;
        let layout = &engine.functions[id];
        if engine.values[id].is_some() || args.len() != layout.positions.len() {
            return None;
        }
        match engine.locations[layout.id(&args)? as usize] {
            Location::Bits { first, low, len } if (low..low + len as i64).contains(&value) => {
                Some(FluentId(first + (value - low) as u32))
            }
            _ => None,
        }
    }
}
