//! Sets of constants. Nearly all are small however many names a file has, so only non-empty words are kept.

use crate::gdl::symbols::Sym;

/// A set of symbols: non-empty words of 64 bits, sorted by position.
#[derive(Clone, Debug, Default)]
pub(super) struct Row(Vec<(u32, u64)>);

impl Row {
    /// Adds a symbol. Returns true if a word was added for it.
    pub(super) fn insert(&mut self, sym: Sym) -> bool {
        let (word, bit) = place(sym);
        // Names arrive in the order of the text, mostly after all others.
        match self.0.last_mut() {
            Some((last, bits)) if *last == word => {
                *bits |= bit;
                false
            }
            Some((last, _)) if *last > word => match self.0.binary_search_by_key(&word, |(word, _)| *word) {
                Ok(at) => {
                    self.0[at].1 |= bit;
                    false
                }
                Err(at) => {
                    self.0.insert(at, (word, bit));
                    true
                }
            },
            _ => {
                self.0.push((word, bit));
                true
            }
        }
    }

    pub(super) fn contains(&self, sym: Sym) -> bool {
        let (word, bit) = place(sym);
        self.bits(word) & bit != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The symbols in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Sym> + '_ {
        self.0.iter().flat_map(|&(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| Sym(word * 64 + bit))
        })
    }

    fn bits(&self, word: u32) -> u64 {
        self.0.binary_search_by_key(&word, |(word, _)| *word).map_or(0, |at| self.0[at].1)
    }

    /// The intersection with all others, as words.
    fn common<'a>(&'a self, others: &'a [&Row]) -> impl Iterator<Item = (u32, u64)> + 'a {
        let all = |(word, bits): (u32, u64)| (word, others.iter().fold(bits, |bits, other| bits & other.bits(word)));
        self.0.iter().copied().map(all).filter(|(_, bits)| *bits != 0)
    }

    /// True if all have a symbol in common.
    pub(super) fn meets(&self, others: &[&Row]) -> bool {
        self.common(others).next().is_some()
    }

    /// The symbols in `first` and all others, but not in this set.
    pub(super) fn lacking(&self, first: &Row, others: &[&Row]) -> Vec<(u32, u64)> {
        first
            .common(others)
            .map(|(word, bits)| (word, bits & !self.bits(word)))
            .filter(|(_, bits)| *bits != 0)
            .collect()
    }

    /// Adds the result of [`Row::lacking`]. Returns the number of words added.
    pub(super) fn add(&mut self, lacking: &[(u32, u64)]) -> usize {
        let before = self.0.len();
        let mut new = Vec::new();
        for &(word, bits) in lacking {
            match self.0.binary_search_by_key(&word, |(word, _)| *word) {
                Ok(at) => self.0[at].1 |= bits,
                Err(_) => new.push((word, bits)),
            }
        }
        if !new.is_empty() {
            self.0.append(&mut new);
            // Merging two sorted runs takes linear time.
            self.0.sort_by_key(|(word, _)| *word);
        }
        self.0.len() - before
    }
}

fn place(sym: Sym) -> (u32, u64) {
    (sym.0 / 64, 1 << (sym.0 % 64))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn row(syms: &BTreeSet<u32>, order: impl Iterator<Item = u32>) -> Row {
        let mut row = Row::default();
        order.filter(|sym| syms.contains(sym)).for_each(|sym| _ = row.insert(Sym(sym)));
        row
    }

    fn numbers(row: &Row) -> BTreeSet<u32> {
        row.iter().map(|sym| sym.0).collect()
    }

    proptest! {
        #[test]
        fn rows_are_sets(sets in proptest::collection::vec(proptest::collection::btree_set(0..300u32, 0..12), 4)) {
            let rows: Vec<Row> = sets.iter().enumerate().map(|(n, set)| match n % 2 {
                0 => row(set, 0..300),
                _ => row(set, (0..300).rev()),
            }).collect();
            for (row, set) in rows.iter().zip(&sets) {
                prop_assert_eq!(&numbers(row), set);
                prop_assert_eq!(row.is_empty(), set.is_empty());
                prop_assert!((0..300).all(|sym| row.contains(Sym(sym)) == set.contains(&sym)));
            }
            let common: BTreeSet<u32> = &(&sets[0] & &sets[1]) & &sets[2];
            prop_assert_eq!(rows[0].meets(&[&rows[1], &rows[2]]), !common.is_empty());
            let lacking = rows[3].lacking(&rows[0], &[&rows[1], &rows[2]]);
            prop_assert_eq!(lacking.is_empty(), common.is_subset(&sets[3]));
            let mut sum = rows[3].clone();
            sum.add(&lacking);
            prop_assert_eq!(numbers(&sum), &common | &sets[3]);
            let everything = row(&(0..300).collect(), 0..300);
            let lacking = sum.lacking(&everything, &[]);
            sum.add(&lacking);
            prop_assert_eq!(numbers(&sum).len(), 300);
        }
    }
}
