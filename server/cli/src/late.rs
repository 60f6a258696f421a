//! Work that is abandoned when it is late.
//!
//! Work checks its budget between its steps, but a single step in a game can take minutes: the legal moves of one state
//! are enough. Commands that have other results to report do such work here; the others end with the process
//! ([`limits`]).

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::limits;

/// The stack of the thread that works.
const STACK: usize = 16 << 20;
/// The time between two checks if the work is asked to end, and the time that it may continue then.
const GLANCE: Duration = Duration::from_millis(20);
const GRACE: Duration = Duration::from_millis(250);

/// Calls `each` with the answers that `work` passes to its argument, as they arrive. Each has `time` from the one
/// before; late work is abandoned, and continues unseen until the process ends.
///
/// # Errors
/// A failure to start the thread of the work.
pub(crate) fn answers<T: Send + 'static>(
    time: Duration,
    work: impl FnOnce(&(dyn Fn(T) + Sync)) + Send + 'static,
    mut each: impl FnMut(T),
) -> Result<(), Failure> {
    let (sender, receiver) = channel();
    // Sending fails only if the work was abandoned.
    let run = move || work(&move |answer| drop(sender.send(answer)));
    let worker = thread::Builder::new().name("answers".into()).stack_size(STACK).spawn(run);
    let worker = worker.map_err(|error| Failure::new(format!("no thread could be started: {error}")))?;
    let mut interrupt = None;
    let mut last = Instant::now();
    loop {
        match receiver.recv_timeout(GLANCE) {
            Ok(answer) => {
                each(answer);
                last = Instant::now();
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if limits::stopped().is_some() && interrupt.get_or_insert_with(Instant::now).elapsed() > GRACE
                    || last.elapsed() > limits::patience(time)
                {
                    return Ok(());
                }
            }
        }
    }
    match worker.join() {
        Ok(()) => Ok(()),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
