//! Limits on work, and a listener for its progress.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// The reason why work ended before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Stop {
    /// The work was cancelled from outside.
    #[error("cancelled")]
    Cancelled,
    /// The deadline has passed.
    #[error("out of time")]
    OutOfTime,
    /// The allowed steps are used up.
    #[error("out of steps")]
    OutOfSteps,
    /// More memory was needed than allowed.
    #[error("the memory budget is used up")]
    OutOfMemory,
    /// The requested number of results was found.
    #[error("enough members were found")]
    Enough,
    /// Two readings of the rules have two answers, which is a fault of Percept.
    #[error("the second reading of the rules disagrees, which is a fault of Percept: please report it")]
    Disagreed,
    /// Sampling found only dead ends.
    #[error("too many dead ends")]
    DeadEnds,
}

/// A sign of life of long work.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The current work, in a few words.
    pub what: &'static str,
    /// The amount of work done.
    pub done: u64,
    /// The total amount, if it is known.
    pub total: Option<u64>,
}

type Listener = Arc<dyn Fn(&Progress) + Send + Sync>;

/// Steps that are counted instead of time, so that results do not depend on the load of the machine. Budgets derived
/// from one another share a counter; a step is about a nanosecond on a usual machine.
#[derive(Clone, Debug)]
pub struct Steps {
    done: Arc<AtomicU64>,
    /// The count at which to end.
    end: u64,
}

impl Steps {
    /// This many steps from now on.
    pub fn new(end: u64) -> Steps {
        Steps { done: Arc::default(), end }
    }

    /// The number of steps done so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The number of steps that are left.
    pub fn left(&self) -> u64 {
        self.end.saturating_sub(self.done())
    }

    /// The same count with another end: this many steps from now on.
    fn until(&self, left: u64) -> Steps {
        Steps { done: self.done.clone(), end: self.done().saturating_add(left) }
    }
}

/// The limits of one piece of work. The default has none.
#[derive(Clone, Default)]
pub struct Budget {
    /// Set from outside to end the work soon.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Set when another thread has answered the same question.
    pub decided: Option<Arc<AtomicBool>>,
    /// The time at which to end.
    pub deadline: Option<Instant>,
    /// The steps to do.
    pub steps: Option<Steps>,
    /// The listener for progress.
    pub progress: Option<Listener>,
}

impl Budget {
    /// A budget without limits.
    pub(crate) const NONE: Budget = Budget { cancel: None, decided: None, deadline: None, steps: None, progress: None };

    /// The reason to end now, if there is one. It is cheap enough for every few microseconds of work.
    pub fn stop(&self) -> Option<Stop> {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if self.cancel.as_ref().is_some_and(is_set) || self.decided.as_ref().is_some_and(is_set) {
            return Some(Stop::Cancelled);
        }
        if self.is_out_of_steps() {
            return Some(Stop::OutOfSteps);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::OutOfTime)
    }

    /// Counts steps that were done.
    pub fn count(&self, steps: u64) {
        if let Some(it) = &self.steps {
            it.done.fetch_add(steps, Ordering::Relaxed);
        }
    }

    fn is_out_of_steps(&self) -> bool {
        self.steps.as_ref().is_some_and(|steps| steps.left() == 0)
    }

    /// True if the work must end now.
    pub fn is_spent(&self) -> bool {
        self.stop().is_some()
    }

    /// [`Budget::stop`], as an error.
    ///
    /// # Errors
    /// The reason to end now.
    pub fn check(&self) -> Result<(), Stop> {
        self.stop().map_or(Ok(()), Err)
    }

    /// Reports the current work and its amount done to the listener, if there is one.
    pub fn report(&self, what: &'static str, done: usize, total: Option<usize>) {
        if let Some(listener) = &self.progress {
            listener(&Progress { what, done: done as u64, total: total.map(|total| total as u64) });
        }
    }

    /// One of `parts` equal shares of the time and of the steps that are left.
    pub fn share(&self, parts: usize) -> Budget {
        self.shares(1, parts)
    }

