//! The limits of this process: time, memory, and the grace period after Ctrl-C.
//!
//! A flag asks work to end and to report its results so far. Work that does not check the flag is ended with the
//! process: an answer that is too late, or takes the memory of other programs, is worthless.

use std::process::exit;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{INTERRUPTED, OPEN};
use crate::output;

/// The time between two checks of the clock and the memory.
const GLANCE: Duration = Duration::from_millis(5);
/// The time that work may continue after Ctrl-C.
const GRACE: Duration = Duration::from_millis(500);
/// The part of the memory that is kept for what work still takes after it was asked to end, and the most bytes of it.
const RESERVE: usize = 10;
const MOST_RESERVE: usize = 512 << 20;
/// The share of the memory at which the process is ended.
const ENDED_AT: f64 = 1.1;
/// The part of the time by which work may be late, with an allowance for short times.
const LATE: u32 = 10;
const SLACK: Duration = Duration::from_millis(200);

static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static CAUSE: AtomicU8 = AtomicU8::new(NOTHING);
static MEMORY: OnceLock<usize> = OnceLock::new();
static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
/// Milliseconds after [`BEGIN`] at which the process is ended, because of the time limit or after Ctrl-C.
static TIME_IS_UP: AtomicU64 = AtomicU64::new(u64::MAX);
static GRACE_IS_OVER: AtomicU64 = AtomicU64::new(u64::MAX);

/// The note under the message of a process that is ended.
static NOTE: Mutex<Option<Box<Note>>> = Mutex::new(None);

type Note = dyn Fn() -> Option<String> + Send;

const NOTHING: u8 = 0;
const CTRL_C: u8 = 1;
const TOO_MUCH_MEMORY: u8 = 2;

/// Begins to enforce the limits. `memory`: the most bytes that this process may use.
pub(crate) fn keep(memory: Option<usize>) {
    LazyLock::force(&BEGIN);
    if let Some(memory) = memory {
        // Set once, by `main`.
        let _ = MEMORY.set(memory);
    }
    // Without a thread, only work that checks the limits itself keeps them.
    let _ = thread::Builder::new().name("limits".into()).spawn(watch);
}

/// The memory limit of this process in bytes, if there is one.
pub(crate) fn memory() -> Option<usize> {
    MEMORY.get().copied()
}

/// The flag that asks work to end.
pub(crate) fn cancel() -> Arc<AtomicBool> {
    CANCEL.clone()
}

/// True if Ctrl-C stopped some work of this process.
pub(crate) fn is_interrupted() -> bool {
    CAUSE.load(Ordering::Relaxed) == CTRL_C
}

/// True if work was asked to end because it took too much memory.
pub(crate) fn is_out_of_memory() -> bool {
    CAUSE.load(Ordering::Relaxed) == TOO_MUCH_MEMORY
}

/// The reason why work was asked to end, if it was.
pub(crate) fn stopped() -> Option<&'static str> {
    match CAUSE.load(Ordering::Relaxed) {
        CTRL_C => Some("stopped by Ctrl-C"),
        TOO_MUCH_MEMORY => Some("stopped: the memory is used up; allow more with --memory"),
        _ => None,
    }
}

/// Begins to listen for Ctrl-C; a second one ends the process.
pub(crate) fn heed_interrupts() {
    // Fails only if a handler is set already, which does the same.
    let _ = ctrlc::set_handler(|| {
        if is_interrupted() {
            exit(INTERRUPTED.into());
        }
        GRACE_IS_OVER.store(now().saturating_add(millis(GRACE)), Ordering::Relaxed);
        stop_for(CTRL_C);
    });
}

/// Ends the process if work that began at `begin` goes on for much longer than `time`; `None`: it may take any time.
pub(crate) fn end_late(begin: Instant, time: Option<Duration>) {
    let at = time.map_or(u64::MAX, |time| {
        let so_far = millis(begin.saturating_duration_since(*BEGIN));
        so_far.saturating_add(millis(patience(time)))
    });
    TIME_IS_UP.store(at, Ordering::Relaxed);
}

/// Sets the note under the message if the process is ended: `note` is called then, and must not wait for the work.
pub(crate) fn note_at_end(note: impl Fn() -> Option<String> + Send + 'static) {
    *NOTE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(note));
}

/// The time after which work that was asked to end after `time` is late.
pub(crate) fn patience(time: Duration) -> Duration {
    time.saturating_add(time / LATE).saturating_add(SLACK)
}

/// The peak memory of this process in bytes, if the system reports it (Linux).
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

fn watch() {
    loop {
        thread::sleep(GLANCE);
        if let Some(limit) = memory() {
            keep_memory(limit);
        }
        // A complete answer that is late is better than half an answer.
        if output::is_printing() {
            continue;
        }
        if GRACE_IS_OVER.load(Ordering::Relaxed) <= now() {
            end("stopped by Ctrl-C before there was an answer", INTERRUPTED);
        }
        if TIME_IS_UP.load(Ordering::Relaxed) <= now() {
            end("stopped: the time ran out before there was an answer; allow more with --time", OPEN);
        }
    }
}

fn keep_memory(limit: usize) {
    // If the system does not report the memory, the limit cannot be kept.
    let Some(used) = memory_stats::memory_stats().map(|it| it.physical_mem as f64) else { return };
    if used > limit as f64 * ENDED_AT {
        end("stopped: the memory was used up before there was an answer; allow more with --memory", OPEN);
    }
    if used > asked_at(limit) as f64 && CAUSE.load(Ordering::Relaxed) == NOTHING {
        stop_for(TOO_MUCH_MEMORY);
    }
}

/// The bytes at which work is asked to end.
fn asked_at(limit: usize) -> usize {
    limit - (limit / RESERVE).min(MOST_RESERVE)
}

fn stop_for(cause: u8) {
    CAUSE.store(cause, Ordering::Relaxed);
    CANCEL.store(true, Ordering::Relaxed);
}

fn end(why: &str, code: u8) -> ! {
    let note = NOTE.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|note| note());
    output::say(&note.map_or(format!("error: {why}"), |note| format!("error: {why}\n  = {note}")));
    exit(code.into());
}

/// Milliseconds since this process began.
fn now() -> u64 {
    millis(BEGIN.elapsed())
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::asked_at;

    #[test]
    fn a_tenth_is_kept_in_reserve_but_not_of_large_limits() {
        assert_eq!([100, 4_000_000_000].map(asked_at), [90, 3_600_000_000]);
        assert_eq!(asked_at(12 << 30), (12 << 30) - (512 << 20));
    }
}
