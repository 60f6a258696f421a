//! Work on two threads of our own. A proof waits for threads that play at random on rayon's, so it must not hold one of
//! these.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does the work on each of them, in their order, two at a time.
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