    /// A budget with `count` of `parts` equal shares of the remaining time and steps.
    pub fn shares(&self, count: usize, parts: usize) -> Budget {
        let now = Instant::now();
        let share = |deadline: Instant| deadline.saturating_duration_since(now) / parts.max(1) as u32;
        let end = |deadline: Instant| now + share(deadline) * count as u32;
        let steps = |steps: &Steps| steps.until(steps.left() / parts.max(1) as u64 * count as u64);
        Budget { deadline: self.deadline.map(end), steps: self.steps.as_ref().map(steps), ..self.clone() }
    }

    /// Most of the time and of the steps that are left: all but a sixth.
    pub fn most(&self) -> Budget {
        let now = Instant::now();
        let most = |deadline: Instant| deadline - deadline.saturating_duration_since(now) / 6;
        let steps = |steps: &Steps| steps.until(steps.left() - steps.left() / 6);
        Budget { deadline: self.deadline.map(most), steps: self.steps.as_ref().map(steps), ..self.clone() }
    }

    /// The same limits, but at least this many steps.
    pub fn with_at_least(&self, least: u64) -> Budget {
        let steps = |steps: &Steps| steps.until(steps.left().max(least));
        Budget { steps: self.steps.as_ref().map(steps), ..self.clone() }
    }

    /// The same limits with an earlier deadline.
    pub fn until(&self, deadline: Instant) -> Budget {
        let deadline = self.deadline.map_or(deadline, |other| other.min(deadline));
        Budget { deadline: Some(deadline), ..self.clone() }
    }
}

/// The pace of checks of a budget, for work whose steps take a tenth of a microsecond in one game and a second in
/// another: after each step at first, then less often for as long as the steps are quick.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// The steps until the next check, and between the last two.
    left: u32,
    every: u32,
    last: Option<Instant>,
}

impl Pace {
    /// The most steps between two checks: if the steps become slow, this many pass unnoticed.
    const MOST: u32 = 16;
    /// The time between two checks below which checks cost more than they are worth.
    const SOON: Duration = Duration::from_micros(10);

    /// The reason to end now, if there is one. Call it after every step.
    pub fn stop(&mut self, budget: &Budget) -> Option<Stop> {
        if self.left > 1 {
            self.left -= 1;
            // The count of steps is checked each time, because it must not depend on the clock.
            return budget.is_out_of_steps().then_some(Stop::OutOfSteps);
        }
        let now = Instant::now();
        let was_soon = self.last.replace(now).is_some_and(|last| now - last < Pace::SOON);
        self.every = if was_soon { (2 * self.every).min(Pace::MOST) } else { 1 };
        self.left = self.every;
        budget.stop()
    }

    /// [`Pace::stop`], as an error.
    ///
    /// # Errors
    /// The reason to end now.
    pub fn check(&mut self, budget: &Budget) -> Result<(), Stop> {
        self.stop(budget).map_or(Ok(()), Err)
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_steps_are_watched_each_and_quick_ones_now_and_then() {
        let cancel = Arc::new(AtomicBool::new(true));
        let budget = Budget { cancel: Some(cancel), ..Budget::default() };
        let mut pace = Pace::default();
        assert_eq!(pace.stop(&budget), Some(Stop::Cancelled), "before the first step");
        for _ in 0..5 {
            std::thread::sleep(2 * Pace::SOON);
            assert_eq!(pace.check(&budget), Err(Stop::Cancelled), "after each slow step");
        }
        let mut quick = Pace { left: 0, every: Pace::MOST, last: Some(Instant::now() + Duration::from_secs(60)) };
        let looks: Vec<bool> = (0..=Pace::MOST).map(|_| quick.stop(&budget).is_some()).collect();
        let (first, [between @ .., last]) = (looks[0], &looks[1..]) else { panic!("no looks") };
        assert!(first && *last && !between.contains(&true), "{looks:?}");
    }
}
