//! Facts about every state reachable in a given number of rounds or more.
//!
//! Candidates come from random play ([`super::mine`]) and are proved by simultaneous induction: they hold in every
//! state after `from` rounds (the initial state, or a question to the solver), all of them are assumed before a round,
//! and those that a round can break are dropped, until nothing breaks.

use percept_game::circuit::Lit;

use super::bounded::Bounded;
use super::candidates::Obligation;
use super::claims::{Atom, Claim, Invariants};
use super::setting::Setting;
use super::sieve::{Case, Sieve, Sifted};
use super::twin::{Copy, Moves, Symbolic};
use super::vary::Vary;
use crate::Budget;
use crate::clauses::Clauses;
use crate::net::Net;

impl Claim {
    /// A literal that is true if the state contradicts it.
    pub(crate) fn violated(&self, net: &mut Net, state: &Symbolic) -> Lit {
        match self {
            Claim::Clause(literals) => {
                let lit = |&(atom, holds): &(Atom, bool)| if holds { !state.atom(atom) } else { state.atom(atom) };
                let literals: Vec<Lit> = literals.iter().map(lit).collect();
                net.and(literals)
            }
            Claim::AtMostOne(atoms) => {
                let atoms: Vec<Lit> = atoms.iter().map(|&atom| state.atom(atom)).collect();
                net.one_and_two(&atoms).1
            }
        }
    }
}

impl Invariants {
    /// A state of which only the invariants are known.
    pub(crate) fn any_state(&self, setting: &Setting<'_>, net: &mut Net) -> Symbolic {
        let mut state = setting.any_state(net);
        self.fix(&mut state);
        state
    }

    /// Sets the literals that claims of one literal fix, so that they fold away before any clause is written.
    pub(crate) fn fix(&self, state: &mut Symbolic) {
        for claim in &self.claims {
            if let Claim::Clause(literals) = claim
                && let [(atom, holds)] = literals[..]
            {
                state.set(atom, if holds { Lit::TRUE } else { Lit::FALSE });
            }
        }
    }

    /// Demands all invariants of a state.
    pub(crate) fn demand(&self, net: &mut Net, clauses: &mut Clauses, state: &Symbolic) {
        for index in 0..self.len() {
            for clause in self.clauses(index, net, state) {
                clauses.add(net, clause);
            }
        }
    }

    /// The clauses that the invariant with this number has for a state.
    pub(crate) fn clauses(&self, index: usize, net: &mut Net, state: &Symbolic) -> Vec<Vec<Lit>> {
        match self.claims.get(index) {
            Some(claim) => match claim.violated(net, state) {
                Lit::FALSE => Vec::new(),
                violated => vec![vec![!violated]],
            },
            None => self.counts[index - self.claims.len()].clauses(net, state),
        }
    }

    /// For each of them, a literal that is true if a round led from a state that satisfies it to one that does not.
    pub(crate) fn broken(&self, net: &mut Net, before: &Symbolic, after: &Symbolic) -> Vec<Lit> {
        let claims = self.claims.iter().map(|claim| claim.violated(net, after)).collect::<Vec<_>>();
        let counts = self.counts.iter().map(|count| count.broken(net, before, after)).collect::<Vec<_>>();
        [claims, counts].concat()
    }

    /// A round from any state of which only the claims of one literal are assumed.
    pub(crate) fn round(
        &self,
        setting: &Setting<'_>,
        net: &mut Net,
        clauses: &mut Clauses,
    ) -> (Symbolic, Copy, Symbolic) {
        let before = self.any_state(setting, net);
        let copy = setting.copy(net, &before, Moves::Own, &[]);
        setting.demand_round(net, clauses, &copy);
        let after = setting.next(net, &copy);
        (before, copy, after)
    }

    /// For each of them, a literal that is true if the state contradicts it.
    pub(crate) fn violated(&self, net: &mut Net, state: &Symbolic) -> Vec<Lit> {
        let claims = self.claims.iter().map(|claim| claim.violated(net, state)).collect::<Vec<_>>();
        let counts = self.counts.iter().map(|count| count.violated(net, state)).collect::<Vec<_>>();
        [claims, counts].concat()
    }

    /// The invariants that hold in every state after the rounds of `base`. `None` if time ran out.
    pub(crate) fn after(self, base: &mut Bounded<'_>) -> Option<Invariants> {
        let broken = base.which(|net, state, _| self.violated(net, state), &self.made)?;
        Some(self.without(&broken))
    }

    /// Drops the claims that a round breaks. Returns the rest, and true if all of them are proved; false if the time
    /// was up. `proved`: the number of claims, from the first, that are proved already; if it is not 0, all counts are
    /// proved, too.
    pub(crate) fn prove(mut self, setting: &Setting<'_>, proved: usize, budget: &Budget) -> (Invariants, bool) {
        loop {
            let (broken, sifted) = self.sieve(setting, proved, budget).sift("invariants left", budget);
            self = self.without(&broken);
            match sifted {
                Sifted::Again => {}
                Sifted::Settled => return (self, true),
                Sifted::OutOfTime => return (self, false),
            }
        }
    }

    /// A round from any state that satisfies the known invariants.
    fn sieve(&self, setting: &Setting<'_>, proved: usize, budget: &Budget) -> Sieve {
        let setting = Setting { made: &self.made, ..*setting };
        let (mut net, mut clauses) = (Net::new(), Clauses::for_many(budget));
        let (before, copy, after) = self.round(&setting, &mut net, &mut clauses);
        let targets = self.broken(&mut net, &before, &after);
        let mut cases = Vec::with_capacity(targets.len());
        for (index, broken) in targets.into_iter().enumerate() {
            let assumed = self.clauses(index, &mut net, &before);
            let is_known = index < proved || proved > 0 && index >= self.claims.len();
            if is_known {
                assumed.into_iter().for_each(|clause| clauses.add(&net, clause));
                cases.push(Case { assumed: Vec::new(), broken: Lit::FALSE, is_built_in: false });
                continue;
            }
            let is_built_in = matches!(self.claims.get(index), Some(Claim::Clause(literals)) if literals.len() == 1);
            cases.push(Case { assumed, broken, is_built_in });
        }
        let vary = Vary::new(&setting, &mut net, &[&copy]);
        Sieve::new(net, clauses, cases, vary)
    }
}

/// The questions behind the invariants: no round from a state that satisfies all of them may break one.
pub(crate) fn step_obligation(setting: &Setting<'_>, invariants: &Invariants, mut clauses: Clauses) -> Obligation {
    let mut net = Net::new();
    let (before, _, after) = invariants.round(setting, &mut net, &mut clauses);
    invariants.demand(&mut net, &mut clauses, &before);
    let targets = invariants.broken(&mut net, &before, &after);
    Obligation { net, clauses, targets }
}
