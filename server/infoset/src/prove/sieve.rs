//! Finds the claims that no round breaks if all of them hold before it: those that a round breaks are dropped, until
//! none is broken.
//!
//! One solver serves all passes. Claims are assumed in groups, each with a switch. If no target of a group can be
//! broken, the solver reports the switches that this needed, and the group is asked again only if one of them has lost
//! a member.

use super::candidates::{self, BRIEFLY, GROUP};
use super::vary::Vary;
use crate::Budget;
use crate::clauses::Clauses;
use crate::net::{Lit, Net};

/// A claim about the states before and after a round.
pub(super) struct Case {
    /// Its assumptions about the state before, as clauses.
    pub assumed: Vec<Vec<Lit>>,
    /// A literal that is true if the round broke it; constant false if no round is known to.
    pub broken: Lit,
    /// True if the round was built with this claim, and has to be rebuilt if it is broken.
    pub is_built_in: bool,
}

/// A round from any state, and the current assumptions about that state.
pub(super) struct Sieve {
    net: Net,
    clauses: Clauses,
    cases: Vec<Case>,
    /// For each claim, a literal that is true if the round broke it.
    targets: Vec<Lit>,
    /// The switch of each group of assumptions.
    switches: Vec<Lit>,
    /// For each group of targets, the groups of assumptions that make it unbreakable; `None` if unknown.
    reasons: Vec<Option<Vec<usize>>>,
    broken: Vec<bool>,
    vary: Vary,
}

/// The progress of a sieve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sifted {
    /// No round breaks the remaining claims.
    Settled,
    /// A claim that is built into the round was broken, so another pass is needed.
    Again,
    /// The time was up.
    OutOfTime,
}

impl Sieve {
    /// A sieve over a round that was made in `net` and demanded in `clauses`.
    pub(super) fn new(net: Net, clauses: Clauses, cases: Vec<Case>, vary: Vary) -> Sieve {
        let targets: Vec<Lit> = cases.iter().map(|case| case.broken).collect();
        let groups = targets.len().div_ceil(GROUP);
        let broken = vec![false; targets.len()];
        let (switches, reasons) = (vec![Lit::TRUE; groups], vec![None; groups]);
        let mut sieve = Sieve { net, clauses, cases, targets, switches, reasons, broken, vary };
        (0..groups).for_each(|group| sieve.assume(group));
        sieve
    }

    fn members(&self, group: usize) -> std::ops::Range<usize> {
        group * GROUP..((group + 1) * GROUP).min(self.targets.len())
    }

    /// Makes a new switch for the claims of a group that are left.
    fn assume(&mut self, group: usize) {
        let switch = self.net.input();
        for index in self.members(group).filter(|&index| !self.broken[index]) {
            for clause in &self.cases[index].assumed {
                self.clauses.add(&self.net, clause.iter().copied().chain([!switch]));
            }
        }
        self.switches[group] = switch;
    }

    /// The broken claims, and the progress. `what`: the noun for the message "n ... left".
    pub(super) fn sift(mut self, what: &'static str, budget: &Budget) -> (Vec<bool>, Sifted) {
        while self.reasons.contains(&None) {
            let before = self.broken.clone();
            for group in (0..self.reasons.len()).filter(|&group| self.reasons[group].is_none()).collect::<Vec<_>>() {
                match self.break_all(group) {
                    Some(reasons) => self.reasons[group] = Some(reasons),
                    None => return (self.broken, Sifted::OutOfTime),
                }
            }
            let fresh: Vec<usize> = (0..before.len()).filter(|&index| before[index] != self.broken[index]).collect();
            budget.report(what, self.broken.iter().filter(|broken| !**broken).count(), None);
            if fresh.iter().any(|&index| self.cases[index].is_built_in) {
                return (self.broken, Sifted::Again);
            }
            let mut changed: Vec<usize> = fresh.into_iter().map(|index| index / GROUP).collect();
            changed.dedup();
            for reasons in &mut self.reasons {
                let stale = reasons.as_ref().is_some_and(|reasons| changed.iter().any(|group| reasons.contains(group)));
                if stale {
                    *reasons = None;
                }
            }
            changed.into_iter().for_each(|group| self.assume(group));
        }
        (self.broken, Sifted::Settled)
    }

    /// Marks the targets of a group that can be broken, and returns the reason why the rest cannot. `None` if the time
    /// was up.
    fn break_all(&mut self, group: usize) -> Option<Vec<usize>> {
        loop {
            let left = self.members(group).filter(|&index| !self.broken[index]);
            let Some(any) = candidates::any(&mut self.net, &self.targets, left) else { return Some(Vec::new()) };
            let assumptions = self.assumptions(any);
            match self.clauses.solve_briefly(&self.net, &assumptions, BRIEFLY) {
                Some(true) => self.learn(),
                Some(false) => return Some(self.blamed()),
                // All groups are asked again then, so the reason why nothing else is broken does not matter.
                None if self.is_outdated() && self.clauses.check().is_ok() => return Some(Vec::new()),
                None => return self.break_each(group),
            }
        }
    }

    /// Like [`Sieve::break_all`], one target after the other.
    fn break_each(&mut self, group: usize) -> Option<Vec<usize>> {
        let mut reasons = Vec::new();
        for index in self.members(group) {
            if self.broken[index] || self.targets[index] == Lit::FALSE {
                continue;
            }
            let assumptions = self.assumptions(self.targets[index]);
            match self.clauses.solve(&self.net, &assumptions)? {
                true => self.learn(),
                false => reasons.extend(self.blamed()),
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        Some(reasons)
    }

    /// Marks the claims that are broken in the last model, and in other rounds from its states.
    fn learn(&mut self) {
        let values = self.net.values(|input| self.clauses.value(input));
        candidates::mark(&values, &self.targets, &mut self.broken);
        self.vary.mark(&self.net, &values, &self.targets, &mut self.broken);
    }

    /// True if a claim that is built into the round is broken.
    fn is_outdated(&self) -> bool {
        self.cases.iter().zip(&self.broken).any(|(case, broken)| *broken && case.is_built_in)
    }

    /// The assumptions for a query: the target, and all claims that are left.
    fn assumptions(&self, target: Lit) -> Vec<Lit> {
        self.switches.iter().copied().chain([target]).collect()
    }

    /// The groups of assumptions that took part in the last contradiction.
    fn blamed(&mut self) -> Vec<usize> {
        let (net, clauses) = (&self.net, &mut self.clauses);
        (0..self.switches.len()).filter(|&it| clauses.blamed(net, self.switches[it])).collect()
    }
}
