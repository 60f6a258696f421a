//! The numbers of fluents, moves and percepts, given to terms on first use: one table that all evaluations share, and
//! for each evaluation a cache of the numbers that it has used.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use crate::terms::{TermId, Terms};
use crate::{RoleId, Term};

/// Terms of one kind with their ids.
#[derive(Default, Debug)]
pub(super) struct Ids {
    pub(super) terms: Vec<TermId>,
    ids: FxHashMap<TermId, u32>,
}

impl Ids {
    pub(super) fn id(&mut self, term: TermId) -> u32 {
        *self.ids.entry(term).or_insert_with(|| {
            self.terms.push(term);
            self.terms.len() as u32 - 1
        })
    }

    pub(super) fn term(&self, terms: &Terms, id: u32) -> Term {
        self.terms.get(id as usize).map_or_else(|| Term::word(format!("#{id}")), |&term| terms.term(term))
    }
}

/// The kinds of terms that have numbers.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Fluent,
    Move(RoleId),
    Percept(RoleId),
}

/// The numbers that all evaluations share, over terms of their own.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) terms: Terms,
    pub(super) fluents: Ids,
    pub(super) moves: Vec<Ids>,
    pub(super) percepts: Vec<Ids>,
}

impl Numbers {
    pub(super) fn of(&self, kind: Kind) -> Option<&Ids> {
        match kind {
            Kind::Fluent => Some(&self.fluents),
            Kind::Move(role) => self.moves.get(role.0 as usize),
            Kind::Percept(role) => self.percepts.get(role.0 as usize),
        }
    }

    /// The number of a term of another table; adds the term if it is new.
    pub(super) fn number(&mut self, kind: Kind, from: &Terms, term: TermId) -> u32 {
        let term = carry(from, &mut self.terms, term);
        self.number_own(kind, term).expect("evaluations use existing roles only")
    }

    pub(super) fn number_own(&mut self, kind: Kind, term: TermId) -> Option<u32> {
        let ids = match kind {
            Kind::Fluent => Some(&mut self.fluents),
            Kind::Move(role) => self.moves.get_mut(role.0 as usize),
            Kind::Percept(role) => self.percepts.get_mut(role.0 as usize),
        };
        ids.map(|ids| ids.id(term))
    }
}

/// Copies a term into another table.
pub(super) fn carry(from: &Terms, to: &mut Terms, term: TermId) -> TermId {
    let name = from.name(from.functor(term));
    match from.args(term) {
        None => to.constant(name),
        Some(args) => {
            let args: Vec<TermId> = args.iter().map(|&arg| carry(from, to, arg)).collect();
            let functor = to.sym(name);
            to.compound(functor, &args)
        }
    }
}

/// The numbers that one evaluation has used, in both directions, so that each is looked up only once.
#[derive(Default)]
pub(super) struct NumberCache {
    ids: FxHashMap<TermId, u32>,
    terms: FxHashMap<u32, TermId>,
}

impl NumberCache {
    /// True if the number of a term is known.
    pub(super) fn has(&self, term: TermId) -> bool {
        self.ids.contains_key(&term)
    }

    pub(super) fn id(&mut self, kind: Kind, terms: &Terms, term: TermId, numbers: &RwLock<Numbers>) -> u32 {
        *self.ids.entry(term).or_insert_with(|| {
            let id = write(numbers).number(kind, terms, term);
            self.terms.insert(id, term);
            id
        })
    }

    /// The term of a number; `None` if no term has the number.
    pub(super) fn term(&mut self, kind: Kind, terms: &mut Terms, id: u32, numbers: &RwLock<Numbers>) -> Option<TermId> {
        if let Some(&term) = self.terms.get(&id) {
            return Some(term);
        }
        let shared = read(numbers);
        let term = carry(&shared.terms, terms, *shared.of(kind)?.terms.get(id as usize)?);
        self.terms.insert(id, term);
        self.ids.insert(term, id);
        Some(term)
    }
}

/// Locks for reading. A poisoned lock is accepted: numbers are only added, so its data is always valid.
pub(super) fn read(numbers: &RwLock<Numbers>) -> RwLockReadGuard<'_, Numbers> {
    numbers.read().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn write(numbers: &RwLock<Numbers>) -> RwLockWriteGuard<'_, Numbers> {
    numbers.write().unwrap_or_else(PoisonError::into_inner)
}
