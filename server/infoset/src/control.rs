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
    #[error("cancelled")]
    Cancelled,
    #[error("out of time")]
    OutOfTime,
    #[error("the memory budget is used up")]
    OutOfMemory,
    #[error("enough members were found")]
    Enough,
    #[error("too many dead ends")]
    DeadEnds,
}

/// A sign of life of long work.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is being done, in a few words.
    pub what: &'static str,
    pub done: u64,
    pub total: Option<u64>,
}

type Listener = Arc<dyn Fn(&Progress) + Send + Sync>;

/// Limits of one piece of work. The default has none.
#[derive(Clone, Default)]
pub struct Control {
    /// Set from outside to end the work soon.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Set by whoever answered the same question first.
    pub decided: Option<Arc<AtomicBool>>,
    pub deadline: Option<Instant>,
    pub progress: Option<Listener>,
}

impl Control {
    /// Whether to end now. Cheap enough for every few microseconds of work.
    pub fn stop(&self) -> Option<Stop> {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if self.cancel.as_ref().is_some_and(is_set) || self.decided.as_ref().is_some_and(is_set) {
            return Some(Stop::Cancelled);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::OutOfTime)
    }

    pub fn check(&self) -> Result<(), Stop> {
        self.stop().map_or(Ok(()), Err)
    }

    pub(crate) fn report(&self, what: &'static str, done: usize, total: Option<usize>) {
        if let Some(listener) = &self.progress {
            listener(&Progress { what, done: done as u64, total: total.map(|total| total as u64) });
        }
    }

    /// One of `parts` equal shares of the time that is left.
    pub fn share(&self, parts: usize) -> Control {
        let now = Instant::now();
        let share = |deadline: Instant| now + deadline.saturating_duration_since(now) / parts.max(1) as u32;
        Control { deadline: self.deadline.map(share), ..self.clone() }
    }

    /// Most of the time that is left: all but a sixth.
    pub fn most(&self) -> Control {
        let now = Instant::now();
        let most = |deadline: Instant| deadline - deadline.saturating_duration_since(now) / 6;
        Control { deadline: self.deadline.map(most), ..self.clone() }
    }

    /// The same limits with an earlier deadline.
    pub fn until(&self, deadline: Instant) -> Control {
        let deadline = self.deadline.map_or(deadline, |known| known.min(deadline));
        Control { deadline: Some(deadline), ..self.clone() }
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
