//! A channel that holds one value. The receiver gets the newest one; a value that was not received is replaced. So work
//! that arrives faster than it is done costs no memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// The sending end; clones send to the same receiver.
#[derive(Debug)]
pub(crate) struct Sender<T> {
    place: Arc<Mutex<Option<T>>>,
    /// Signals once for each waiting value.
    bell: mpsc::Sender<()>,
}

/// The end to take from.
#[derive(Debug)]
pub(crate) struct Receiver<T> {
    place: Arc<Mutex<Option<T>>>,
    bell: mpsc::Receiver<()>,
}

/// Both ends of a new channel.
pub(crate) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let place = Arc::default();
    let (bell, rung) = mpsc::channel();
    (Sender { place: Arc::clone(&place), bell }, Receiver { place, bell: rung })
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        Sender { place: self.place.clone(), bell: self.bell.clone() }
    }
}

impl<T> Sender<T> {
    /// Sends a value, which replaces a waiting one.
    pub(crate) fn put(&self, value: T) {
        let mut place = lock(&self.place);
        if place.replace(value).is_none() {
            // The receiving end may be gone.
            let _ = self.bell.send(());
        }
    }
}

impl<T> Receiver<T> {
    /// Waits for a value; `None` once there are no senders.
    pub(crate) fn take(&self) -> Option<T> {
        self.bell.recv().ok()?;
        lock(&self.place).take()
    }

    /// # Errors
    /// If no value arrived in time, or there are no senders.
    pub(crate) fn take_within(&self, time: Duration) -> Result<T, mpsc::RecvTimeoutError> {
        self.bell.recv_timeout(time)?;
        lock(&self.place).take().ok_or(mpsc::RecvTimeoutError::Disconnected)
    }

    /// The waiting value, if there is one.
    pub(crate) fn take_now(&self) -> Option<T> {
        self.bell.try_recv().ok()?;
        lock(&self.place).take()
    }
}

fn lock<T>(place: &Mutex<Option<T>>) -> MutexGuard<'_, Option<T>> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_waits() {
        let (sender, receiver) = channel();
        assert_eq!(receiver.take_now(), None);
        let values: Vec<Arc<u32>> = (0..5).map(Arc::new).collect();
        values.iter().for_each(|value| sender.put(value.clone()));
        assert!(values[..4].iter().all(|value| Arc::strong_count(value) == 1));
        assert_eq!(receiver.take().as_deref(), Some(&4));
        assert_eq!(receiver.take_now(), None);
        sender.put(values[0].clone());
        assert_eq!(receiver.take_within(Duration::ZERO).as_deref(), Ok(&0));
        assert_eq!(receiver.take_within(Duration::ZERO), Err(mpsc::RecvTimeoutError::Timeout));
        drop(sender.clone());
        sender.put(values[1].clone());
        drop(sender);
        assert_eq!(receiver.take().as_deref(), Some(&1));
        assert_eq!(receiver.take(), None);
    }
}
