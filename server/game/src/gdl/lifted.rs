//! The lifted reasoner: evaluates the rules afresh in every state. Slow, needs no grounding.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

use rustc_hash::FxHashMap;

use super::Grounding;
use super::names::{compare, make_term};
use super::prepare::{OUTPUTS, Prepared, too_much};
use super::program::RelationId;
use super::saturate::{Limits, Saturation};
use super::table::Table;
use crate::terms::{TermId, Terms};
use crate::{FluentId, GameError, Ground, MoveId, PerceptId, RoleId, Rules, Scope, State, TooLarge};

/// Terms of one kind with the ids handed out to them.
#[derive(Default, Debug)]
struct Ids {
    terms: Vec<TermId>,
    ids: FxHashMap<TermId, u32>,
}

impl Ids {
    fn id(&mut self, term: TermId) -> u32 {
        *self.ids.entry(term).or_insert_with(|| {
            self.terms.push(term);
            self.terms.len() as u32 - 1
        })
    }

    fn show(&self, terms: &Terms, id: u32) -> String {
        self.terms.get(id as usize).map_or_else(|| format!("#{id}"), |&term| terms.show(term))
    }
}

/// GDL-II rules interpreted state by state.
pub struct Lifted {
    core: Mutex<Core>,
    /// Why the game was not ground.
    why: String,
}

struct Core {
    prepared: Prepared,
    limits: Limits,
    /// By component, made when it is first evaluated: then the sizes of the relations it reads are known.
    plans: Vec<Option<Arc<Saturation>>>,
    /// By output relation: the components to evaluate, in order.
    cones: FxHashMap<RelationId, Arc<[usize]>>,
    fluents: Ids,
    moves: Vec<Ids>,
    percepts: Vec<Ids>,
    initial: State,
    /// The state and the moves that the tables are about.
    state: Option<State>,
    joint: Option<Vec<MoveId>>,
    /// By component: evaluated for this state (and joint move).
    done: Vec<bool>,
    /// The first evaluation that broke a limit.
    fault: Option<GameError>,
}

impl Lifted {
    /// A reasoner over a prepared description.
    pub fn new(prepared: Prepared, limits: Limits) -> Lifted {
        let strata = prepared.strata.clone();
        let plans = vec![None; strata.components.len()];
        let cones = OUTPUTS.iter().map(|&output| (output, strata.cone(&prepared.program, &[output]).into())).collect();
        let initial_terms: Vec<TermId> = prepared.tables[RelationId::INIT.index()].rows().map(|row| row[0]).collect();
        let roles = prepared.roles.len();
        let mut core = Core {
            done: vec![false; strata.components.len()],
            prepared,
            limits,
            plans,
            cones,
            fluents: Ids::default(),
            moves: (0..roles).map(|_| Ids::default()).collect(),
            percepts: (0..roles).map(|_| Ids::default()).collect(),
            initial: State::default(),
            state: None,
            joint: None,
            fault: None,
        };
        core.initial = core.state_of(initial_terms);
        Lifted { core: Mutex::new(core), why: "it was asked for without its circuit".into() }
    }

    /// The same reasoner, able to say why the game was not ground.
    pub fn because(self, why: String) -> Lifted {
        Lifted { why, ..self }
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        // A panic elsewhere leaves only a cache behind that `prepare` below rebuilds.
        self.core.lock().unwrap_or_else(|poisoned| {
            let mut core = poisoned.into_inner();
            core.state = None;
            core
        })
    }
}

impl Lifted {
    /// Runs `f` on the tables for a state and moves given by name, all outputs evaluated. Names that the description
    /// does not have are left out.
    pub(super) fn with_facts<T>(
        &self,
        fluents: &[String],
        moves: &[(String, String)],
        f: impl FnOnce(&mut Prepared) -> T,
    ) -> T {
        let mut core = self.core();
        let terms = fluents.iter().filter_map(|name| make_term(&mut core.prepared.program.terms, name)).collect();
        let state = core.state_of(terms);
        let joint: Vec<MoveId> = (0..core.prepared.roles.len())
            .map(|role| {
                let name = &core.prepared.roles[role].name;
                let mv = moves.iter().find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, mv)| mv);
                let term = mv.and_then(|mv| make_term(&mut core.prepared.program.terms, mv));
                term.map_or(MoveId::NOOP, |term| MoveId(core.moves[role].id(term)))
            })
            .collect();
        for output in OUTPUTS {
            core.evaluate(&state, Some(&joint), output);
        }
        f(&mut core.prepared)
    }
}

impl Core {
    fn terms(&self) -> &Terms {
        &self.prepared.program.terms
    }

    /// The state with exactly these fluents. Words after the last true fluent are cut off, so equal states are equal
    /// whatever fluents were seen in between.
    fn state_of(&mut self, mut terms: Vec<TermId>) -> State {
        terms.sort_by(|&left, &right| compare(self.terms(), left, right));
        let ids: Vec<u32> = terms.into_iter().map(|term| self.fluents.id(term)).collect();
        let mut state = State::new(ids.iter().max().map_or(0, |&last| last as usize + 1), 0);
        ids.iter().for_each(|&id| state.set(FluentId(id), true));
        state
    }

