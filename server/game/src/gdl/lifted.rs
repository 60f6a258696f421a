//! The lifted reasoner: evaluates the rules afresh in every state. Slow, needs no grounding.
//!
//! All consequences of a state are listed, layer by layer, until that breaks a limit; from then on only what is asked
//! for is looked for ([`super::asking`]).

mod numbers;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, RwLock};

use rustc_hash::FxHashMap;

use self::numbers::{Ids, Kind, Met, Numbers, read, write};
use super::Grounding;
use super::asking::{Asking, Lasts, Memory};
use super::limits::{Exceeded, Excess, Limits};
use super::names::{compare, make_term};
use super::prepare::{OUTPUTS, Prepared, too_much};
use super::program::RelationId;
use super::saturate::Saturation;
use super::table::Table;
use crate::pool::{Lent, Pool};
use crate::terms::{TermId, Terms};
use crate::{
    Cursor, FluentId, GameError, Ground, MoveId, Names, PerceptId, Play, RoleId, Rules, Scope, State, Structure, Term,
    TooLarge,
};

/// GDL-II rules interpreted state by state.
pub(super) struct Lifted {
    /// What every evaluation starts from.
    prepared: Prepared,
    limits: Limits,
    /// By output relation: the components to evaluate, in order.
    cones: FxHashMap<RelationId, Arc<[usize]>>,
    initial: State,
    numbers: RwLock<Numbers>,
    pool: Pool<Core>,
    /// Whether states have too many consequences to list them all.
    asks: AtomicBool,
    /// The first evaluation that broke a limit.
    fault: OnceLock<GameError>,
    /// Why the game was not ground.
    why: String,
}

/// One evaluation: tables and terms of its own.
struct Core {
    prepared: Prepared,
    /// By component, made when it is first evaluated: then the sizes of the relations it reads are known.
    plans: Vec<Option<Arc<Saturation>>>,
    fluents: Met,
    moves: Vec<Met>,
    percepts: Vec<Met>,
    /// What the tables are about; no state where `is_set` is false.
    state: State,
    is_set: bool,
    joint: Option<Vec<MoveId>>,
    /// By component: evaluated for this state (and joint move).
    done: Vec<bool>,
    /// What was asked, once questions are the way.
    memory: Option<Memory>,
}

impl Lifted {
    /// A reasoner over a prepared description.
    pub(super) fn new(prepared: Prepared, limits: Limits) -> Lifted {
        let cones = OUTPUTS.iter().map(|&output| {
            let cone = prepared.strata.cone(&prepared.program, &[output]);
            (output, cone.into())
        });
        let ids = || prepared.roles.iter().map(|_| Ids::default()).collect();
        let numbers =
            Numbers { terms: prepared.program.terms.clone(), fluents: Ids::default(), moves: ids(), percepts: ids() };
        let initial: Vec<TermId> = prepared.tables[RelationId::INIT.index()].rows().map(|row| row[0]).collect();
        let mut lifted = Lifted {
            cones: cones.collect(),
            initial: State::default(),
            numbers: RwLock::new(numbers),
            pool: Pool::default(),
            asks: AtomicBool::new(prepared.too_much.is_some()),
            fault: OnceLock::new(),
            why: "it was asked for without its circuit".into(),
            prepared,
            limits,
        };
        let initial = lifted.reasoner().state_of(initial);
        lifted.initial = initial;
        lifted
    }

    /// The same reasoner, able to say why the game was not ground.
    pub(super) fn because(self, why: String) -> Lifted {
        Lifted { why, ..self }
    }

    /// The same reasoner, asking from the start.
    pub(super) fn asking(self) -> Lifted {
        Lifted { asks: AtomicBool::new(true), ..self }
    }

