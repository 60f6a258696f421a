//! The tuples of one relation, without repeats, with the indexes that joins need.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;

use super::asking::Given;
use super::program::{Pattern, UNBOUND};
use crate::ids::Ids;
use crate::terms::{Sym, TermId, Terms};

/// The parts of a tuple that form the key of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A part of the key.
    Key,
    /// Matches any term.
    Any,
    /// A compound with this functor and these parts; tuples without it are not in the index.
    Compound(Sym, Box<[Shape]>),
}

impl Shape {
    /// The shape of a pattern if the variables that satisfy `bound` have values.
    pub(crate) fn of(pattern: &Pattern, bound: &dyn Fn(u32) -> bool) -> Shape {
        match pattern {
            pattern if pattern.all(bound) => Shape::Key,
            Pattern::Compound(functor, args) => {
                Shape::Compound(*functor, args.iter().map(|arg| Shape::of(arg, bound)).collect())
            }
            _ => Shape::Any,
        }
    }

    /// Feeds the key parts of `term` to the hasher; false if the term does not have the shape.
    fn feed(&self, terms: &Terms, term: TermId, hasher: &mut FxHasher) -> bool {
        match self {
            Shape::Key => {
                hasher.write_u32(term.0);
                true
            }
            Shape::Any => true,
            Shape::Compound(functor, parts) => {
                let Some(args) = terms.args(term) else { return false };
                terms.functor(term) == *functor
                    && args.len() == parts.len()
                    && parts.iter().zip(args).all(|(part, &arg)| part.feed(terms, arg, hasher))
            }
        }
    }

    /// Feeds the key parts of a pattern's instance; false if no stored term can match.
    fn feed_pattern(&self, pattern: &Pattern, terms: &Terms, bindings: &[TermId], hasher: &mut FxHasher) -> bool {
        match (self, pattern) {
            (Shape::Key, pattern) => match pattern.find(terms, bindings) {
                Some(term) => {
                    hasher.write_u32(term.0);
                    true
                }
                None => false,
            },
            (Shape::Compound(_, parts), Pattern::Compound(_, args)) => {
                parts.iter().zip(args.iter()).all(|(part, arg)| part.feed_pattern(arg, terms, bindings, hasher))
            }
            _ => true,
        }
    }
}

#[derive(Clone, Debug)]
struct Index {
    shape: Box<[Shape]>,
    /// The number of rows of the table that are in the index.
    read: u32,
    /// The place of each key in `rows`.
    keys: Ids,
    /// The rows of each key. Most keys have few rows, which need no allocation.
    rows: Vec<SmallVec<[u32; 4]>>,
}

/// The number of rows that are compared one by one. Most answers to queries have no more, and need no hash table.
const FEW: u32 = 4;

/// The number of sampled rows for which the rows with the same key are counted.
const SAMPLE: usize = 64;

/// The number of rows among which they are counted, spread over the whole table.
const LOOKED_AT: usize = 1 << 14;

/// The number of rows with the same key, for a table of this length.
#[derive(Clone, Debug)]
struct Measured {
    shape: Box<[Shape]>,
    len: u32,
    rows: f64,
}

/// A set of tuples; a tuple's row number never changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    arity: usize,
    len: u32,
    data: Vec<TermId>,
    /// The rows by content, if there have been more than [`FEW`].
    ids: Ids,
    indexes: Vec<Index>,
    measured: Vec<Measured>,
}

fn hash(tuple: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    tuple.iter().for_each(|term| hasher.write_u32(term.0));
    hasher.finish()
}

