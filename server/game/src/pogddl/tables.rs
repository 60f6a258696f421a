//! Static predicates as tables: membership by bit if the layout is small, rows by key for joins.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{layout::Layout, model::*};

/// Above this many atoms membership is a hash set.
const DENSE_LIMIT: u64 = 1 << 24;

#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Sorted, without repeats.
    pub rows: Vec<Box<[Obj]>>,
    /// A bit per atom in the numbering of the predicate's layout (whose base is 0), or the rows as a set.
    dense: Option<Vec<u64>>,
    sparse: FxHashSet<Box<[Obj]>>,
}

impl Table {
    pub(super) fn new(mut rows: Vec<Box<[Obj]>>, layout: &Layout) -> Table {
        rows.sort_unstable();
        rows.dedup();
        if layout.size > DENSE_LIMIT {
            let sparse = rows.iter().cloned().collect();
            return Table { rows, dense: None, sparse };
        }
        let mut bits = vec![0u64; (layout.size as usize).div_ceil(64)];
        for row in &rows {
            if let Some(id) = layout.id(row) {
                bits[id as usize / 64] |= 1 << (id % 64);
            }
        }
        Table { rows, dense: Some(bits), sparse: FxHashSet::default() }
    }

    /// The membership bits, if the table is dense.
    pub(super) fn bits(&self) -> Option<&[u64]> {
        self.dense.as_deref()
    }

    pub(super) fn contains(&self, row: &[Obj]) -> bool {
        self.sparse.contains(row)
    }
}

/// The rows of a table by the objects at some positions.
#[derive(Debug)]
pub(crate) struct Index {
    /// The key positions, at most four (further ones are tested row by row).
    key: Vec<usize>,
    ranges: FxHashMap<u64, (u32, u32)>,
    /// Rows grouped by key, in the table's order within a group.
    pub rows: Vec<Box<[Obj]>>,
    /// Average rows per key.
    pub fan_out: f64,
}

impl Index {
    pub(super) fn new(rows: &[Box<[Obj]>], bound: &[usize]) -> Index {
        let key: Vec<usize> = bound.iter().copied().take(4).collect();
        let mut grouped: FxHashMap<u64, Vec<Box<[Obj]>>> = FxHashMap::default();
        let mut order = Vec::new();
        for row in rows {
            let packed = pack(key.iter().map(|&position| row[position]));
            grouped
                .entry(packed)
                .or_insert_with(|| {
                    order.push(packed);
                    Vec::new()
                })
                .push(row.clone());
        }
        let (mut ranges, mut flat) = (FxHashMap::default(), Vec::with_capacity(rows.len()));
        for packed in order {
            let start = flat.len() as u32;
            flat.append(grouped.get_mut(&packed).unwrap_or(&mut Vec::new()));
            ranges.insert(packed, (start, flat.len() as u32));
        }
        let fan_out = flat.len() as f64 / ranges.len().max(1) as f64;
        Index { key, ranges, rows: flat, fan_out }
    }

    /// The rows that agree with `value` at the key positions.
    pub(super) fn matching(&self, mut value: impl FnMut(usize) -> Obj) -> &[Box<[Obj]>] {
        let packed = pack(self.key.iter().map(|&position| value(position)));
        self.ranges.get(&packed).map_or(&[], |&(start, end)| &self.rows[start as usize..end as usize])
    }
}

fn pack(objects: impl Iterator<Item = Obj>) -> u64 {
    objects.fold(0, |packed, object| packed << 16 | object as u64)
}
