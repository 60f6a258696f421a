//! Unification of patterns, for equalities found while lowering.

use rustc_hash::FxHashMap;

use super::lower::compound;
use super::program::{Atom, Condition, Pattern};
use crate::terms::Terms;

/// A triangular substitution of variables.
#[derive(Clone, Default)]
pub(super) struct Substitution {
    values: FxHashMap<u32, Pattern>,
}

impl Substitution {
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn resolve(&self, mut pattern: Pattern) -> Pattern {
        while let Pattern::Variable(variable) = pattern {
            match self.values.get(&variable) {
                Some(value) => pattern = value.clone(),
                None => break,
            }
        }
        pattern
    }

    /// Extends the substitution so that both patterns become equal; false if that is impossible.
    pub(super) fn unify(&mut self, terms: &Terms, left: &Pattern, right: &Pattern) -> bool {
        let (left, right) = (self.resolve(left.clone()), self.resolve(right.clone()));
        match (&left, &right) {
            (Pattern::Variable(a), Pattern::Variable(b)) if a == b => true,
            (Pattern::Variable(variable), other) | (other, Pattern::Variable(variable)) => {
                if self.occurs(*variable, other) {
                    return false;
                }
                self.values.insert(*variable, other.clone());
                true
            }
            (Pattern::Ground(a), Pattern::Ground(b)) => a == b,
            (Pattern::Ground(term), Pattern::Compound(functor, args))
            | (Pattern::Compound(functor, args), Pattern::Ground(term)) => {
                let Some(parts) = terms.args(*term) else { return false };
                terms.functor(*term) == *functor
                    && parts.len() == args.len()
                    && args.iter().zip(parts).all(|(arg, &part)| self.unify(terms, arg, &Pattern::Ground(part)))
            }
            (Pattern::Compound(f, left), Pattern::Compound(g, right)) => {
                f == g
                    && left.len() == right.len()
                    && left.iter().zip(right.iter()).all(|(a, b)| self.unify(terms, a, b))
            }
        }
    }

    fn occurs(&self, variable: u32, pattern: &Pattern) -> bool {
        match self.resolve(pattern.clone()) {
            Pattern::Variable(other) => other == variable,
            Pattern::Ground(_) => false,
            Pattern::Compound(_, args) => args.iter().any(|arg| self.occurs(variable, arg)),
        }
    }

    pub(super) fn pattern(&self, terms: &mut Terms, pattern: &Pattern) -> Pattern {
        match self.resolve(pattern.clone()) {
            Pattern::Compound(functor, args) => {
                let args = args.iter().map(|arg| self.pattern(terms, arg)).collect();
                compound(terms, functor, args)
            }
            other => other,
        }
    }

    pub(super) fn atom(&self, terms: &mut Terms, atom: &Atom) -> Atom {
        Atom { relation: atom.relation, args: atom.args.iter().map(|arg| self.pattern(terms, arg)).collect() }
    }

    pub(super) fn condition(&self, terms: &mut Terms, condition: &Condition) -> Condition {
        match condition {
            Condition::Positive(atom) => Condition::Positive(self.atom(terms, atom)),
            Condition::Negative(atom) => Condition::Negative(self.atom(terms, atom)),
            Condition::Distinct(left, right) => {
                Condition::Distinct(self.pattern(terms, left), self.pattern(terms, right))
            }
        }
    }
}
