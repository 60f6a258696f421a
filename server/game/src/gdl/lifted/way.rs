//! Which way consequences are found: by listing all of them, or by asking for those that are needed.
//!
//! Listing costs less where rules share what they need, as in most games; asking where a relation holds for much more
//! than anybody asks about, such as "attacked, if this piece stood elsewhere". Neither can be told from the rules, and
//! either can cost a thousand times the other. So both are tried in turns, each time with four times the patience,
//! until one of them is through with every state: what it costs is then at most a few times what the better one does.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::gdl::limits::{Excess, Limits};

/// How consequences are found, and with how much patience: an even number lists, the odd one after it asks; the next two
/// do the same with more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way(u8);

/// Patience at first: combinations tried for one state, half a millisecond. A third of that many questions and rows of
/// answers take as long.
const LISTING: u64 = 1 << 12;
const ASKING: u64 = LISTING * 3 / 8;
const GROWTH: u64 = 4;

impl Way {
    /// To begin with where nothing is known.
    pub(super) const BEGIN: Way = Way(0);

    /// Listing for about a quarter of a second before anything is asked: where somebody goes through what holds.
    pub(super) const PATIENT: Way = Way(8);

    /// Listing up to the limits of all evaluations.
    pub(super) fn listing(limits: &Limits) -> Way {
        let patient = |way: &Way| way.is_last(limits);
        (0..u8::MAX).step_by(2).map(Way).find(patient).unwrap_or(Way(u8::MAX - 1))
    }

    /// Asking up to these limits.
    pub(super) fn asking(limits: &Limits) -> Way {
        Way(Way::listing(limits).0 + 1)
    }

    pub(super) fn asks(self) -> bool {
        self.0 % 2 == 1
    }

    /// What a state may cost.
    pub(super) fn patience(self, limits: &Limits) -> u64 {
        let begin = if self.asks() { ASKING } else { LISTING };
        if self.is_last(limits) { limits.fuel } else { begin * self.growth() }
    }

    /// What to do where this broke a limit; `None` where that is the end of it.
    pub(super) fn after(self, excess: Excess, limits: &Limits) -> Option<Way> {
        // Terms that grow without end do so whatever is asked first.
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

/// The way that all evaluations of a game take; it only goes on.
#[derive(Debug)]
pub(super) struct Shared(AtomicU8);

impl Shared {
    pub(super) fn new(way: Way) -> Shared {
        Shared(AtomicU8::new(way.0))
    }

    pub(super) fn now(&self) -> Way {
        Way(self.0.load(Ordering::Relaxed))
    }

    /// From now on this way, or a later one that was taken meanwhile.
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