impl Table {
    pub(crate) fn new(arity: usize) -> Table {
        Table { arity, ..Table::default() }
    }

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn row(&self, row: u32) -> &[TermId] {
        &self.data[row as usize * self.arity..][..self.arity]
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[TermId]> {
        (0..self.len).map(|row| self.row(row))
    }

    pub(crate) fn find(&self, tuple: &[TermId]) -> Option<u32> {
        if self.len <= FEW {
            return (0..self.len).find(|&row| self.row(row) == tuple);
        }
        self.ids.find(hash(tuple), |row| self.row(row) == tuple)
    }

    /// The tuples with these arguments; [`UNBOUND`] matches any term. Reads the whole table if there is one.
    pub(crate) fn matching(&self, given: &[TermId]) -> Vec<Given> {
        if !given.contains(&UNBOUND) {
            return self.find(given).map(|row| self.row(row).into()).into_iter().collect();
        }
        let fits = |row: &&[TermId]| row.iter().zip(given).all(|(term, given)| *given == UNBOUND || term == given);
        self.rows().filter(fits).map(Given::from_slice).collect()
    }

    /// Adds a tuple. Returns its row, and true if it is new.
    pub(crate) fn insert(&mut self, tuple: &[TermId]) -> (u32, bool) {
        if self.len <= FEW {
            if let Some(row) = self.find(tuple) {
                return (row, false);
            }
            if self.len == FEW {
                (0..FEW)
                    .for_each(|row| self.ids.insert(hash(&self.data[row as usize * self.arity..][..self.arity]), row));
            }
        }
        let Table { arity, len, data, ids, .. } = self;
        if *len < FEW {
            *len += 1;
            data.extend_from_slice(tuple);
            return (*len - 1, true);
        }
        let row = ids.find_or_insert(hash(tuple), *len, |row| data[row as usize * *arity..][..*arity] == *tuple);
        let is_new = row == *len;
        if is_new {
            *len += 1;
            data.extend_from_slice(tuple);
        }
        (row, is_new)
    }

    /// The index with this shape. [`Table::complete`] adds the rows, because many indexes of a growing table are never
    /// read.
    pub(crate) fn ensure_index(&mut self, shape: &[Shape]) -> usize {
        if let Some(slot) = self.indexes.iter().position(|index| *index.shape == *shape) {
            return slot;
        }
        self.indexes.push(Index { shape: shape.into(), read: 0, keys: Ids::default(), rows: Vec::new() });
        self.indexes.len() - 1
    }

    /// Adds the rows that an index lacks.
    pub(crate) fn complete(&mut self, slot: usize, terms: &Terms) {
        let Table { arity, data, indexes, len, .. } = self;
        let index = &mut indexes[slot];
        for row in std::mem::replace(&mut index.read, *len)..*len {
            index.add(terms, &data[row as usize * *arity..][..*arity], row);
        }
    }

    /// Candidate rows, ascending, for the instance of `args`; a superset of the matches.
    pub(crate) fn lookup(&self, slot: usize, args: &[Pattern], terms: &Terms, bindings: &[TermId]) -> &[u32] {
        let index = &self.indexes[slot];
        debug_assert_eq!(index.read, self.len, "an index is complete before it is read");
        let mut hasher = FxHasher::default();
        let possible =
            index.shape.iter().zip(args).all(|(shape, arg)| shape.feed_pattern(arg, terms, bindings, &mut hasher));
        if !possible {
            return &[];
        }
        // Two keys with the same hash share their rows, which only costs candidates.
        index.keys.find(hasher.finish(), |_| true).map_or(&[], |at| &index.rows[at as usize])
    }

    /// The expected number of rows with the same key as a random row, estimated from a sample; 0 if no row has this
    /// shape.
    pub(crate) fn rows_alike(&mut self, terms: &Terms, shape: &[Shape]) -> f64 {
        if let Some(old) = self.measured.iter().find(|old| old.len == self.len && *old.shape == *shape) {
            return old.rows;
        }
        let key = |row: &[TermId]| {
            let mut hasher = FxHasher::default();
            let fits = shape.iter().zip(row).all(|(shape, &term)| shape.feed(terms, term, &mut hasher));
            fits.then(|| hasher.finish())
        };
        let every = (self.len as usize).div_ceil(LOOKED_AT).max(1);
        let keys: Vec<u64> = self.rows().step_by(every).filter_map(key).collect();
        let step = keys.len().div_ceil(SAMPLE).max(1);
        let mut counts: FxHashMap<u64, usize> = keys.iter().step_by(step).map(|&key| (key, 0)).collect();
        for key in &keys {
            if let Some(count) = counts.get_mut(key) {
                *count += 1;
            }
        }
        // The row itself, and the other rows that the counted ones represent.
        let sampled: usize = keys.iter().step_by(step).map(|key| 1 + (counts[key] - 1) * every).sum();
        let rows = sampled as f64 / keys.len().div_ceil(step).max(1) as f64;
        self.measured.retain(|other| other.len == self.len);
        self.measured.push(Measured { shape: shape.into(), len: self.len, rows });
        rows
    }

    /// The average number of rows for values of these arguments that occur. Reads the whole table.
    pub(crate) fn rows_per_key(&self, args: &[usize]) -> f64 {
        let mut keys = FxHashSet::default();
        for row in self.rows() {
            let mut hasher = FxHasher::default();
            args.iter().for_each(|&arg| hasher.write_u32(row[arg].0));
            keys.insert(hasher.finish());
        }
        f64::from(self.len) / keys.len().max(1) as f64
    }

    /// Drops all indexes and frees their memory: readers must create them again.
    pub(crate) fn drop_indexes(&mut self) {
        self.indexes = Vec::new();
    }

    /// Removes all tuples; indexes are kept, but empty.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.data.clear();
        self.ids.clear();
        for index in &mut self.indexes {
            index.read = 0;
            index.keys.clear();
            index.rows.clear();
        }
    }
}

