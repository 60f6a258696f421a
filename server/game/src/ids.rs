//! Numbers that are found by the content that they identify.
//!
//! The content is stored elsewhere, in its own order. The hash of each is therefore kept beside the number: growing the
//! table would otherwise read all content again in random order, and a search would read that of every candidate.

use hashbrown::HashTable;

/// A set of numbers, each with the hash of its content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    table: HashTable<(u32, u32)>,
}

/// Half of a hash. The other half would cost memory; a wrong match is detected when the content is compared.
fn short(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

/// Spreads a short hash to both ends of the bits, which the table uses.
fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Ids {
    /// The number with this hash that `is` accepts.
    pub(crate) fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let key = short(hash);
        self.table.find(spread(key), |&(other, id)| other == key && is(id)).map(|&(_, id)| id)
    }

    /// Adds the number of a new item.
    pub(crate) fn insert(&mut self, hash: u64, id: u32) {
        let key = short(hash);
        self.table.insert_unique(spread(key), (key, id), |&(key, _)| spread(key));
    }

    /// The number with this hash that `is` accepts, or `new`, which is added.
    pub(crate) fn find_or_insert(&mut self, hash: u64, new: u32, mut is: impl FnMut(u32) -> bool) -> u32 {
        let key = short(hash);
        let same = |&(other, id): &(u32, u32)| other == key && is(id);
        self.table.entry(spread(key), same, |&(key, _)| spread(key)).or_insert((key, new)).get().1
    }

    /// Reserves room for `more` further numbers.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.table.reserve(more, |&(key, _)| spread(key));
    }

    /// True if it is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Forgets all numbers.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }
}
