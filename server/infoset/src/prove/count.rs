//! Counters that count moves: a number in the state, kept as one fluent per value, always equals the number of *tokens*
//! that are left, such as the cells of a ship that are not hit.
//!
//! A token is a fluent together with a move that removes the token: it is there while the fluent holds and the move was
//! not made yet. "The move was made" is a history variable (Abadi and Lamport, "The existence of refinement mappings",
//! 1991): it does not change the game, but claims can refer to it.

use super::claims::Count;
use super::twin::Symbolic;
use crate::net::{Lit, Net};

impl Count {
    fn present(&self, net: &mut Net, state: &Symbolic) -> Vec<Lit> {
        self.tokens.iter().map(|&(fluent, made)| net.and([state.atom(fluent), !state.atom(made)])).collect()
    }

    fn value(&self, state: &Symbolic, value: i64) -> Lit {
        let found = self.values.iter().find(|(other, _)| *other == value);
        found.map_or(Lit::FALSE, |&(_, atom)| state.atom(atom))
    }

    /// The consequences in every state: if no token is left, the value is `offset`; if a token is left, it is another
    /// value.
    pub(crate) fn clauses(&self, net: &mut Net, state: &Symbolic) -> Vec<Vec<Lit>> {
        let present = self.present(net, state);
        let none = self.value(state, self.offset);
        let some: Vec<Lit> =
            self.values.iter().filter(|(value, _)| *value != self.offset).map(|&(_, atom)| state.atom(atom)).collect();
        let mut clauses = vec![present.iter().copied().chain([none]).collect::<Vec<Lit>>()];
        clauses.extend(present.into_iter().map(|token| some.iter().copied().chain([!token]).collect()));
        clauses
    }

    /// A literal that is true if the state violates the count.
    pub(crate) fn violated(&self, net: &mut Net, state: &Symbolic) -> Lit {
        let tokens = self.present(net, state);
        let most = self.values.iter().map(|(value, _)| (value - self.offset) * self.sign).max().unwrap_or(0).max(0);
        let most = (most as usize).min(tokens.len());
        // at_least[k]: at least k of the tokens so far are there.
        let mut at_least = vec![Lit::FALSE; most + 2];
        at_least[0] = Lit::TRUE;
        for token in tokens {
            for k in (1..at_least.len()).rev() {
                let reached = net.and([at_least[k - 1], token]);
                at_least[k] = net.or([at_least[k], reached]);
            }
        }
        let mut wrong = vec![at_least[most + 1]];
        for k in 0..=most {
            let value = self.value(state, self.sign * k as i64 + self.offset);
            wrong.push(net.and([at_least[k], !at_least[k + 1], !value]));
        }
        net.or(wrong)
    }

    /// A literal that is true if a round leads from a right state to a wrong one: a token returns, two tokens vanish at
    /// once, or the value does not change with the tokens.
    pub(crate) fn broken(&self, net: &mut Net, before: &Symbolic, after: &Symbolic) -> Lit {
        let (old, new) = (self.present(net, before), self.present(net, after));
        let mut wrong = Vec::new();
        let mut fell = Lit::FALSE;
        for (&old, &new) in old.iter().zip(&new) {
            let falls = net.and([old, !new]);
            wrong.push(net.and([!old, new]));
            wrong.push(net.and([fell, falls]));
            fell = net.or([fell, falls]);
        }
        for &(value, atom) in &self.values {
            let (held, stays, follows) =
                (before.atom(atom), self.value(after, value), self.value(after, value - self.sign));
            wrong.push(net.and([held, fell, !follows]));
            wrong.push(net.and([held, !fell, !stays]));
        }
        net.or(wrong)
    }
}
