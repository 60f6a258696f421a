//! Many lists of numbers, kept one after the other: a list of its own on the heap takes several times the memory.

use rayon::prelude::*;

/// The lists that one task makes, and those that are made before they are put together.
const TASK: usize = 1 << 12;
const TASKS: usize = 1 << 8;

/// Lists of numbers.
pub(super) struct Lists {
    /// The first item of each list, and the number of items at the end.
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists::new()
    }
}

impl Lists {
    /// An empty collection.
    pub(super) fn new() -> Lists {
        Lists { starts: vec![0], items: Vec::new() }
    }

    /// The number of lists.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The bytes of all lists.
    pub(super) fn bytes(&self) -> usize {
        8 * self.starts.capacity() + 4 * self.items.capacity()
    }

    /// A list.
    pub(super) fn list(&self, at: usize) -> &[u32] {
        &self.items[self.starts[at]..self.starts[at + 1]]
    }

    /// Adds a list.
    pub(super) fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.starts.push(self.items.len());
    }

    /// Adds lists, each made by a function that adds its items.
    pub(super) fn extend(&mut self, count: usize, make: impl Fn(usize, &mut Vec<u32>) + Sync) {
        for batch in (0..count).step_by(TASK * TASKS) {
            let tasks: Vec<usize> = (batch..count.min(batch + TASK * TASKS)).step_by(TASK).collect();
            let made = tasks.into_par_iter().map(|from| {
                let (mut items, mut ends) = (Vec::new(), Vec::with_capacity(TASK));
                for at in from..count.min(from + TASK) {
                    make(at, &mut items);
                    ends.push(items.len());
                }
                (items, ends)
            });
            let made: Vec<(Vec<u32>, Vec<usize>)> = made.collect();
            self.items.reserve_exact(made.iter().map(|it| it.0.len()).sum());
            self.starts.reserve_exact(made.iter().map(|it| it.1.len()).sum());
            for (items, ends) in made {
                let before = self.items.len();
                self.items.extend(items);
                self.starts.extend(ends.into_iter().map(|end| before + end));
            }
        }
    }

    /// Changes each item, or removes it.
    pub(super) fn filter_map(&mut self, change: impl Fn(u32) -> Option<u32>) {
        let (mut from, mut kept) = (0, 0);
        for list in 1..self.starts.len() {
            let to = self.starts[list];
            for at in from..to {
                if let Some(item) = change(self.items[at]) {
                    self.items[kept] = item;
                    kept += 1;
                }
            }
            (from, self.starts[list]) = (to, kept);
        }
        self.items.truncate(kept);
        self.items.shrink_to_fit();
    }

    /// Keeps some of the lists.
    pub(super) fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        let (mut from, mut kept, mut lists) = (0, 0, 0);
        for list in 0..self.len() {
            let to = self.starts[list + 1];
            if is_kept(list) {
                self.items.copy_within(from..to, kept);
                kept += to - from;
                lists += 1;
                self.starts[lists] = kept;
            }
            from = to;
        }
        self.starts.truncate(lists + 1);
        self.items.truncate(kept);
    }

    /// Changes each item.
    pub(super) fn map(&mut self, change: impl Fn(u32) -> u32 + Sync) {
        self.items.par_iter_mut().for_each(|item| *item = change(*item));
    }

    /// The first item of each list with the number of items at the end, and the items.
    pub(super) fn into_parts(self) -> (Vec<usize>, Vec<u32>) {
        (self.starts, self.items)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lists, TASK};

    #[test]
    fn lists_are_changed_in_place() {
        let count = 2 * TASK + 3;
        let mut lists = Lists::new();
        lists.extend(count, |at, items| items.extend((0..at as u32 % 5).map(|item| item + at as u32)));
        assert_eq!((lists.len(), lists.list(4), lists.list(8191)), (count, &[4, 5, 6, 7][..], &[8191][..]));
        lists.filter_map(|item| (item % 2 == 0).then_some(item / 2));
        assert_eq!((lists.list(4), lists.list(5)), (&[2, 3][..], &[][..]));
        lists.retain(|list| list % 4 == 0);
        assert_eq!((lists.len(), lists.list(0), lists.list(1)), (count.div_ceil(4), &[][..], &[2, 3][..]));
    }
}
