//! Answers many questions of the form "can this be true?" together.
//!
//! They are asked in small groups: each model answers yes for many of them, in any group. A group without a model has
//! the answer no, usually by local reasoning, while one question about all of them would make the solver wander.

use crate::clauses::Clauses;
use crate::net::{Lit, Net};

/// The number of questions asked together. (Battleship 10x10: groups of 8 to 128 take about the same time, a single
/// group three times as long.)
pub(crate) const GROUP: usize = 64;

/// The number of conflicts after which the members of a group are asked one by one: a single member is usually decided
/// by propagation, while together they make the solver wander. (Mastermind: 1,000 pairs that agree took 87,000
/// conflicts in groups.)
pub(crate) const BRIEFLY: u32 = 300;

/// For each target, true if it can hold under the demands. `None` if time ran out.
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

/// Asks about each of these targets alone. `None` if time ran out.
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

/// The literal for "one of these holds". `None` if all are constant false.
pub(super) fn any(net: &mut Net, targets: &[Lit], members: impl Iterator<Item = usize>) -> Option<Lit> {
    let any = net.or(members.map(|index| targets[index]));
    (any != Lit::FALSE).then_some(any)
}

/// Marks the targets that are true in the last model.
fn hits(net: &Net, clauses: &Clauses, targets: &[Lit], marks: &mut [bool]) {
    mark(&net.values(|input| clauses.value(input)), targets, marks);
}

/// Marks the targets that are true. `values`: the value of every node.
pub(super) fn mark(values: &[bool], targets: &[Lit], marks: &mut [bool]) {
    for (mark, target) in marks.iter_mut().zip(targets) {
        *mark |= values[target.node() as usize] != target.is_negated();
    }
}

/// Questions that must all have the answer no: under the demands of the clauses none of the literals can be true.
pub(crate) struct Obligation {
    pub net: Net,
    pub clauses: Clauses,
    pub targets: Vec<Lit>,
}
