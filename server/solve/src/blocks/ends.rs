//! The worth of the ends of matches: sparse matrices that are kept once, and used in both directions.

use std::ops::Range;

use rayon::prelude::*;

use super::lists::Lists;
use crate::zero_sum::parts;

/// Ends of matches: the sets of both players, and the goal of the first player above the offset, times the probability.
pub(super) type Leaf = (u32, u32, f64);

/// The number of entries of a piece.
const PIECE: usize = 1 << 16;

/// Sets of variables, as a matrix of zeros and ones: a row for each set, a column for each variable.
pub(super) struct Pattern {
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl Pattern {
    /// A pattern of these sets.
    pub(super) fn new(rows: Lists) -> Pattern {
        let (starts, columns) = rows.into_parts();
        Pattern { starts, columns }
    }

    /// The number of sets.
    pub(super) fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of variables in all sets.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The sum of each set, from the numbers of its variables.
    pub(super) fn gather(&self, vector: &[f64]) -> Vec<f64> {
        by_rows(&self.starts, |range| self.columns[range].iter().map(|&column| vector[column as usize]).sum())
    }

    /// For each variable the sum over its sets, from the numbers of the sets.
    pub(super) fn spread(&self, vector: &[f64], out: &mut [f64]) {
        by_columns(&self.starts, out, |row, range, out| {
            let number = vector[row];
            if number != 0.0 {
                self.columns[range].iter().for_each(|&column| out[column as usize] += number);
            }
        });
    }
}

/// The goals of the first player at pairs of sets: a row for each set of the first player, a column for each of the
/// second.
pub(super) struct Ends {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Ends {
    /// A matrix without rows.
    pub(super) fn new() -> Ends {
        Ends { starts: vec![0], columns: Vec::new(), values: Vec::new() }
    }

    /// The bytes of all ends.
    pub(super) fn bytes(&self) -> usize {
        8 * self.starts.capacity() + 4 * self.columns.capacity() + 8 * self.values.capacity()
    }

    /// The number of pairs of sets.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Adds ends, sorted by sets. Those of the first player come after all before.
    pub(super) fn extend(&mut self, leaves: &[Leaf], rows: usize) {
        self.columns.reserve_exact(leaves.len());
        self.values.reserve_exact(leaves.len());
        for &(row, column, value) in leaves {
            self.starts.resize(row as usize + 1, self.columns.len());
            self.columns.push(column);
            self.values.push(value);
        }
        self.starts.resize(rows + 1, self.columns.len());
    }

    /// The worth of the first player's sets, from the probabilities of the second's.
    pub(super) fn of_first(&self, vector: &[f64]) -> Vec<f64> {
        by_rows(&self.starts, |range| {
            let entries = self.columns[range.clone()].iter().zip(&self.values[range]);
            entries.map(|(&column, value)| value * vector[column as usize]).sum()
        })
    }

    /// The worth of the second player's sets to the first, from the probabilities of the first's.
    pub(super) fn of_second(&self, vector: &[f64], sets: usize) -> Vec<f64> {
        let mut out = vec![0.0; sets];
        by_columns(&self.starts, &mut out, |row, range, out| {
            let number = vector[row];
            for (&column, value) in self.columns[range.clone()].iter().zip(&self.values[range]) {
                out[column as usize] += number * value;
            }
        });
        out
    }
}

/// Computes each row from its entries.
fn by_rows(starts: &[usize], row: impl Fn(Range<usize>) -> f64 + Sync) -> Vec<f64> {
    let rows = starts.len() - 1;
    let mut pieces = vec![0];
    for row in 0..rows {
        let from = pieces[pieces.len() - 1];
        if starts[row + 1] - starts[from] + (row - from) >= PIECE || row + 1 == rows {
            pieces.push(row + 1);
        }
    }
    let mut out = vec![0.0; rows];
    parts(&pieces, &mut out).into_par_iter().for_each(|(first, part)| {
        for (at, out) in part.iter_mut().enumerate() {
            *out = row(starts[first + at]..starts[first + at + 1]);
        }
    });
    out
}

/// Adds what each row gives to the columns. The two halves of the rows are added up on their own, however many threads
/// there are, so the result is always the same.
fn by_columns(starts: &[usize], out: &mut [f64], row: impl Fn(usize, Range<usize>, &mut [f64]) + Sync) {
    let rows = starts.len() - 1;
    let middle = starts.partition_point(|&start| 2 * start < starts[rows]).min(rows);
    let half = |rows: Range<usize>, out: &mut [f64]| rows.for_each(|at| row(at, starts[at]..starts[at + 1], out));
    out.fill(0.0);
    let mut other = vec![0.0; out.len()];
    rayon::join(|| half(0..middle, out), || half(middle..rows, &mut other));
    out.par_iter_mut().zip(other).for_each(|(out, other)| *out += other);
}
