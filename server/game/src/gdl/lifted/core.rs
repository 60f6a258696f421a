//! One evaluation of a lifted game: the tables of one state and one joint move.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::legal::{OfRole, of_roles};
use super::numbers::NumberCache;
use super::way::Way;
use crate::gdl::asking::{Asking, Given, Lasts, Memory};
use crate::gdl::limits::{Exceeded, Limits};
use crate::gdl::names::Ranks;
use crate::gdl::prepare::{OUTPUTS, Prepared};
use crate::gdl::program::{RelationId, UNBOUND};
use crate::gdl::saturate::Saturation;
use crate::terms::TermId;
use crate::{MoveId, RoleId, State};

/// One evaluation, with its own tables and terms.
pub(super) struct Core {
    pub prepared: Prepared,
    /// The plan of each component, made on its first evaluation, when the sizes of the relations that it reads are
    /// known.
    plans: Vec<Option<Arc<Saturation>>>,
    pub fluents: NumberCache,
    pub moves: Vec<NumberCache>,
    pub percepts: Vec<NumberCache>,
    /// The state that the tables are about; invalid if `is_set` is false.
    pub state: State,
    pub is_set: bool,
    pub joint: Option<Vec<MoveId>>,
    /// The way its tables are filled, which never changes.
    pub way: Way,
    /// The number of combinations tried in this state.
    pub spent: u64,
    /// For each component, true if it has been evaluated for this state (and joint move).
    done: Vec<bool>,
    /// The rules of each role's moves, if they can be evaluated role by role.
    pub of_roles: Option<Vec<OfRole>>,
    /// The plans of these rules, and true for those that have been evaluated for this state.
    rules: FxHashMap<usize, (Arc<Saturation>, bool)>,
    /// The outputs that depend on a relation that cannot be listed. They are queried whatever the way.
    unlisted: Vec<RelationId>,
    /// The queries and their answers, if there are any.
    memory: Option<Memory>,
    /// The order of the terms that were sorted.
    pub ranks: Ranks,
}

impl Core {
    /// An evaluation whose tables are not yet about a state.
    pub(super) fn new(prepared: Prepared, way: Way) -> Core {
        let (roles, components) = (prepared.roles.len(), prepared.strata.components.len());
        let is_unlisted = |component: &usize| {
            prepared.strata.components[*component].relations.iter().any(|relation| prepared.unlisted[relation.index()])
        };
        let depends = |output: &RelationId| prepared.strata.cone(&prepared.program, &[*output]).iter().any(is_unlisted);
        let unlisted: Vec<RelationId> = OUTPUTS.into_iter().filter(depends).collect();
        let asks = way.asks() || !unlisted.is_empty();
        let caches = || (0..roles).map(|_| NumberCache::default()).collect();
        Core {
            plans: vec![None; components],
            fluents: NumberCache::default(),
            moves: caches(),
            percepts: caches(),
            state: State::default(),
            is_set: false,
            joint: None,
            way,
            spent: 0,
            done: vec![false; components],
            of_roles: of_roles(&prepared),
            rules: FxHashMap::default(),
            unlisted,
            ranks: Ranks::default(),
            memory: asks.then(|| Memory::new(&prepared.program, |relation| prepared.is_listed(relation))),
            prepared,
        }
    }

    /// Finds the tuples of an output, or at least those about a role. `cone`: the components it depends on, in order,
    /// for the listing way.
    ///
    /// # Errors
    /// The first limit that was exceeded, including the patience of the way; the table then holds a part of the tuples.
    pub(super) fn find(
        &mut self,
        output: RelationId,
        role: Option<RoleId>,
        cone: &[usize],
        limits: &Limits,
    ) -> Result<(), Exceeded> {
        let given = self.way.patience(limits).saturating_sub(self.spent);
        let mut fuel = given;
        let result = match role {
            _ if self.way.asks() || self.unlisted.contains(&output) => self.ask(output, role, limits, &mut fuel),
            Some(role) if output == RelationId::LEGAL && self.of_roles.is_some() => {
                self.list_moves(role, cone, limits, &mut fuel)
            }
            _ => self.list(cone, limits, &mut fuel),
        };
        self.spent += given - fuel;
        result
    }

