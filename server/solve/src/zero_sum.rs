//! Two players with opposed interests: the test for their goals, and the matrix of such a game.

use std::ops::Range;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use rayon::prelude::*;

use crate::tree::Tree;

/// The second player's goal as a falling function of the first's: `constant - slope * goal`.
#[derive(Clone, Debug, PartialEq)]
pub struct Opposed {
    /// The second player's goal when the first one gets 0.
    pub constant: BigRational,
    /// Greater than zero.
    pub slope: BigRational,
}

impl Opposed {
    /// The second player's goal when the first gets `goal`.
    pub fn other(&self, goal: &BigRational) -> BigRational {
        &self.constant - &self.slope * goal
    }
}

/// The falling line on which the goals of two players are over all matches, so that the gain of one is the loss of the
/// other. The game is then zero-sum up to a change of units. `None` if there is no such line.
pub fn opposed(tree: &Tree, first: usize, second: usize) -> Option<Opposed> {
    line(tree.outcomes.iter().map(|outcome| (outcome[first], outcome[second])).collect())
}

/// The falling line through these pairs of goals.
pub(crate) fn line(mut points: Vec<(i64, i64)>) -> Option<Opposed> {
    let whole = |value: i64| BigRational::from(BigInt::from(value));
    points.sort_unstable();
    points.dedup();
    let (&low, &high) = (points.first()?, points.last()?);
    if low == high {
        return Some(Opposed { constant: whole(low.0) + whole(low.1), slope: whole(1) });
    }
    let (width, drop) = (i128::from(high.0) - i128::from(low.0), i128::from(low.1) - i128::from(high.1));
    if width <= 0 || drop <= 0 {
        return None;
    }
    let on_line = |&(x, y): &(i64, i64)| {
        (i128::from(x) - i128::from(low.0)).checked_mul(drop) == (i128::from(low.1) - i128::from(y)).checked_mul(width)
    };
    if !points.iter().all(on_line) {
        return None;
    }
    let slope = BigRational::new(BigInt::from(drop), BigInt::from(width));
    Some(Opposed { constant: whole(low.1) + &slope * whole(low.0), slope })
}

/// A sparse matrix over pairs of sequences, by rows.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// The index of the first entry of each row, and the number of entries at the end.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// The rows, cut into pieces of about the same amount of work.
    pieces: Vec<usize>,
}

/// The number of entries below which a product is faster on one thread.
const PARALLEL: usize = 60_000;
const PIECE: usize = 16_000;

/// The parts of a vector that belong to pieces of the rows, each with its first row.
pub(crate) fn parts<'o>(pieces: &[usize], mut out: &'o mut [f64]) -> Vec<(usize, &'o mut [f64])> {
    let part = |piece: &[usize]| {
        let (part, rest) = std::mem::take(&mut out).split_at_mut(piece[1] - piece[0]);
        out = rest;
        (piece[0], part)
    };
    pieces.windows(2).map(part).collect()
}

