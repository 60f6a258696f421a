//! Reusable working memory: each thread keeps its own, so that threads do not wait for each other.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use thread_local::ThreadLocal;

/// The most idle rooms of one thread; further ones are dropped.
const IDLE: usize = 8;

/// The idle rooms of one game, by thread.
pub(crate) struct Pool<T: Send>(ThreadLocal<RefCell<Vec<Box<T>>>>);

impl<T: Send> Default for Pool<T> {
    fn default() -> Self {
        Pool(ThreadLocal::new())
    }
}

impl<T: Send> Pool<T> {
    /// The room that this thread returned last, or a new one.
    pub(crate) fn lend(&self, new: impl FnOnce() -> T) -> Lent<'_, T> {
        let idle = self.0.get_or_default().borrow_mut().pop();
        Lent { pool: self, room: Some(idle.unwrap_or_else(|| Box::new(new()))) }
    }
}

/// A room, which returns to its pool on drop.
pub(crate) struct Lent<'a, T: Send> {
    pool: &'a Pool<T>,
    /// Present until it is dropped.
    room: Option<Box<T>>,
}

impl<T: Send> Deref for Lent<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.room.as_deref().expect("a room is lent until it is dropped")
    }
}

impl<T: Send> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.room.as_deref_mut().expect("a room is lent until it is dropped")
    }
}

impl<T: Send> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        // Memory left inconsistent by a panic is not reused.
        if std::thread::panicking() {
            return;
        }
        let mut idle = self.pool.0.get_or_default().borrow_mut();
        if let Some(room) = self.room.take().filter(|_| idle.len() < IDLE) {
            idle.push(room);
        }
    }
}
