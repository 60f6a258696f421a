//! Pairs of fluents that exclude each other.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use super::super::claims::{Atom, Claim};
use super::super::shapes::Shape;

/// Exclusions of two fluents, grouped by the kinds of the fluents and the arguments they share.
#[derive(Default)]
pub(crate) struct Exclusions {
    kept: Vec<(u64, Atom, Atom)>,
    /// Kinds with a pair of fluents that were true together.
    refuted: FxHashSet<u64>,
}

impl Exclusions {
    fn kind(a: &Shape, b: &Shape) -> u64 {
        let mut hasher = FxHasher::default();
        (&a.functor, &b.functor).hash(&mut hasher);
        let arguments = || a.arguments.iter().chain(&b.arguments);
        for argument in arguments() {
            arguments().position(|other| other == argument).hash(&mut hasher);
        }
        hasher.finish()
    }

    pub(super) fn note(&mut self, (one, a): (Atom, &Shape), (other, b): (Atom, &Shape), excluded: bool) {
        let kind = Exclusions::kind(a, b);
        if excluded {
            self.kept.push((kind, one, other));
        } else {
            self.refuted.insert(kind);
        }
    }

    /// Claims that the recorded pairs exclude each other. If some pair of the kind was met, only the pairs for which
    /// `would_meet` is true are claimed, because the others may just be rare.
    pub(super) fn believed(self, would_meet: impl Fn(Atom, Atom) -> bool) -> impl Iterator<Item = Claim> {
        let believed = move |&(kind, a, b): &(u64, Atom, Atom)| !self.refuted.contains(&kind) || would_meet(a, b);
        self.kept.into_iter().filter(believed).map(|(_, a, b)| Claim::Clause(vec![(a, false), (b, false)]))
    }
}
