//! Groups of fluents with the same number of true members in both matches, whichever members they are.
//!
//! A role that does not know which cards are left in the deck knows their number, and so whether one is left; it knows
//! that its rival holds a card, though not which. In two matches that look alike, each round removes and adds the same
//! number of members, so the numbers agree for ever without being known. The questions are only about the change in a
//! round, in the induction and in the rounds before it: at most one member of a group may begin to hold, and at most
//! one may cease. (Comparing the numbers themselves would make the solver count, which it does badly.)

use percept_game::FluentId;
use rustc_hash::FxHashSet;

use super::claims::{Agreement, Group, Invariants};
use super::setting::Setting;
use super::shapes::groups_by_name;
use super::twin::Symbolic;
use crate::net::{Lit, Net};

/// The most groups tried.
const MOST_GROUPS: usize = 2_000;
/// The most members of a group.
const MOST_MEMBERS: usize = 500;

/// The groups of fluents by name, without the members that agree alone. Groups whose number is fixed by the invariants
/// are left out.
pub(super) fn groups(setting: &Setting<'_>, alone: &Agreement, invariants: &Invariants) -> Vec<Group> {
    let agrees = |fluent: FluentId| alone.fluents[fluent.0 as usize];
    let rest = |group: Vec<u32>| group.into_iter().map(FluentId).filter(|&it| !agrees(it)).collect::<Group>();
    let exact = invariants.exactly_one();
    let groups = groups_by_name(setting.game).into_iter().map(rest);
    let is_wanted = |group: &Group| (2..=MOST_MEMBERS).contains(&group.len()) && !is_made_of(group, &exact);
    let mut groups: Vec<Group> = groups.filter(is_wanted).collect();
    groups.sort_unstable();
    groups.dedup();
    groups.truncate(MOST_GROUPS);
    groups
}

/// True if a group is a union of some of these parts.
fn is_made_of(group: &[FluentId], parts: &[Vec<FluentId>]) -> bool {
    let mut rest: FxHashSet<FluentId> = group.iter().copied().collect();
    for part in parts {
        if part.iter().all(|member| rest.contains(member)) {
            rest.retain(|member| !part.contains(member));
        }
    }
    rest.is_empty()
}

fn lits<'s>(group: &'s [FluentId], state: &'s Symbolic) -> impl Iterator<Item = Lit> + 's {
    group.iter().map(|fluent| state.fluents[fluent.0 as usize])
}

/// A literal that is true if only one of two states has a member of the group.
pub(super) fn one_has_none(net: &mut Net, group: &[FluentId], a: &Symbolic, b: &Symbolic) -> Lit {
    let (any_a, any_b) = (net.or(lits(group, a)), net.or(lits(group, b)));
    net.differ(any_a, any_b)
}

/// A literal that is true if the number of members may have changed differently in the two matches, in some round from
/// `before` to now.
pub(super) fn unevenly_changed(
    net: &mut Net,
    group: &[FluentId],
    before: &[(Symbolic, Symbolic)],
    (a, b): (&Symbolic, &Symbolic),
) -> Lit {
    let after = before.iter().skip(1).map(|(a, b)| (a, b)).chain([(a, b)]);
    let rounds = before.iter().zip(after);
    let uneven = rounds.map(|((old_a, old_b), (a, b))| {
        let ((down_a, up_a, many_a), (down_b, up_b, many_b)) =
            (change(net, group, old_a, a), change(net, group, old_b, b));
        let (down, up) = (net.differ(down_a, down_b), net.differ(up_a, up_b));
        net.or([down, up, many_a, many_b])
    });
    let uneven: Vec<Lit> = uneven.collect();
    net.or(uneven)
}

/// Literals for this round: one fewer holds afterwards, one more, and more than one ceased or began to hold.
fn change(net: &mut Net, group: &[FluentId], before: &Symbolic, after: &Symbolic) -> (Lit, Lit, Lit) {
    let sides: Vec<(Lit, Lit)> = lits(group, before).zip(lits(group, after)).filter(|(old, new)| old != new).collect();
    let fell: Vec<Lit> = sides.iter().map(|&(old, new)| net.and([old, !new])).collect();
    let rose: Vec<Lit> = sides.iter().map(|&(old, new)| net.and([!old, new])).collect();
    let ((fell, two_fell), (rose, two_rose)) = (net.one_and_two(&fell), net.one_and_two(&rose));
    (net.and([fell, !rose]), net.and([rose, !fell]), net.or([two_fell, two_rose]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_group() {
        let ids = |ids: &[u32]| ids.iter().map(|&id| FluentId(id)).collect::<Vec<_>>();
        let parts = [ids(&[1, 2]), ids(&[2, 3]), ids(&[3, 4])];
        assert!(is_made_of(&ids(&[1, 2, 3, 4]), &parts));
        assert!(!is_made_of(&ids(&[1, 2, 3]), &parts));
        assert!(!is_made_of(&ids(&[1, 2, 5]), &parts));
    }
}
