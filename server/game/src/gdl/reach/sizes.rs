//! The number of rows of a condition, which decides if it is worth passing its bindings on.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::program::{Atom, Pattern, RelationId};
use crate::gdl::strata::Strata;
use crate::gdl::table::Table;

/// For each relation and its bound arguments, the average number of rows.
pub(super) type Measured = RefCell<FxHashMap<(RelationId, Vec<usize>), f64>>;

/// The relations whose tables still grow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Growing {
    Dynamic,
    None,
}

/// Estimates of the number of rows of conditions.
pub(super) struct Sizes<'a> {
    pub tables: &'a [Table],
    pub strata: &'a Strata,
    pub growing: Growing,
    pub measured: &'a Measured,
}

impl Sizes<'_> {
    /// The average number of rows of an atom for values of these variables. If its table still grows, they are assumed
    /// to be few if the atom has any of these variables, and too many if not.
    pub(super) fn of(&self, atom: &Atom, bound: &FxHashSet<u32>) -> f64 {
        if self.growing == Growing::Dynamic && !self.strata.is_static(atom.relation) {
            let mut apart = true;
            atom.variables(&mut |variable| apart &= !bound.contains(&variable));
            return if apart { f64::INFINITY } else { 0.0 };
        }
        let is_bound = |arg: &Pattern| arg.all(&|variable| bound.contains(&variable));
        let args: Vec<usize> = (0..atom.args.len()).filter(|&at| is_bound(&atom.args[at])).collect();
        let mut measured = self.measured.borrow_mut();
        let table = &self.tables[atom.relation.index()];
        *measured.entry((atom.relation, args)).or_insert_with_key(|(_, args)| table.rows_per_key(args))
    }
}
