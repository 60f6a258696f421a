//! Groups of fluents of which as many hold in one match as in the other, whichever they are.
//!
//! A role that does not know which cards are left in the deck knows how many, and so whether one is left; it knows that its
//! rival holds a card, though not which. In two matches that look alike each round takes as many away and adds as many, and so
//! their numbers agree for ever, without either number being known. What a round is asked about is its change alone, in the
//! induction and in the rounds before it begins: at most one of a group may begin to hold, at most one cease. (To compare the
//! numbers themselves would make the solver count, which it is bad at.)

use percept_game::FluentId;
use rustc_hash::FxHashSet;

use super::agree::Agreement;
use super::invariant::Invariants;
use super::mine::groups_by_name;
use super::twin::{Setting, Symbolic};
use crate::net::{Lit, Net};

/// Groups that are looked at.
const MOST_GROUPS: usize = 2_000;
/// Members of a group.
const MOST_MEMBERS: usize = 500;

/// A group of fluents.
pub(crate) type Group = Vec<FluentId>;

/// The groups, by the names of their members, of which some do not agree alone; what agrees alone is left out of them, and
/// those of which the invariants say how many hold.
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

/// Whether a group falls into some of these parts.
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

/// True where one of two states has a member of the group and the other has none.
pub(super) fn one_has_none(net: &mut Net, group: &[FluentId], a: &Symbolic, b: &Symbolic) -> Lit {
    let (any_a, any_b) = (net.or(lits(group, a)), net.or(lits(group, b)));
    net.differ(any_a, any_b)
}

/// True where the number of members that hold may have changed otherwise in one match than in the other, in some round from
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

/// Whether in this round one fewer holds afterwards, whether one more, and whether more than one ceased or began to hold.
fn change(net: &mut Net, group: &[FluentId], before: &Symbolic, after: &Symbolic) -> (Lit, Lit, Lit) {
    let sides: Vec<(Lit, Lit)> = lits(group, before).zip(lits(group, after)).filter(|(old, new)| old != new).collect();
    let fell: Vec<Lit> = sides.iter().map(|&(old, new)| net.and([old, !new])).collect();
    let rose: Vec<Lit> = sides.iter().map(|&(old, new)| net.and([!old, new])).collect();
    let ((fell, two_fell), (rose, two_rose)) = (one_and_two(net, &fell), one_and_two(net, &rose));
    (net.and([fell, !rose]), net.and([rose, !fell]), net.or([two_fell, two_rose]))
}

/// Whether one of the literals holds, and whether two do.
pub(super) fn one_and_two(net: &mut Net, lits: &[Lit]) -> (Lit, Lit) {
    let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
    for &lit in lits {
        let again = net.and([one, lit]);
        two = net.or([two, again]);
        one = net.or([one, lit]);
    }
    (one, two)
}

#[cfg(test)]
mod tests {
    use percept_game::{Game, Scope};

    use super::super::agree::Counts;
    use super::super::bounded::Bounded;
    use super::*;
    use crate::Budget;
    use percept_test::gdl;

    /// Chance takes a card of three a round; `{}`: what it may do beside that, and what the player sees of that.
    fn deck(beside: &str) -> Game {
        let text = "(role p) (role random) (init (card 1)) (init (card 2)) (init (card 3))
            (legal p look) (<= (legal random (take ?c)) (true (card ?c)))
            (<= (next (card ?c)) (true (card ?c)) (not (does random (take ?c))))
            (<= terminal (not (true (card 1))) (not (true (card 2))) (not (true (card 3)))) (goal p 50)";
        gdl(&format!("{text} {beside}"))
    }

    /// Whether the number of cards agrees after so many rounds, and after every round when it did before.
    fn agrees(game: &Game, rounds: usize) -> bool {
        let ground = game.rules.ground(&Scope::default()).expect("a circuit");
        let role = game.role("p").expect("a role");
        let setting = Setting { game, ground: &ground, role, made: &[] };
        let cards = ["1", "2", "3"].map(|card| game.rules.find_fluent(&format!("(card {card})")).expect("a fluent"));
        let counts = Counts { all: vec![cards.to_vec()], agreeing: vec![0] };
        let mut base = Bounded::new(game, role, Some(ground.clone()), &Budget::default()).expect("a round");
        (0..rounds).for_each(|_| base.deepen().expect("time"));
        let left = Agreement { counts, ..Agreement::default() }.at(&setting, &mut base).expect("time");
        left.counts.agreeing == [0]
    }

    #[test]
    fn what_happens_in_a_prelude_is_looked_at() {
        let (told, untold) =
            (deck("(legal random none) (<= (sees p taken) (does random (take ?c)))"), deck("(legal random none)"));
        assert!((0..3).all(|rounds| agrees(&told, rounds)));
        assert!(agrees(&untold, 0));
        assert!((1..3).all(|rounds| !agrees(&untold, rounds)));
        assert!((1..3).all(|rounds| agrees(&deck(""), rounds)), "a card every round");
    }

    #[test]
    fn parts_of_a_group() {
        let ids = |ids: &[u32]| ids.iter().map(|&id| FluentId(id)).collect::<Vec<_>>();
        let parts = [ids(&[1, 2]), ids(&[2, 3]), ids(&[3, 4])];
        assert!(is_made_of(&ids(&[1, 2, 3, 4]), &parts));
        assert!(!is_made_of(&ids(&[1, 2, 3]), &parts));
        assert!(!is_made_of(&ids(&[1, 2, 5]), &parts));
    }
}
