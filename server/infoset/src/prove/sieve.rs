//! Which of the claimed invariants does a round break, when all are assumed? Those are dropped, until none is broken.
//!
//! One solver for all passes. Claims are assumed in groups, each by a switch; when a group of targets is found unbreakable,
//! the solver says which switches it needed, and it is asked again only when one of those groups has lost a member.

use super::candidates::{self, GROUP};
use super::invariant::{Claim, Invariants};
use super::twin::{Setting, Symbolic};
use crate::Budget;
use crate::clauses::Clauses;
use crate::net::{Lit, Net};

/// A round from any state, and what is assumed of that state so far.
pub(crate) struct Sieve {
    net: Net,
    clauses: Clauses,
    before: Symbolic,
    /// What is true where the round broke an invariant.
    targets: Vec<Lit>,
    /// The switch of each group of assumptions.
    switches: Vec<Lit>,
    /// For each group of targets the groups of assumptions that make it unbreakable; `None`: not known.
    reasons: Vec<Option<Vec<usize>>>,
    broken: Vec<bool>,
}

impl Sieve {
    pub(super) fn new(setting: &Setting<'_>, invariants: &Invariants, budget: &Budget) -> Sieve {
        let setting = Setting { made: &invariants.made, ..*setting };
        let (mut net, mut clauses) = (Net::new(), Clauses::for_many(budget));
        let (before, after) = invariants.round(&setting, &mut net, &mut clauses);
        let targets = invariants.broken(&mut net, &before, &after);
        let groups = targets.len().div_ceil(GROUP);
        let broken = vec![false; targets.len()];
        let (switches, reasons) = (vec![Lit::TRUE; groups], vec![None; groups]);
        let mut sieve = Sieve { net, clauses, before, targets, switches, reasons, broken };
        (0..groups).for_each(|group| sieve.assume(invariants, group));
        sieve
    }

    fn members(&self, group: usize) -> std::ops::Range<usize> {
        group * GROUP..((group + 1) * GROUP).min(self.targets.len())
    }

    /// A fresh switch for what is left of a group.
    fn assume(&mut self, invariants: &Invariants, group: usize) {
        let switch = self.net.input();
        for index in self.members(group).filter(|&index| !self.broken[index]) {
            for clause in invariants.clauses(index, &mut self.net, &self.before) {
                self.clauses.add(&self.net, clause.into_iter().chain([!switch]));
            }
        }
        self.switches[group] = switch;
    }

    /// What is broken, and whether nothing else can be: not so where a claim of one literal was broken, which is built
    /// into the round. `None` where the time was up.
    pub(crate) fn sift(mut self, invariants: &Invariants, budget: &Budget) -> Option<(Vec<bool>, bool)> {
        while self.reasons.contains(&None) {
            let before = self.broken.clone();
            for group in (0..self.reasons.len()).filter(|&group| self.reasons[group].is_none()).collect::<Vec<_>>() {
                self.reasons[group] = Some(self.break_all(group)?);
            }
            let fresh: Vec<usize> = (0..before.len()).filter(|&index| before[index] != self.broken[index]).collect();
            budget.report("invariants left", self.broken.iter().filter(|broken| !**broken).count(), None);
            let is_unit =
                |&index: &usize| matches!(invariants.claims.get(index), Some(Claim::Clause(it)) if it.len() == 1);
            if fresh.iter().any(is_unit) {
                return Some((self.broken, false));
            }
            let mut changed: Vec<usize> = fresh.into_iter().map(|index| index / GROUP).collect();
            changed.dedup();
            for reasons in &mut self.reasons {
                let stale = reasons.as_ref().is_some_and(|reasons| changed.iter().any(|group| reasons.contains(group)));
                if stale {
                    *reasons = None;
                }
            }
            changed.into_iter().for_each(|group| self.assume(invariants, group));
        }
        Some((self.broken, true))
    }

    /// Marks what can be broken of a group of targets; why the rest cannot.
    fn break_all(&mut self, group: usize) -> Option<Vec<usize>> {
        loop {
            let left = self.members(group).filter(|&index| !self.broken[index]);
            let Some(any) = candidates::any(&mut self.net, &self.targets, left) else { return Some(Vec::new()) };
            let assumptions: Vec<Lit> = self.switches.iter().copied().chain([any]).collect();
            if !self.clauses.solve(&self.net, &assumptions)? {
                let (net, clauses) = (&self.net, &mut self.clauses);
                return Some((0..self.switches.len()).filter(|&it| clauses.blamed(net, self.switches[it])).collect());
            }
            candidates::hits(&self.net, &self.clauses, &self.targets, &mut self.broken);
        }
    }
}