    fn reasoner(&self) -> Reasoner<'_> {
        let mut core = self.pool.lend(|| {
            let roles = 0..self.prepared.roles.len();
            Core {
                plans: vec![None; self.prepared.strata.components.len()],
                fluents: Met::default(),
                moves: roles.clone().map(|_| Met::default()).collect(),
                percepts: roles.map(|_| Met::default()).collect(),
                state: State::default(),
                is_set: false,
                joint: None,
                done: vec![false; self.prepared.strata.components.len()],
                prepared: self.prepared.clone(),
                memory: None,
            }
        });
        if core.memory.is_none() && self.asks.load(Ordering::Relaxed) {
            core.start_asking();
        }
        Reasoner { lifted: self, core }
    }

    /// Runs `f` on the tables for a state and moves given by name, all outputs evaluated. Names that the description
    /// does not have are left out.
    pub(super) fn with_facts<T>(
        &self,
        fluents: &[Term],
        moves: &[(String, Term)],
        f: impl FnOnce(&mut Prepared) -> T,
    ) -> T {
        let mut reasoner = self.reasoner();
        let terms = &mut reasoner.core.prepared.program.terms;
        let found = fluents.iter().filter_map(|name| make_term(terms, name)).collect();
        let state = reasoner.state_of(found);
        reasoner.go(&state);
        let of_role = |(id, role): (u16, &crate::Role)| {
            let (_, mv) = moves.iter().find(|(of, _)| of.eq_ignore_ascii_case(&role.name))?;
            self.find(Kind::Move(RoleId(id)), mv).map(MoveId)
        };
        let joint: Vec<MoveId> =
            (0..).zip(&self.prepared.roles).map(|role| of_role(role).unwrap_or(MoveId::NOOP)).collect();
        for output in OUTPUTS {
            reasoner.evaluate(Some(&joint), output);
        }
        f(&mut reasoner.core.prepared)
    }
}

/// A place in a match, with the tables about it.
struct Reasoner<'a> {
    lifted: &'a Lifted,
    core: Lent<'a, Core>,
}

impl Reasoner<'_> {
    fn terms(&self) -> &Terms {
        &self.core.prepared.program.terms
    }

    /// The state with exactly these fluents. Words after the last true fluent are cut off, so equal states are equal
    /// whatever fluents were seen in between.
    fn state_of(&mut self, mut terms: Vec<TermId>) -> State {
        terms.sort_by(|&left, &right| compare(self.terms(), left, right));
        let Core { prepared, fluents, .. } = &mut *self.core;
        let number = |term| fluents.id(Kind::Fluent, &prepared.program.terms, term, &self.lifted.numbers);
        let ids: Vec<u32> = terms.into_iter().map(number).collect();
        let mut state = State::new(ids.iter().max().map_or(0, |&last| last as usize + 1), 0);
        ids.iter().for_each(|&id| state.set(FluentId(id), true));
        state
    }

    /// Makes the tables be about this joint move, if one is given, and evaluates `output`.
    fn evaluate(&mut self, joint: Option<&[MoveId]>, output: RelationId) -> &Table {
        let core = &mut *self.core;
        if let Some(joint) = joint
            && core.joint.as_deref() != Some(joint)
        {
            core.clear(|core, relation| core.prepared.strata.on_moves[relation.index()]);
            core.forget(Lasts::ForTheMoves, &self.lifted.limits);
            for (role, (mv, met)) in joint.iter().zip(&mut core.moves).enumerate() {
                let kind = Kind::Move(RoleId(role as u16));
                let terms = &mut core.prepared.program.terms;
                if let Some(term) = met.term(kind, terms, mv.0, &self.lifted.numbers) {
                    let tuple = [core.prepared.role_terms[role], term];
                    core.prepared.tables[RelationId::DOES.index()].insert(&tuple);
                }
            }
            core.joint = Some(joint.to_vec());
        }
        if core.memory.is_none()
            && let Err(exceeded) = core.list(&self.lifted.cones[&output], &self.lifted.limits)
        {
            if exceeded.excess == Excess::Depth {
                self.lifted.fault.get_or_init(|| too_much(&core.prepared.program, exceeded));
                return &self.core.prepared.tables[output.index()];
            }
            self.lifted.asks.store(true, Ordering::Relaxed);
            core.start_asking();
        }
        if core.memory.is_some()
            && let Err(exceeded) = core.ask(output, &self.lifted.limits)
        {
            self.lifted.fault.get_or_init(|| too_much(&core.prepared.program, exceeded));
        }
        &self.core.prepared.tables[output.index()]
    }

    /// The second arguments of `output`'s tuples about a role, in an order that depends only on their names.
    fn of_role(&mut self, joint: Option<&[MoveId]>, output: RelationId, role: RoleId) -> Vec<TermId> {
        let Some(&role) = self.lifted.prepared.role_terms.get(role.0 as usize) else { return Vec::new() };
        let table = self.evaluate(joint, output);
        let mut found: Vec<TermId> = table.rows().filter(|row| row[0] == role).map(|row| row[1]).collect();
        found.sort_by(|&left, &right| compare(self.terms(), left, right));
        found
    }
}

