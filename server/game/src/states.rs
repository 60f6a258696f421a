//! Distinct states, each stored once.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::State;

/// States numbered in the order of their arrival, each stored once: the store of every search over states.
#[derive(Clone, Debug, Default)]
pub struct States {
    list: Vec<State>,
    /// The numbers of the states, by content.
    ids: HashTable<u32>,
    bytes: usize,
}

impl States {
    /// The number of a state, and true if it is new.
    pub fn insert(&mut self, state: State) -> (u32, bool) {
        let hash = FxBuildHasher.hash_one(&state);
        if let Some(&id) = self.ids.find(hash, |&id| self.list[id as usize] == state) {
            return (id, false);
        }
        let id = self.list.len() as u32;
        self.bytes += States::bytes_of(&state);
        self.list.push(state);
        let list = &self.list;
        self.ids.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&list[id as usize]));
        (id, true)
    }

    /// The number of a state that has arrived.
    pub fn find(&self, state: &State) -> Option<u32> {
        self.ids.find(FxBuildHasher.hash_one(state), |&id| self.list[id as usize] == *state).copied()
    }

    /// All states, by number.
    pub fn list(&self) -> &[State] {
        &self.list
    }

    /// All states, by number, without the lookup table.
    pub fn into_list(self) -> Vec<State> {
        self.list
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if there are no states.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The approximate number of bytes that they take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The approximate number of bytes that one state takes here.
    pub fn bytes_of(state: &State) -> usize {
        8 * (state.bits.len() + state.registers.len()) + size_of::<State>() + 32
    }
}

impl std::ops::Index<u32> for States {
    type Output = State;
    fn index(&self, id: u32) -> &State {
        &self.list[id as usize]
    }
}