    /// Lists all consequences that an output needs: the components of its cone.
    fn list(&mut self, cone: &[usize], limits: &Limits, fuel: &mut u64) -> Result<(), Exceeded> {
        for &component in cone {
            if std::mem::replace(&mut self.done[component], true) {
                continue;
            }
            if let Some(plan) = self.plan(component) {
                let Prepared { program, tables, .. } = &mut self.prepared;
                plan.run_on(program, tables, limits, &|_| limits.rows, fuel)?;
            }
        }
        Ok(())
    }

    /// Lists a role's moves: what its rules need, and their heads. `cone`: all components that moves depend on, the
    /// moves themselves at the end.
    fn list_moves(&mut self, role: RoleId, cone: &[usize], limits: &Limits, fuel: &mut u64) -> Result<(), Exceeded> {
        let of_role = self.of_roles.as_ref().and_then(|of_roles| of_roles.get(role.0 as usize));
        let (Some(of_role), Some(&moves)) = (of_role, cone.last()) else { return self.list(cone, limits, fuel) };
        if self.done[moves] {
            return Ok(());
        }
        let (rules, below) = (of_role.rules.clone(), of_role.cone.clone());
        self.list(&below, limits, fuel)?;
        for rule in rules {
            let Core { prepared: Prepared { program, tables, .. }, rules, .. } = &mut *self;
            let plan = || (Arc::new(Saturation::new(program, tables, &[rule], &[], &|_| false)), false);
            let (plan, is_done) = rules.entry(rule).or_insert_with(plan);
            if !std::mem::replace(is_done, true) {
                plan.run_on(program, tables, limits, &|_| limits.rows, fuel)?;
            }
        }
        Ok(())
    }

    /// Queries the tuples of an output, or those about a role, and puts them into its table.
    fn ask(
        &mut self,
        output: RelationId,
        role: Option<RoleId>,
        limits: &Limits,
        fuel: &mut u64,
    ) -> Result<(), Exceeded> {
        let Core { prepared, memory: Some(memory), done, .. } = self else { return Ok(()) };
        let component = prepared.strata.components.iter().position(|it| it.relations.contains(&output));
        let Some(component) = component else { return Ok(()) };
        if prepared.is_listed(output) || done[component] {
            return Ok(());
        }
        done[component] = role.is_none();
        let mut given: Given = Given::from_elem(UNBOUND, prepared.program.relations[output.index()].arity);
        if let Some(role) = role {
            given[0] = prepared.role_terms[role.0 as usize];
        }
        let Prepared { program, tables, strata, .. } = prepared;
        let found = Asking::new(program, tables, strata, memory, limits).about(output, given, fuel)?;
        let table = &mut tables[output.index()];
        found.iter().for_each(|tuple| _ = table.insert(tuple));
        Ok(())
    }

    /// The tuples of a relation with these arguments; [`UNBOUND`] matches any term.
    ///
    /// # Errors
    /// The first limit that was exceeded, if they are queried.
    pub(super) fn matching(
        &mut self,
        relation: RelationId,
        given: &[TermId],
        limits: &Limits,
        fuel: &mut u64,
    ) -> Result<Vec<Given>, Exceeded> {
        let Prepared { program, tables, strata, .. } = &mut self.prepared;
        match &mut self.memory {
            Some(memory) if !memory.is_table(relation) => {
                Asking::new(program, tables, strata, memory, limits).about(relation, given.into(), fuel)
            }
            _ => Ok(tables[relation.index()].matching(given)),
        }
    }

    /// Forgets answers about another state or other moves, and all answers if the lasting ones are too many.
    pub(super) fn forget(&mut self, lasts: Lasts, limits: &Limits) {
        if let Some(memory) = &mut self.memory {
            memory.forget(if memory.lasting_rows() > limits.rows { Lasts::Always } else { lasts });
        }
    }

    /// The rules of a role's moves, if they can be evaluated role by role.
    pub(super) fn of_role_mut(&mut self, role: RoleId) -> Option<&mut OfRole> {
        self.of_roles.as_mut()?.get_mut(role.0 as usize)
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

    /// Empties the tables of the relations that `which` picks.
    pub(super) fn clear(&mut self, which: impl Fn(&Core, RelationId) -> bool) {
        let is_outdated = which(self, RelationId::LEGAL);
        self.rules.values_mut().for_each(|(_, is_done)| *is_done &= !is_outdated);
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
