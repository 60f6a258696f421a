//! Moves and percepts get their numbers on first use.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::model::Obj;

/// A table of values numbered in the order of their arrival.
#[derive(Default)]
pub(crate) struct Interner<U> {
    ids: FxHashMap<Box<[U]>, u32>,
    list: Vec<Box<[U]>>,
}

impl<U: Hash + Eq + Clone> Interner<U> {
    pub(super) fn find(&self, value: &[U]) -> Option<u32> {
        self.ids.get(value).copied()
    }

    pub(super) fn intern(&mut self, value: &[U]) -> u32 {
        if let Some(id) = self.find(value) {
            return id;
        }
        let id = self.list.len() as u32;
        self.list.push(value.into());
        self.ids.insert(value.into(), id);
        id
    }

    pub(super) fn get(&self, id: u32) -> Option<&[U]> {
        self.list.get(id as usize).map(|value| &**value)
    }
}

/// Ground actions: the schema's number followed by the arguments.
pub(crate) type Moves = Interner<Obj>;

/// Percepts: the place in the list of messages, the head, the arguments.
pub(crate) type Percepts = Interner<u32>;
