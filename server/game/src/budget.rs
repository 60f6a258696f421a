//! How long work may go on, and whom it tells about its progress.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// Why work ended before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stop {
    /// Somebody did not want it any more.
    #[error("cancelled")]
    Cancelled,
    /// The deadline has passed.
    #[error("out of time")]
    OutOfTime,
    /// More memory was needed than allowed.
    #[error("the memory budget is used up")]
    OutOfMemory,
    /// As much was found as was asked for.
    #[error("enough members were found")]
    Enough,
    /// Sampling found nothing but dead ends.
    #[error("too many dead ends")]
    DeadEnds,
}

/// A sign of life of long work.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is being done, in a few words.
    pub what: &'static str,
    /// How much is done.
    pub done: u64,
    /// Of how much, where that is known.
    pub total: Option<u64>,
}

type Listener = Arc<dyn Fn(&Progress) + Send + Sync>;

/// What one piece of work may spend. The default has no limits.
#[derive(Clone, Default)]
pub struct Budget {
    /// Set from outside to end the work soon.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Set by whoever answered the same question first.
    pub decided: Option<Arc<AtomicBool>>,
    /// When to end.
    pub deadline: Option<Instant>,
    /// Who is told how far the work has come.
    pub progress: Option<Listener>,
}

impl Budget {
    /// No limits.
    pub(crate) const NONE: Budget = Budget { cancel: None, decided: None, deadline: None, progress: None };

    /// Whether to end now. Cheap enough for every few microseconds of work.
    pub fn stop(&self) -> Option<Stop> {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if self.cancel.as_ref().is_some_and(is_set) || self.decided.as_ref().is_some_and(is_set) {
            return Some(Stop::Cancelled);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::OutOfTime)
    }

    /// Whether to end now.
    pub fn is_spent(&self) -> bool {
        self.stop().is_some()
    }

    /// [`Budget::stop`], as an error.
    ///
    /// # Errors
    /// Why to end now.
    pub fn check(&self) -> Result<(), Stop> {
        self.stop().map_or(Ok(()), Err)
    }

    /// Tells the listener, if there is one, what is being done and how much of it is done.
    pub fn report(&self, what: &'static str, done: usize, total: Option<usize>) {
        if let Some(listener) = &self.progress {
            listener(&Progress { what, done: done as u64, total: total.map(|total| total as u64) });
        }
    }

    /// One of `parts` equal shares of the time that is left.
    pub fn share(&self, parts: usize) -> Budget {
        self.shares(1, parts)
    }

    /// So many of `parts` equal shares of the time that is left.
    pub fn shares(&self, count: usize, parts: usize) -> Budget {
        let now = Instant::now();
        let share = |deadline: Instant| deadline.saturating_duration_since(now) / parts.max(1) as u32;
        let end = |deadline: Instant| now + share(deadline) * count as u32;
        Budget { deadline: self.deadline.map(end), ..self.clone() }
    }

    /// Most of the time that is left: all but a sixth.
    pub fn most(&self) -> Budget {
        let now = Instant::now();
        let most = |deadline: Instant| deadline - deadline.saturating_duration_since(now) / 6;
        Budget { deadline: self.deadline.map(most), ..self.clone() }
    }

    /// The same limits with an earlier deadline.
    pub fn until(&self, deadline: Instant) -> Budget {
        let deadline = self.deadline.map_or(deadline, |known| known.min(deadline));
        Budget { deadline: Some(deadline), ..self.clone() }
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
