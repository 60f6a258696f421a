//! How long a player may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use percept_infoset::Budget;

/// Simulated matches per move where neither a clock nor a number is given.
const SIMULATIONS: u64 = 10_000;

/// The clocks of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// Before the first move; `None`: no clock.
    pub start: Option<Duration>,
    /// For each move; `None`: no clock.
    pub play: Option<Duration>,
    /// How long the manager waits beyond a clock before an answer counts as late.
    pub grace: Duration,
    /// At most so many simulated matches for each move; without any clock this makes matches repeatable.
    pub simulations: Option<u64>,
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks { start: None, play: None, grace: Duration::from_secs(1), simulations: None }
    }
}

/// What of a clock can be used: a little is kept for the way back.
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
    /// A clock that runs from now on; a little of the time is kept for the way back.
    pub fn starts(time: Option<Duration>, simulations: Option<u64>, cancel: &Arc<AtomicBool>) -> Clock {
        let fallback = if time.is_some() { u64::MAX } else { SIMULATIONS };
        Clock {
            deadline: time.and_then(|time| Instant::now().checked_add(usable(time))),
            simulations: simulations.unwrap_or(fallback),
            cancel: cancel.clone(),
        }
    }

    /// Whether another simulation may begin after so many.
    pub fn goes_on(&self, done: u64) -> bool {
        done < self.simulations && !self.is_over()
    }

    /// Whether the time is over, or nobody waits any more.
    pub fn is_over(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How much time is left; `None` without a clock.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The most simulations.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// A share of the time that is left, and of the simulations.
    pub fn share(&self, share: f64) -> Clock {
        let deadline = self.left().map(|left| Instant::now() + left.mul_f64(share));
        let simulations = match self.simulations {
            u64::MAX => u64::MAX,
            some => (some as f64 * share).ceil() as u64,
        };
        Clock { deadline, simulations, cancel: self.cancel.clone() }
    }

    /// The same, but at most this long from now.
    pub fn at_most(&self, time: Duration) -> Clock {
        let then = Instant::now() + time;
        Clock { deadline: Some(self.deadline.map_or(then, |deadline| deadline.min(then))), ..self.clone() }
    }

    /// The limits as information sets and solvers want them.
    pub fn budget(&self) -> Budget {
        Budget { cancel: Some(self.cancel.clone()), deadline: self.deadline, ..Budget::default() }
    }
}