impl Index {
    fn add(&mut self, terms: &Terms, tuple: &[TermId], row: u32) {
        let mut hasher = FxHasher::default();
        if self.shape.iter().zip(tuple).all(|(shape, &term)| shape.feed(terms, term, &mut hasher)) {
            let fresh = self.rows.len() as u32;
            let at = self.keys.find_or_insert(hasher.finish(), fresh, |_| true);
            if at == fresh {
                self.rows.push(SmallVec::new());
            }
            self.rows[at as usize].push(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LOOKED_AT, Pattern, Shape, Table};
    use crate::terms::{TermId, Terms};

    #[test]
    fn a_part_of_a_large_table_tells_how_many_rows_are_alike() {
        let terms = Terms::default();
        let count = 7 * LOOKED_AT as u32;
        let mut table = Table::new(3);
        // The first argument has each value 1000 times in a row, the second a single value, the third each value once.
        (0..count).for_each(|row| _ = table.insert(&[TermId(row / 1000), TermId(7), TermId(row)]));
        for (key, rows) in [(0, 1000.0), (1, f64::from(count)), (2, 1.0)] {
            let shape: Vec<Shape> = (0..3).map(|at| if at == key { Shape::Key } else { Shape::Any }).collect();
            let estimate = table.rows_alike(&terms, &shape);
            assert!((0.9..1.1).contains(&(estimate / rows)), "{estimate} for {rows}");
        }
    }

    #[test]
    fn few_rows_and_many_are_found() {
        let mut table = Table::new(1);
        for round in 0..3 {
            for row in 0..3 * super::FEW {
                assert_eq!(table.find(&[TermId(row)]), None, "round {round}");
                assert_eq!(table.insert(&[TermId(row)]), (row, true));
                for old in 0..=row {
                    assert_eq!(table.insert(&[TermId(old)]), (old, false));
                    assert_eq!(table.find(&[TermId(old)]), Some(old));
                }
            }
            table.clear();
        }
    }

    #[test]
    fn an_index_has_what_came_after_it_was_asked_for() {
        let terms = Terms::default();
        let mut table = Table::new(2);
        let slot = table.ensure_index(&[Shape::Key, Shape::Any]);
        let pattern = |value| [Pattern::Ground(TermId(value)), Pattern::Variable(0)];
        for (round, row) in [(1, 10), (1, 11), (2, 12), (1, 13)].into_iter().enumerate() {
            table.insert(&[TermId(row.0), TermId(row.1)]);
            table.complete(slot, &terms);
            let of_one: &[u32] = [&[0][..], &[0, 1], &[0, 1], &[0, 1, 3]][round];
            assert_eq!(table.lookup(slot, &pattern(1), &terms, &[]), of_one);
        }
        table.clear();
        table.insert(&[TermId(1), TermId(20)]);
        table.complete(slot, &terms);
        assert_eq!(table.lookup(slot, &pattern(1), &terms, &[]), &[0]);
    }
}
