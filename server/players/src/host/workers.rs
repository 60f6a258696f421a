//! The number of matches with running threads: a finished match counts until its threads have ended.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::locked;
use crate::seat::{GLANCE, Until};

/// Counts the matches with running threads.
pub(super) struct Workers {
    free: Mutex<usize>,
    changed: Condvar,
}

impl Workers {
    pub(super) fn new(most: usize) -> Workers {
        Workers { free: Mutex::new(most), changed: Condvar::new() }
    }

    /// True if no further match can begin yet.
    pub(super) fn are_engaged(&self) -> bool {
        *locked(&self.free) == 0
    }

    /// Returns a permit to work on a match; `None` if no permit became free in time.
    pub(super) fn engage(self: &Arc<Workers>, until: &Until<'_>) -> Option<Permit> {
        let mut free = locked(&self.free);
        while *free == 0 {
            if until.is_over() {
                return None;
            }
            let slice = until.slice().unwrap_or(GLANCE);
            free = self.changed.wait_timeout(free, slice).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Some(Permit(self.clone()))
    }
}

/// A permit to work on one match. Its threads hold it from the set-up to the player's end.
pub(super) struct Permit(Arc<Workers>);

impl Drop for Permit {
    fn drop(&mut self) {
        *locked(&self.0.free) += 1;
        self.0.changed.notify_one();
    }
}
