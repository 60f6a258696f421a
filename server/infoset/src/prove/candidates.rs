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

/// Contradictions after which the members of a group are asked about one by one: alone, each is mostly decided by what
/// follows from it at once, together they send the solver all over the place. (Mastermind: 1,000 pairs that agree took
/// 87,000 contradictions in groups.)
pub(crate) const BRIEFLY: u32 = 300;

/// For each target whether it can be true under what is demanded. `None` where the time was up.
pub(super) fn possible(net: &mut Net, clauses: &mut Clauses, targets: &[Lit]) -> Option<Vec<bool>> {
    let mut possible = vec![false; targets.len()];
    for group in 0..targets.len().div_ceil(GROUP) {
        let members = group * GROUP..((group + 1) * GROUP).min(targets.len());
        while let Some(any) = any(net, targets, members.clone().filter(|&index| !possible[index])) {
            match clauses.solve_briefly(net, &[any], BRIEFLY) {
                Some(true) => hits(net, clauses, targets, &mut possible),
                Some(false) => {
                    clauses.add(net, [!any]);
                    break;
                }
                None => {
                    one_by_one(net, clauses, targets, members, &mut possible)?;
                    break;
                }
            }
        }
    }
    Some(possible)
}

/// Each of these targets alone. `None` where the time was up.
fn one_by_one(
    net: &mut Net,
    clauses: &mut Clauses,
    targets: &[Lit],
    members: std::ops::Range<usize>,
    possible: &mut [bool],
) -> Option<()> {
    for index in members {
        if possible[index] || targets[index] == Lit::FALSE {
            continue;
        }
        match clauses.solve(net, &[targets[index]])? {
            true => hits(net, clauses, targets, possible),
            false => clauses.add(net, [!targets[index]]),
        }
    }
    Some(())
}

/// The question whether one of these can be true. `None` where none can, by the look of it.
pub(super) fn any(net: &mut Net, targets: &[Lit], members: impl Iterator<Item = usize>) -> Option<Lit> {
    let any = net.or(members.map(|index| targets[index]));
    (any != Lit::FALSE).then_some(any)
}

/// Marks what is true in the model just found.
fn hits(net: &Net, clauses: &Clauses, targets: &[Lit], marks: &mut [bool]) {
    mark(&net.values(|input| clauses.value(input)), targets, marks);
}

/// Marks what is true. `values`: of every node.
pub(super) fn mark(values: &[bool], targets: &[Lit], marks: &mut [bool]) {
    for (mark, target) in marks.iter_mut().zip(targets) {
        *mark |= values[target.node() as usize] != target.is_negated();
    }
}

/// Questions that all must have the answer no: under what the clauses demand none of the literals can be true.
pub(crate) struct Obligation {
    pub net: Net,
    pub clauses: Clauses,
    pub targets: Vec<Lit>,
}