impl Cursor for Reasoner<'_> {
    fn state(&self) -> &State {
        &self.core.state
    }

    fn go(&mut self, state: &State) {
        let core = &mut *self.core;
        if core.is_set && core.state == *state {
            return;
        }
        core.clear(|core, relation| !core.prepared.strata.is_static(relation));
        core.forget(Lasts::ForTheState, &self.lifted.limits);
        for fluent in state.fluents() {
            let terms = &mut core.prepared.program.terms;
            if let Some(term) = core.fluents.term(Kind::Fluent, terms, fluent.0, &self.lifted.numbers) {
                core.prepared.tables[RelationId::TRUE.index()].insert(&[term]);
            }
        }
        core.state.clone_from(state);
        (core.is_set, core.joint) = (true, None);
    }

    fn is_terminal(&mut self) -> bool {
        !self.evaluate(None, RelationId::TERMINAL).is_empty()
    }

    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        let found = self.of_role(None, RelationId::LEGAL, role);
        let Core { prepared, moves: met, .. } = &mut *self.core;
        let terms = &prepared.program.terms;
        moves.extend(
            found
                .into_iter()
                .map(|term| MoveId(met[role.0 as usize].id(Kind::Move(role), terms, term, &self.lifted.numbers))),
        );
    }

    fn next(&mut self, joint: &[MoveId]) -> State {
        let terms = self.evaluate(Some(joint), RelationId::NEXT).rows().map(|row| row[0]).collect();
        self.state_of(terms)
    }

    fn percepts(&mut self, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let found = self.of_role(Some(joint), RelationId::SEES, role);
        let Core { prepared, percepts: met, .. } = &mut *self.core;
        let terms = &prepared.program.terms;
        let number = |term| met[role.0 as usize].id(Kind::Percept(role), terms, term, &self.lifted.numbers);
        let mut ids: Vec<PerceptId> = found.into_iter().map(number).map(PerceptId).collect();
        ids.sort_unstable();
        ids
    }

    fn goals(&mut self, role: RoleId) -> Vec<i64> {
        let found = self.of_role(None, RelationId::GOAL, role);
        let mut values: Vec<i64> = found.into_iter().filter_map(|term| goal_value(self.terms(), term)).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    fn fact(&mut self, atom: &Term) -> Option<bool> {
        self.lifted.fluent_named(atom).map(|fluent| self.core.state.has(fluent))
    }
}

impl Core {
    /// All consequences that an output needs: the components of its cone, in order.
    fn list(&mut self, cone: &[usize], limits: &Limits) -> Result<(), Exceeded> {
        for &component in cone {
            if std::mem::replace(&mut self.done[component], true) {
                continue;
            }
            if let Some(plan) = self.plan(component) {
                let Prepared { program, tables, .. } = &mut self.prepared;
                plan.run(program, tables, limits)?;
            }
        }
        Ok(())
    }

    /// From now on consequences are not listed; those that were are forgotten.
    fn start_asking(&mut self) {
        let is_given = |relation| matches!(relation, RelationId::TRUE | RelationId::DOES);
        self.clear(|core, relation| !core.prepared.strata.is_static(relation) && !is_given(relation));
        self.memory = Some(Memory::new(&self.prepared.program, |relation| self.prepared.is_listed(relation)));
    }

