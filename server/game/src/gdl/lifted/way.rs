//! The way to find consequences: by listing all of them, or by querying the needed ones.
//!
//! Listing costs less if rules share the relations they need, as in most games. Querying costs less if a relation holds
//! for many more tuples than any rule queries, such as "attacked, if this piece were elsewhere". The rules do not show
//! which is cheaper, and either can cost a thousand times the other. So both are tried in turns, each time with four
//! times the patience, until one of them completes every state: the cost is then at most a few times that of the better
//! one.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::gdl::limits::{Excess, Limits};

/// A way to find consequences, and its patience: an even number lists, the odd one after it queries; the next two do
/// the same with more patience.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way(u8);

/// The initial patience: the number of combinations tried for one state, about half a millisecond. A third of that
/// number of queries and rows of answers takes as long.
const LISTING: u64 = 1 << 12;
const ASKING: u64 = LISTING * 3 / 8;
const GROWTH: u64 = 4;

impl Way {
    /// The first way, with the least patience.
    pub(super) const BEGIN: Way = Way(0);

    /// Listing for about a quarter of a second before anything is queried, for callers that browse everything that
    /// holds.
    pub(super) const PATIENT: Way = Way(8);

    /// Listing up to the limits of all evaluations.
    pub(super) fn listing(limits: &Limits) -> Way {
        let patient = |way: &Way| way.is_last(limits);
        (0..u8::MAX).step_by(2).map(Way).find(patient).unwrap_or(Way(u8::MAX - 1))
    }

    /// Querying up to these limits.
    pub(super) fn asking(limits: &Limits) -> Way {
        Way(Way::listing(limits).0 + 1)
    }

    pub(super) fn asks(self) -> bool {
        self.0 % 2 == 1
    }

    /// The maximum cost of one state.
    pub(super) fn patience(self, limits: &Limits) -> u64 {
        let begin = if self.asks() { ASKING } else { LISTING };
        if self.is_last(limits) { limits.fuel } else { begin * self.growth() }
    }

    /// The next way to try after this one exceeded a limit; `None` if there are no more.
    pub(super) fn after(self, excess: Excess, limits: &Limits) -> Option<Way> {
        // Terms that grow without end grow with both ways.
        let is_endless = excess == Excess::Depth && !self.asks();
        (!is_endless && self != Way::asking(limits)).then(|| Way(self.0 + 1))
    }

    fn is_last(self, limits: &Limits) -> bool {
        LISTING.saturating_mul(self.growth()) >= limits.fuel
    }

    fn growth(self) -> u64 {
        GROWTH.saturating_pow(u32::from(self.0 / 2))
    }
}

/// The way that all evaluations of a game take; it only moves forward.
#[derive(Debug)]
pub(super) struct Shared(AtomicU8);

impl Shared {
    pub(super) fn new(way: Way) -> Shared {
        Shared(AtomicU8::new(way.0))
    }

    pub(super) fn now(&self) -> Way {
        Way(self.0.load(Ordering::Relaxed))
    }

    /// Moves to this way, unless a later one has been taken meanwhile.
    pub(super) fn take(&self, way: Way) {
        self.0.fetch_max(way.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_grows_in_turns_up_to_the_limits() {
        let limits = Limits::default();
        let after = |way: &Way| way.after(Excess::Work, &limits);
        let ways: Vec<Way> = std::iter::successors(Some(Way::BEGIN), after).collect();
        let all = |first: usize| ways[first..].iter().step_by(2).copied();
        assert!(all(0).all(|way| !way.asks()) && all(1).all(Way::asks));
        for first in [0, 1] {
            assert!(all(first).is_sorted_by(|less, more| less.patience(&limits) < more.patience(&limits)));
        }
        assert_eq!(ways[ways.len() - 2..], [Way::listing(&limits), Way::asking(&limits)]);
        assert!(ways[ways.len() - 2..].iter().all(|way| way.patience(&limits) == limits.fuel));
        assert!(ways[..ways.len() - 2].iter().all(|way| way.patience(&limits) < limits.fuel));
        assert_eq!(Way::BEGIN.after(Excess::Depth, &limits), None, "terms that grow without end");
    }
}