impl Matrix {
    /// A matrix of entries `(row, column, value)`, sorted by row and column and without duplicates.
    pub(crate) fn new(rows: usize, entries: &[(u32, u32, f64)]) -> Matrix {
        let mut starts = vec![0; rows + 1];
        for &(row, ..) in entries {
            starts[row as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut pieces = vec![0];
        for row in 0..rows {
            if starts[row + 1] - starts[pieces[pieces.len() - 1]] >= PIECE {
                pieces.push(row + 1);
            }
        }
        if pieces[pieces.len() - 1] != rows {
            pieces.push(rows);
        }
        Matrix {
            starts,
            columns: entries.iter().map(|entry| entry.1).collect(),
            values: entries.iter().map(|entry| entry.2).collect(),
            pieces,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True if the matrix has no entries.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The entries of a row: columns and values.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// The row of the entry with this number.
    pub(crate) fn row_of_entry(&self, entry: usize) -> usize {
        self.starts.partition_point(|&start| start <= entry).saturating_sub(1).min(self.rows())
    }

    /// Some of the rows.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Matrix {
        let entries: Vec<(u32, u32, f64)> = rows
            .clone()
            .flat_map(|row| self.row(row).map(move |(column, value)| (row, column, value)))
            .map(|(row, column, value)| ((row - rows.start) as u32, column, value))
            .collect();
        Matrix::new(rows.len(), &entries)
    }

    /// Computes `out = self * vector`.
    pub fn times(&self, vector: &[f64], out: &mut [f64]) {
        if self.values.len() < PARALLEL || rayon::current_num_threads() == 1 {
            self.rows_times(0, vector, out);
            return;
        }
        parts(&self.pieces, out).into_par_iter().for_each(|(first, part)| self.rows_times(first, vector, part));
    }

    fn rows_times(&self, first: usize, vector: &[f64], out: &mut [f64]) {
        let mut start = self.starts[first];
        for (row, out) in out.iter_mut().enumerate() {
            let end = self.starts[first + row + 1];
            let (columns, values) = (&self.columns[start..end], &self.values[start..end]);
            let mut sum = 0.0;
            for (&column, &value) in columns.iter().zip(values) {
                sum += value * vector[column as usize];
            }
            *out = sum;
            start = end;
        }
    }
}

/// The first player's payoff for each pair of sequences, with `offset` subtracted from all its goals.
#[derive(Clone, Debug)]
pub struct Payoffs {
    /// The matrix with the first player's sequences as rows.
    pub by_first: Matrix,
    /// The same entries, with the second player's sequences as rows.
    pub by_second: Matrix,
    /// The most common goal among the leaves; subtracting it leaves few entries in the matrix.
    pub offset: i64,
}

/// The goal that a player pursues, from the goals of all players at a leaf.
pub type GoalOf<'a> = dyn Fn(&[i64]) -> i64 + Sync + 'a;

impl Payoffs {
    /// The matrix of a goal over the sequences of two players. All other players must have no choice.
    pub fn new(tree: &Tree, first: usize, second: usize, goal: &GoalOf<'_>) -> Payoffs {
        let offset = commonest(tree, goal);
        let mut entries: Vec<(u32, u32, f64)> = (0..tree.leaves.len())
            .into_par_iter()
            .filter_map(|leaf| {
                let goal = goal(&tree.outcomes[tree.leaves[leaf].outcome as usize]) - offset;
                let sequences = tree.sequences(leaf);
                (goal != 0).then(|| (sequences[first], sequences[second], goal as f64 * tree.weight(leaf)))
            })
            .collect();
        let rows = tree.players[first].sequences();
        let by_first = Matrix::new(rows, merged(&mut entries));
        entries.iter_mut().for_each(|entry| *entry = (entry.1, entry.0, entry.2));
        let by_second = Matrix::new(tree.players[second].sequences(), merged(&mut entries));
        Payoffs { by_first, by_second, offset }
    }
}

/// Sorts the entries, and adds up those with the same indices.
pub(crate) fn merged(entries: &mut Vec<(u32, u32, f64)>) -> &[(u32, u32, f64)] {
    entries.par_sort_unstable_by_key(|&(row, column, _)| (row, column));
    entries.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    entries
}

pub(crate) fn commonest(tree: &Tree, goal: &GoalOf<'_>) -> i64 {
    let mut counts = rustc_hash::FxHashMap::<i64, usize>::default();
    for leaf in &tree.leaves {
        *counts.entry(goal(&tree.outcomes[leaf.outcome as usize])).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(goal, count)| (count, goal)).map_or(0, |(goal, _)| goal)
}

/// The matrix without an offset in exact fractions, as entries without duplicates. `None` if a probability is too
/// small.
pub fn exact_entries(
    tree: &Tree,
    first: usize,
    second: usize,
    goal: &GoalOf<'_>,
) -> Option<Vec<(u32, u32, BigRational)>> {
    let mut entries: Vec<(u32, u32, BigRational)> = Vec::with_capacity(tree.leaves.len());
    for leaf in 0..tree.leaves.len() {
        let (ways, one_over) = crate::tree::exact_weight(tree, leaf)?;
        let goal = goal(&tree.outcomes[tree.leaves[leaf].outcome as usize]);
        if goal == 0 {
            continue;
        }
        let value = BigRational::new(BigInt::from(ways) * goal, BigInt::from(one_over));
        let sequences = tree.sequences(leaf);
        entries.push((sequences[first], sequences[second], value));
    }
    entries.sort_by_key(|entry| (entry.0, entry.1));
    entries.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += &next.2;
        }
        same
    });
    entries.retain(|entry| !entry.2.is_zero());
    Some(entries)
}
