//! A sparse matrix of zeros and ones.

use rayon::prelude::*;

use crate::zero_sum::parts;

/// For each row the columns that are one.
pub(super) struct Pattern {
    /// The first entry of each row, and the number of entries at the end.
    starts: Vec<usize>,
    columns: Vec<u32>,
    /// The rows, cut into pieces of about the same amount of work.
    pieces: Vec<usize>,
}

/// The number of entries of a piece.
const PIECE: usize = 1 << 16;

impl Pattern {
    /// A pattern of these rows.
    pub(super) fn new(rows: Vec<Box<[u32]>>) -> Pattern {
        let mut starts = Vec::with_capacity(rows.len() + 1);
        let mut columns = Vec::with_capacity(rows.iter().map(|row| row.len()).sum());
        for row in rows {
            starts.push(columns.len());
            columns.extend_from_slice(&row);
        }
        starts.push(columns.len());
        Pattern::of(starts, columns)
    }

    fn of(starts: Vec<usize>, columns: Vec<u32>) -> Pattern {
        let mut pieces = vec![0];
        let rows = starts.len() - 1;
        for row in 0..rows {
            let from = pieces[pieces.len() - 1];
            if starts[row + 1] - starts[from] + (row - from) >= PIECE {
                pieces.push(row + 1);
            }
        }
        if pieces[pieces.len() - 1] != rows {
            pieces.push(rows);
        }
        Pattern { starts, columns, pieces }
    }

    /// The same with rows and columns exchanged.
    pub(super) fn transposed(&self, columns: usize) -> Pattern {
        let mut starts = vec![0; columns + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for column in 0..columns {
            starts[column + 1] += starts[column];
        }
        let mut place = starts.clone();
        let mut rows = vec![0; self.columns.len()];
        for row in 0..self.rows() {
            for &column in &self.columns[self.starts[row]..self.starts[row + 1]] {
                rows[place[column as usize]] = row as u32;
                place[column as usize] += 1;
            }
        }
        Pattern::of(starts, rows)
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of ones.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Computes `out = self * vector`.
    pub(super) fn times(&self, vector: &[f64], out: &mut [f64]) {
        parts(&self.pieces, out).into_par_iter().for_each(|(first, part)| {
            for (row, out) in part.iter_mut().enumerate() {
                let columns = &self.columns[self.starts[first + row]..self.starts[first + row + 1]];
                *out = columns.iter().map(|&column| vector[column as usize]).sum();
            }
        });
    }
}
