//! Numbers that are found by the content that they identify.
//!
//! The content is stored elsewhere, in its own order. The hash of each is therefore kept beside the number: growing the
//! table would otherwise read all content again in random order, and a search would read that of every candidate.

/// A set of numbers, each with the hash of its content. A number's slot is found by the first bits of its hash, or is one
/// of the next ones: a search mostly reads one line of the cache, and slots are in the order of their hashes, so a table
/// that grows is copied from the first slot to the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    /// A short hash above a number, or [`EMPTY`]. The length is 0 or a power of two, and at least a quarter is empty.
    slots: Vec<u64>,
    len: usize,
}

/// A slot without a number: all numbers are less.
const EMPTY: u64 = u64::MAX;

/// The slots of a table with few numbers.
const FEW: usize = 8;

/// Half of a hash, with its bits spread. The other half would cost memory; a wrong match is detected when the content is
/// compared.
fn short(hash: u64) -> u32 {
    ((hash ^ hash >> 32) as u32).wrapping_mul(0x9e37_79b9)
}

fn id_of(slot: u64) -> u32 {
    slot as u32
}

fn key_of(slot: u64) -> u32 {
    (slot >> 32) as u32
}

impl Ids {
    /// The index of the slot of the number with this key that `is` accepts, or of the empty slot where it would be.
    /// There must be slots.
    #[inline]
    fn search(&self, key: u32, mut is: impl FnMut(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = start(key, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot == EMPTY || key_of(slot) == key && is(id_of(slot)) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number with this hash that `is` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.search(short(hash), is)];
        (slot != EMPTY).then_some(id_of(slot))
    }

    /// Adds the number of a new item.
    pub(crate) fn insert(&mut self, hash: u64, id: u32) {
        self.find_or_insert(hash, id, |_| false);
    }

    /// The number with this hash that `is` accepts, or `new`, which is added.
    #[inline]
    pub(crate) fn find_or_insert(&mut self, hash: u64, new: u32, is: impl FnMut(u32) -> bool) -> u32 {
        if self.len >= self.slots.len() / 4 * 3 {
            self.grow(self.len + 1);
        }
        let key = short(hash);
        let at = self.search(key, is);
        if self.slots[at] == EMPTY {
            debug_assert_ne!(new, u32::MAX, "a number that is never used");
            self.slots[at] = u64::from(key) << 32 | u64::from(new);
            self.len += 1;
        }
        id_of(self.slots[at])
    }

    /// Reserves room for `more` further numbers.
    pub(crate) fn reserve(&mut self, more: usize) {
        if self.len + more > self.slots.len() / 4 * 3 {
            self.grow(self.len + more);
        }
    }

    /// Moves all numbers to a table with room for `count`.
    #[cold]
    fn grow(&mut self, count: usize) {
        let slots = (count / 3 * 4 + FEW).next_power_of_two();
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; slots]);
        for slot in old.into_iter().filter(|slot| *slot != EMPTY) {
            let at = self.search(key_of(slot), |_| false);
            self.slots[at] = slot;
        }
    }

    /// True if it is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all numbers.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.len = 0;
    }
}

/// The first slot of a key, by the first bits of it.
#[inline]
fn start(key: u32, slots: usize) -> usize {
    ((u64::from(key) * slots as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_after_every_growth() {
        // Many contents share a hash, some of them one of the last slots.
        let hash = |content: u32| if content.is_multiple_of(5) { u64::MAX / 7 } else { u64::from(content / 3) << 7 };
        let mut ids = Ids::default();
        assert_eq!(ids.find(hash(0), |_| true), None);
        for content in 0..3000 {
            assert_eq!(ids.find(hash(content), |id| id == content), None);
            assert_eq!(ids.find_or_insert(hash(content), content, |id| id == content), content);
            assert_eq!(ids.find_or_insert(hash(content), u32::MAX - 1, |id| id == content), content);
        }
        assert!((0..3000).all(|content| ids.find(hash(content), |id| id == content) == Some(content)));
        assert!(ids.slots.len() <= 8192 && !ids.is_empty());
        ids.clear();
        assert!(ids.is_empty() && ids.find(hash(1), |_| true).is_none());
        ids.reserve(100);
        let slots = ids.slots.len();
        (0..100).for_each(|content| ids.insert(hash(content), content));
        assert_eq!(ids.slots.len(), slots);
    }
}
