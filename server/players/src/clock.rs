//! Limits on the time and the work of a player.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use percept_infoset::Budget;

/// The number of simulated matches per move if neither a clock nor a number is given.
const SIMULATIONS: u64 = 10_000;

/// The clocks of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// The time before the first move; `None`: no clock.
    pub start: Option<Duration>,
    /// The time for each move; `None`: no clock.
    pub play: Option<Duration>,
    /// The time the manager waits beyond a clock before an answer counts as late.
    pub grace: Duration,
    /// The most simulated matches for each move; without any clock this makes matches repeatable.
    pub simulations: Option<u64>,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks { start: None, play: None, grace: Duration::from_secs(1), simulations: None }
    }
}

/// The usable part of a clock: a little is kept for the transmission of the answer.
pub(crate) fn usable(time: Duration) -> Duration {
    let margin = (time / 20).clamp(Duration::from_millis(5), Duration::from_millis(200));
    time.saturating_sub(margin).max(time / 2)
}

/// The time for one answer.
#[derive(Clone, Debug)]
pub struct Clock {
    deadline: Option<Instant>,
    simulations: u64,
    cancel: Arc<AtomicBool>,
}

impl Clock {
    /// Starts a clock; a little of the time is kept for the transmission of the answer.
    pub fn starts(time: Option<Duration>, simulations: Option<u64>, cancel: &Arc<AtomicBool>) -> Clock {
        let fallback = if time.is_some() { u64::MAX } else { SIMULATIONS };
        Clock {
            deadline: time.and_then(|time| Instant::now().checked_add(usable(time))),
            simulations: simulations.unwrap_or(fallback),
            cancel: cancel.clone(),
        }
    }

    /// True if another simulation may begin after `done` simulations.
    pub fn goes_on(&self, done: u64) -> bool {
        done < self.simulations && !self.is_over()
    }

    /// True if the time is up, or the match was cancelled.
    pub fn is_over(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns the remaining time; `None` without a clock.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Returns the most simulations.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Returns a clock with a share of the remaining time, and of the simulations.
    pub fn share(&self, share: f64) -> Clock {
        let deadline = self.left().map(|left| Instant::now() + left.mul_f64(share));
        let simulations = match self.simulations {
            u64::MAX => u64::MAX,
            some => (some as f64 * share).ceil() as u64,
        };
        Clock { deadline, simulations, cancel: self.cancel.clone() }
    }

    /// Returns the same clock, limited to `time` from now.
    pub fn at_most(&self, time: Duration) -> Clock {
        let then = Instant::now() + time;
        Clock { deadline: Some(self.deadline.map_or(then, |deadline| deadline.min(then))), ..self.clone() }
    }

    /// Returns the limits in the form that information sets and solvers need.
    pub fn budget(&self) -> Budget {
        Budget { cancel: Some(self.cancel.clone()), deadline: self.deadline, ..Budget::default() }
    }
}
