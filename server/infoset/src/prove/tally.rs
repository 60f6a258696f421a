//! The number of fluents of a group that hold in every match after a given number of rounds, if every round changes it
//! by the same amount.
//!
//! A deck that loses a card each round cannot run out before its last card: for a solver that is a pigeonhole problem,
//! and hard; with a count, each round is an easy question, and "one of them is left" a clause.

use percept_game::{FluentId, Game};

use super::shapes::groups_by_name;
use crate::clauses::Clauses;
use crate::net::{Lit, Net};

/// A group of fluents and the number of its members that hold at present.
pub(super) struct Tally {
    fluents: Vec<u32>,
    count: usize,
}

/// The least number of members that must hold at first to make a group worth counting.
const FEWEST: usize = 3;

/// The most members of a group worth counting. The questions about two thousand numbers on a few heaps keep a solver busy
/// for ten seconds in which it does not look at the clock.
const MOST: usize = 1000;

impl Tally {
    /// The groups worth counting in the initial state.
    pub(super) fn all(game: &Game) -> Vec<Tally> {
        let first = game.rules.initial();
        let groups = groups_by_name(game).into_iter().filter(|fluents| fluents.len() <= MOST).map(|fluents| {
            let count = fluents.iter().filter(|&&fluent| first.has(FluentId(fluent))).count();
            Tally { fluents, count }
        });
        groups.filter(|tally| tally.count >= FEWEST).collect()
    }

    /// Updates the number after one round. False if rounds may differ, so that the number is no longer known.
    pub(super) fn follow(&mut self, net: &mut Net, clauses: &mut Clauses, old: &[Lit], new: &[Lit]) -> bool {
        let at = |state: &[Lit], fluent: u32| state.get(fluent as usize).copied().unwrap_or(Lit::FALSE);
        let sides = self.fluents.iter().map(|&fluent| (at(old, fluent), at(new, fluent)));
        let changed: Vec<(Lit, Lit)> = sides.filter(|(old, new)| old != new).collect();
        let fell: Vec<Lit> = changed.iter().map(|&(old, new)| net.and([old, !new])).collect();
        let rose: Vec<Lit> = changed.iter().map(|&(old, new)| net.and([!old, new])).collect();
        let ((fell, two_fell), (rose, two_rose)) = (net.one_and_two(&fell), net.one_and_two(&rose));
        let uneven = net.differ(fell, rose);
        for (change, wrong) in
            [(-1, [!fell, two_fell, rose]), (0, [two_fell, two_rose, uneven]), (1, [fell, two_rose, !rose])]
        {
            let wrong = net.or(wrong);
            if wrong == Lit::FALSE || clauses.solve(net, &[wrong]) == Some(false) {
                let Some(count) = self.count.checked_add_signed(change) else { return false };
                self.count = count;
                return true;
            }
        }
        false
    }

    /// Adds the consequences of the number for a state: at least one member holds, or none does.
    pub(super) fn tell(&self, net: &Net, clauses: &mut Clauses, state: &[Lit]) {
        let lits = self.fluents.iter().map(|&fluent| state[fluent as usize]);
        match self.count {
            0 => lits.for_each(|lit| clauses.add(net, [!lit])),
            _ => clauses.add(net, lits),
        }
    }
}
