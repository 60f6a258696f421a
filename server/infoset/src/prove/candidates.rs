//! Many questions "can this be true?" answered together.
//!
//! They are asked in small groups: each model answers yes to many, wherever they are; a group of which none is left has
//! the answer no, mostly for reasons near at hand, where one question about all of them together would send the solver
//! all over the place.

use crate::clauses::Clauses;
use crate::net::{Lit, Net};

/// Questions asked together. (Battleship 10x10: groups of 8 to 128 take about the same time, all in one three times as
/// long.)
pub(crate) const GROUP: usize = 64;

/// For each target whether it can be true under what is demanded. `None` where the time was up.
pub(super) fn possible(net: &mut Net, clauses: &mut Clauses, targets: &[Lit]) -> Option<Vec<bool>> {
    let mut possible = vec![false; targets.len()];
    for group in 0..targets.len().div_ceil(GROUP) {
        let members = group * GROUP..((group + 1) * GROUP).min(targets.len());
        while let Some(any) = any(net, targets, members.clone().filter(|&index| !possible[index])) {
            if !clauses.solve(net, &[any])? {
                clauses.add(net, [!any]);
                break;
            }
            hits(net, clauses, targets, &mut possible);
        }
    }
    Some(possible)
}

/// The question whether one of these can be true. `None` where none can, by the look of it.
pub(super) fn any(net: &mut Net, targets: &[Lit], members: impl Iterator<Item = usize>) -> Option<Lit> {
    let any = net.or(members.map(|index| targets[index]));
    (any != Lit::FALSE).then_some(any)
}

/// Marks what is true in the model just found.
pub(super) fn hits(net: &Net, clauses: &Clauses, targets: &[Lit], marks: &mut [bool]) {
    let values = net.values(|input| clauses.value(input));
    for (mark, target) in marks.iter_mut().zip(targets) {
        *mark |= values[target.node() as usize] != target.is_negated();
    }
}
