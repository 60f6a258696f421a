//! Numbers found by what they stand for.
//!
//! What they stand for lies elsewhere, in an order of its own. So the hash of each is kept beside it: a table that grows
//! would otherwise read everything it knows again, in no order at all, and a search every number it comes across.

use hashbrown::HashTable;

/// A set of numbers, each with the hash of what it stands for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    table: HashTable<(u32, u32)>,
}

/// Half of a hash: the other half would cost memory, and a mistaken number is read and dropped.
fn short(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

/// A short hash with all its bits where the table looks: at both ends.
fn spread(short: u32) -> u64 {
    u64::from(short).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Ids {
    /// The number with this hash that `is` accepts.
    pub(crate) fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let key = short(hash);
        self.table.find(spread(key), |&(known, id)| known == key && is(id)).map(|&(_, id)| id)
    }

    /// Adds a number that stands for something new.
    pub(crate) fn insert(&mut self, hash: u64, id: u32) {
        let key = short(hash);
        self.table.insert_unique(spread(key), (key, id), |&(key, _)| spread(key));
    }

    /// Makes room for so many more numbers.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.table.reserve(more, |&(key, _)| spread(key));
    }

    /// Whether it has no number.
    pub(crate) fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Forgets all numbers.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }
}
