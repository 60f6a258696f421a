//! One evaluation of a lifted game: the tables of one state and one joint move.

use std::sync::Arc;

use super::numbers::NumberCache;
use super::way::Way;
use crate::gdl::asking::{Asking, Given, Lasts, Memory};
use crate::gdl::limits::{Exceeded, Limits};
use crate::gdl::prepare::Prepared;
use crate::gdl::program::RelationId;
use crate::gdl::saturate::Saturation;
use crate::terms::TermId;
use crate::{MoveId, State};

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
    /// The queries and their answers, if the way is to query.
    memory: Option<Memory>,
}

impl Core {
    /// An evaluation whose tables are not yet about a state.
    pub(super) fn new(prepared: Prepared, way: Way) -> Core {
        let (roles, components) = (prepared.roles.len(), prepared.strata.components.len());
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
            memory: way.asks().then(|| Memory::new(&prepared.program, |relation| prepared.is_listed(relation))),
            prepared,
        }
    }

    /// Finds the tuples of an output. `cone`: the components it depends on, in order, for the listing way.
    ///
    /// # Errors
    /// The first limit that was exceeded, including the patience of the way; the table then holds a part of the tuples.
    pub(super) fn find(&mut self, output: RelationId, cone: &[usize], limits: &Limits) -> Result<(), Exceeded> {
        let given = self.way.patience(limits).saturating_sub(self.spent);
        let mut fuel = given;
        let result = match self.way.asks() {
            true => self.ask(output, limits, &mut fuel),
            false => self.list(cone, limits, &mut fuel),
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

    /// Queries the tuples of an output, and puts them into its table.
    fn ask(&mut self, output: RelationId, limits: &Limits, fuel: &mut u64) -> Result<(), Exceeded> {
        let Core { prepared, memory: Some(memory), done, .. } = self else { return Ok(()) };
        let component = prepared.strata.components.iter().position(|it| it.relations.contains(&output));
        let Some(component) = component else { return Ok(()) };
        if prepared.is_listed(output) || std::mem::replace(&mut done[component], true) {
            return Ok(());
        }
        let Prepared { program, tables, strata, .. } = prepared;
        let arity = program.relations[output.index()].arity;
        let found = Asking::new(program, tables, strata, memory, limits).all(output, arity, fuel)?;
        let table = &mut tables[output.index()];
        found.iter().for_each(|tuple| _ = table.insert(tuple));
        Ok(())
    }

    /// The tuples of a relation with these arguments; [`UNBOUND`](crate::gdl::program::UNBOUND) matches any term.
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
