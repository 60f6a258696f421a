//! Work on two threads outside rayon's pool. A proof waits for threads that play at random in that pool, so it must not
//! occupy one of them.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does the work on each of these, in their order, two at a time.
pub fn side_by_side<T: Sync>(all: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let some = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(one);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(some);
        some();
    });
}
