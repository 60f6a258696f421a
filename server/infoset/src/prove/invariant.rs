//! Facts about every state that can be reached in so many rounds or more.
//!
//! Candidates come from random play ([`super::mine`]) and are proved by simultaneous induction: they hold in every state
//! after `from` rounds (the first state, or a question to the solver), all together are assumed before a round, and
//! whatever a round can break is dropped, until nothing breaks.

use percept_game::circuit::Lit;
use percept_game::{MoveId, RoleId};

use super::agree::Obligation;
use super::bounded::Bounded;
use super::count::Count;
use super::sieve::Sieve;
use super::twin::{Moves, Setting, Symbolic};
use crate::Budget;
use crate::clauses::Clauses;
use crate::net::Net;

/// A fluent, or, from the number of fluents on, a history variable: whether a move was made before.
pub(super) type Atom = u32;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    /// One of these is so.
    Clause(Vec<(Atom, bool)>),
    /// At most one of these holds.
    AtMostOne(Vec<Atom>),
}

impl Claim {
    /// True where the state contradicts it.
    pub(crate) fn violated(&self, net: &mut Net, state: &Symbolic) -> Lit {
        match self {
            Claim::Clause(literals) => {
                let lit = |&(atom, holds): &(Atom, bool)| if holds { !state.atom(atom) } else { state.atom(atom) };
                let literals: Vec<Lit> = literals.iter().map(lit).collect();
                net.and(literals)
            }
            Claim::AtMostOne(atoms) => {
                let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
                for &atom in atoms {
                    let atom = state.atom(atom);
                    let again = net.and([one, atom]);
                    two = net.or([two, again]);
                    one = net.or([one, atom]);
                }
                two
            }
        }
    }
}

/// Proved invariants of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Invariants {
    /// They hold in every state after at least so many rounds.
    pub from: usize,
    /// The history variables.
    pub made: Vec<(RoleId, MoveId)>,
    pub claims: Vec<Claim>,
    pub counts: Vec<Count>,
}

impl Invariants {
    /// A state that keeps them; of everything else nothing is known.
    pub(crate) fn any_state(&self, setting: &Setting<'_>, net: &mut Net) -> Symbolic {
        let mut state = setting.any_state(net);
        self.fix(&mut state);
        state
    }

    /// Puts in what claims of one literal say, so that it folds away before any clause is written.
    pub(crate) fn fix(&self, state: &mut Symbolic) {
        for claim in &self.claims {
            if let Claim::Clause(literals) = claim
                && let [(atom, holds)] = literals[..]
            {
                state.set(atom, if holds { Lit::TRUE } else { Lit::FALSE });
            }
        }
    }

    /// Demands all of them of a state.
    pub(crate) fn demand(&self, net: &mut Net, clauses: &mut Clauses, state: &Symbolic) {
        for index in 0..self.len() {
            for clause in self.clauses(index, net, state) {
                clauses.add(net, clause);
            }
        }
    }

    /// What the one with this number says of a state.
    pub(crate) fn clauses(&self, index: usize, net: &mut Net, state: &Symbolic) -> Vec<Vec<Lit>> {
        match self.claims.get(index) {
            Some(claim) => match claim.violated(net, state) {
                Lit::FALSE => Vec::new(),
                violated => vec![vec![!violated]],
            },
            None => self.counts[index - self.claims.len()].clauses(net, state),
        }
    }

    /// For each of them, what is true where a round led from a state that keeps it to one that does not.
    pub(crate) fn broken(&self, net: &mut Net, before: &Symbolic, after: &Symbolic) -> Vec<Lit> {
        let claims = self.claims.iter().map(|claim| claim.violated(net, after)).collect::<Vec<_>>();
        let counts = self.counts.iter().map(|count| count.broken(net, before, after)).collect::<Vec<_>>();
        [claims, counts].concat()
    }

    /// A round from a state of which only claims of one literal are assumed.
    pub(crate) fn round(&self, setting: &Setting<'_>, net: &mut Net, clauses: &mut Clauses) -> (Symbolic, Symbolic) {
        let before = self.any_state(setting, net);
        let copy = setting.copy(net, &before, Moves::Own, &[]);
        setting.demand_round(net, clauses, &copy);
        let after = setting.next(net, &copy);
        (before, after)
    }

    /// How many there are; they are numbered, claims first.
    pub(crate) fn len(&self) -> usize {
        self.claims.len() + self.counts.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// For each of them, what is true where the state contradicts it.
    pub(crate) fn violated(&self, net: &mut Net, state: &Symbolic) -> Vec<Lit> {
        let claims = self.claims.iter().map(|claim| claim.violated(net, state)).collect::<Vec<_>>();
        let counts = self.counts.iter().map(|count| count.violated(net, state)).collect::<Vec<_>>();
        [claims, counts].concat()
    }

    /// Those that hold in every state after the rounds of `base` and that no round breaks. `None` where the time was up.
    pub(crate) fn prove(
        mut self,
        setting: &Setting<'_>,
        base: &mut Bounded<'_>,
        budget: &Budget,
    ) -> Option<Invariants> {
        let broken = base.which(|net, state, _| self.violated(net, state), &self.made)?;
        self = self.without(&broken);
        loop {
            let (broken, settled) = Sieve::new(setting, &self, budget).sift(&self, budget)?;
            self = self.without(&broken);
            if settled {
                return Some(self);
            }
        }
    }

    /// Without those marked, claims first.
    fn without(self, broken: &[bool]) -> Invariants {
        let (claims, counts) = broken.split_at(self.claims.len());
        Invariants { claims: whole(self.claims, claims), counts: whole(self.counts, counts), ..self }
    }
}

/// The questions behind the invariants: no round from a state that keeps them all may break one of them.
pub(crate) fn step_obligation(setting: &Setting<'_>, invariants: &Invariants, mut clauses: Clauses) -> Obligation {
    let mut net = Net::new();
    let (before, after) = invariants.round(setting, &mut net, &mut clauses);
    invariants.demand(&mut net, &mut clauses, &before);
    let targets = invariants.broken(&mut net, &before, &after);
    Obligation { net, clauses, targets }
}

/// What is not broken.
fn whole<T>(all: Vec<T>, broken: &[bool]) -> Vec<T> {
    all.into_iter().zip(broken).filter(|(_, broken)| !**broken).map(|(one, _)| one).collect()
}
