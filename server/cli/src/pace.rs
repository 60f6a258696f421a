//! The pace of lines about what is known so far.

use std::time::{Duration, Instant};

/// The time before the first line: a person does not wait for an answer that comes sooner.
pub(crate) const PATIENCE: Duration = Duration::from_millis(500);
/// The least time between two lines.
const BETWEEN: Duration = Duration::from_secs(2);

/// Says when the next line is due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    begin: Instant,
    last: Option<Instant>,
}

impl Pace {
    /// The work begins now.
    pub(crate) fn begin() -> Pace {
        Pace { begin: Instant::now(), last: None }
    }

    /// The time until the first line is due.
    pub(crate) fn patience(&self) -> Duration {
        PATIENCE.saturating_sub(self.begin.elapsed())
    }

    /// True if a line is due.
    pub(crate) fn is_due(&self) -> bool {
        match self.last {
            None => self.patience().is_zero(),
            Some(last) => last.elapsed() >= BETWEEN,
        }
    }

    /// A line was printed.
    pub(crate) fn printed(&mut self) {
        self.last = Some(Instant::now());
    }
}