    /// Makes the tables be about this state and joint move and evaluates `output`.
    fn evaluate(&mut self, state: &State, joint: Option<&[MoveId]>, output: RelationId) -> &Table {
        if self.state.as_ref() != Some(state) {
            self.clear(|core, relation| !core.prepared.strata.is_static(relation));
            let terms = &self.prepared.program.terms;
            let table = &mut self.prepared.tables[RelationId::TRUE.index()];
            for fluent in state.fluents() {
                if let Some(&term) = self.fluents.terms.get(fluent.0 as usize) {
                    table.insert(terms, &[term]);
                }
            }
            self.state = Some(state.clone());
            self.joint = None;
        }
        if let Some(joint) = joint
            && self.joint.as_deref() != Some(joint)
        {
            self.clear(|core, relation| core.prepared.strata.on_moves[relation.index()]);
            for (role, mv) in joint.iter().enumerate().take(self.moves.len()) {
                if let Some(&term) = self.moves[role].terms.get(mv.0 as usize) {
                    let tuple = [self.prepared.role_terms[role], term];
                    self.prepared.tables[RelationId::DOES.index()].insert(&self.prepared.program.terms, &tuple);
                }
            }
            self.joint = Some(joint.to_vec());
        }
        for &component in self.cones[&output].clone().iter() {
            if std::mem::replace(&mut self.done[component], true) {
                continue;
            }
            if let Some(plan) = self.plan(component) {
                let result = plan.run(&mut self.prepared.program, &mut self.prepared.tables, &self.limits);
                if let Err(exceeded) = result {
                    self.fault.get_or_insert_with(|| too_much(&self.prepared.program, exceeded));
                }
            }
        }
        &self.prepared.tables[output.index()]
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

    /// The second arguments of `output`'s tuples about a role, in an order that depends only on their names.
    fn of_role(&mut self, state: &State, joint: Option<&[MoveId]>, output: RelationId, role: RoleId) -> Vec<TermId> {
        let Some(&role) = self.prepared.role_terms.get(role.0 as usize) else { return Vec::new() };
        let table = self.evaluate(state, joint, output);
        let mut found: Vec<TermId> = table.rows().filter(|row| row[0] == role).map(|row| row[1]).collect();
        found.sort_by(|&left, &right| compare(self.terms(), left, right));
        found
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
        self.core().initial.clone()
    }

    fn terminal(&self, state: &State) -> bool {
        !self.core().evaluate(state, None, RelationId::TERMINAL).is_empty()
    }

    fn legal(&self, state: &State, role: RoleId) -> Vec<MoveId> {
        let mut core = self.core();
        let found = core.of_role(state, None, RelationId::LEGAL, role);
        found.into_iter().map(|term| MoveId(core.moves[role.0 as usize].id(term))).collect()
    }

    fn next(&self, state: &State, joint: &[MoveId]) -> State {
        let mut core = self.core();
        let terms = core.evaluate(state, Some(joint), RelationId::NEXT).rows().map(|row| row[0]).collect();
        core.state_of(terms)
    }

    fn percepts(&self, state: &State, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let mut core = self.core();
        let found = core.of_role(state, Some(joint), RelationId::SEES, role);
        let mut ids: Vec<PerceptId> =
            found.into_iter().map(|term| PerceptId(core.percepts[role.0 as usize].id(term))).collect();
        ids.sort_unstable();
        ids
    }

    fn goals(&self, state: &State, role: RoleId) -> Vec<i64> {
        let mut core = self.core();
        let found = core.of_role(state, None, RelationId::GOAL, role);
        let mut values: Vec<i64> = found.into_iter().filter_map(|term| goal_value(core.terms(), term)).collect();
        values.sort_unstable_by(|left, right| if left == right { Ordering::Equal } else { left.cmp(right) });
        values.dedup();
        values
    }

    fn fluent_name(&self, fluent: FluentId) -> String {
        let core = self.core();
        core.fluents.show(core.terms(), fluent.0)
    }

    fn move_name(&self, role: RoleId, mv: MoveId) -> String {
        let core = self.core();
        core.moves[role.0 as usize].show(core.terms(), mv.0)
    }

    fn percept_name(&self, role: RoleId, percept: PerceptId) -> String {
        let core = self.core();
        core.percepts[role.0 as usize].show(core.terms(), percept.0)
    }

    fn find_move(&self, role: RoleId, name: &str) -> Option<MoveId> {
        let mut core = self.core();
        let term = make_term(&mut core.prepared.program.terms, name)?;
        Some(MoveId(core.moves.get_mut(role.0 as usize)?.id(term)))
    }

    fn find_percept(&self, role: RoleId, name: &str) -> Option<PerceptId> {
        let mut core = self.core();
        let term = make_term(&mut core.prepared.program.terms, name)?;
        Some(PerceptId(core.percepts.get_mut(role.0 as usize)?.id(term)))
    }

    fn find_fluent(&self, name: &str) -> Option<FluentId> {
        let mut core = self.core();
        let term = make_term(&mut core.prepared.program.terms, name)?;
        Some(FluentId(core.fluents.id(term)))
    }

    fn fluent_count(&self) -> usize {
        self.core().fluents.terms.len()
    }

    fn register_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        let budget = scope.budget.unwrap_or(Grounding::default().nodes);
        Err(TooLarge { what: self.why.clone(), budget })
    }

    fn fault(&self) -> Option<GameError> {
        self.core().fault.clone()
    }
}