    /// Asks for the tuples of an output, and puts them into its table.
    fn ask(&mut self, output: RelationId, limits: &Limits) -> Result<(), Exceeded> {
        let Core { prepared, memory: Some(memory), done, .. } = self else { return Ok(()) };
        let component = prepared.strata.components.iter().position(|it| it.relations.contains(&output));
        let Some(component) = component else { return Ok(()) };
        if prepared.is_listed(output) || std::mem::replace(&mut done[component], true) {
            return Ok(());
        }
        let Prepared { program, tables, strata, .. } = prepared;
        let arity = program.relations[output.index()].arity;
        let found = Asking::new(program, tables, strata, memory, limits).all(output, arity)?;
        let table = &mut tables[output.index()];
        found.iter().for_each(|tuple| _ = table.insert(tuple));
        Ok(())
    }

    /// Forgets answers about another state, or about other moves, and all of them where those that stay are too many.
    fn forget(&mut self, lasts: Lasts, limits: &Limits) {
        if let Some(memory) = &mut self.memory {
            memory.forget(if memory.lasting_rows() > limits.rows { Lasts::Always } else { lasts });
        }
    }

    /// The plan of a component; `None` for static ones.
    fn plan(&mut self, index: usize) -> Option<Arc<Saturation>> {
        let Prepared { program, tables, strata, .. } = &mut self.prepared;
        let component = &strata.components[index];
        if component.relations.iter().all(|&relation| strata.is_static(relation)) {
            return None;
        }
        let growing = if component.recursive { &component.relations[..] } else { &[] };
        let plan = self.plans[index]
            .get_or_insert_with(|| Arc::new(Saturation::new(program, tables, &component.rules, growing, &|_| false)));
        Some(plan.clone())
    }

    fn clear(&mut self, which: impl Fn(&Core, RelationId) -> bool) {
        for index in 0..self.prepared.strata.components.len() {
            let relations = self.prepared.strata.components[index].relations.clone();
            for relation in relations {
                if which(self, relation) {
                    self.prepared.tables[relation.index()].clear();
                    self.done[index] = false;
                }
            }
        }
    }
}

/// Goal values are integers written as constants; anything else is no value.
pub(super) fn goal_value(terms: &Terms, term: TermId) -> Option<i64> {
    if terms.args(term).is_some() {
        return None;
    }
    terms.name(terms.functor(term)).parse().ok()
}

impl Rules for Lifted {
    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        let mut reasoner = self.reasoner();
        reasoner.go(state);
        Box::new(reasoner)
    }

    fn fault(&self) -> Option<GameError> {
        self.fault.get().cloned()
    }
}

impl Lifted {
    fn term(&self, kind: Kind, id: u32) -> Term {
        let numbers = read(&self.numbers);
        numbers.of(kind).map_or_else(|| Term::word(format!("#{id}")), |ids| ids.term(&numbers.terms, id))
    }

    fn find(&self, kind: Kind, name: &Term) -> Option<u32> {
        let mut numbers = write(&self.numbers);
        let term = make_term(&mut numbers.terms, name)?;
        numbers.number_own(kind, term)
    }
}

impl Names for Lifted {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        self.term(Kind::Fluent, fluent.0)
    }

    fn move_term(&self, role: RoleId, mv: MoveId) -> Term {
        self.term(Kind::Move(role), mv.0)
    }

    fn percept_term(&self, role: RoleId, percept: PerceptId) -> Term {
        self.term(Kind::Percept(role), percept.0)
    }

    fn move_named(&self, role: RoleId, name: &Term) -> Option<MoveId> {
        self.find(Kind::Move(role), name).map(MoveId)
    }

    fn percept_named(&self, role: RoleId, name: &Term) -> Option<PerceptId> {
        self.find(Kind::Percept(role), name).map(PerceptId)
    }

    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        self.find(Kind::Fluent, name).map(FluentId)
    }

    fn fluent_count(&self) -> usize {
        read(&self.numbers).fluents.terms.len()
    }
}

impl Structure for Lifted {
    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        let budget = scope.budget.unwrap_or(Grounding::default().nodes);
        Err(TooLarge { what: self.why.clone(), budget })
    }
}

impl Play for Lifted {}
