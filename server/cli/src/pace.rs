//! The pace of lines about what is known so far.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time before the first line: a person does not wait for an answer that comes sooner.
pub(crate) const PATIENCE: Duration = Duration::from_millis(500);
/// The least time between two lines.
const BETWEEN: Duration = Duration::from_secs(2);

/// The time between two looks at the clock.
const GLANCE: Duration = Duration::from_millis(50);

/// Says when the next line is due.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    begin: Instant,
    last: Option<Instant>,
}

impl Pace {
    /// The work begins now.
    pub(crate) fn begin() -> Pace {
        Pace { begin: Instant::now(), last: None }
    }

    /// The time until the first line is due.
    pub(crate) fn patience(&self) -> Duration {
        PATIENCE.saturating_sub(self.begin.elapsed())
    }

    /// True if a line is due.
    pub(crate) fn is_due(&self) -> bool {
        match self.last {
            None => self.patience().is_zero(),
            Some(last) => last.elapsed() >= BETWEEN,
        }
    }

    /// A line was printed.
    pub(crate) fn printed(&mut self) {
        self.last = Some(Instant::now());
    }
}

/// The newest line about what is known so far. A thread prints it as soon as a line is due.
pub(crate) struct Newest {
    line: Arc<Mutex<Line>>,
}

struct Line {
    text: Option<String>,
    is_over: bool,
}

impl Newest {
    /// The work begins now; `print` receives the lines.
    pub(crate) fn begin(print: impl Fn(&str) + Send + 'static) -> Newest {
        let (mut pace, line) = (Pace::begin(), Arc::new(Mutex::new(Line { text: None, is_over: false })));
        let newest = Newest { line: line.clone() };
        // Without a thread, no line is printed.
        let _ = thread::Builder::new().name("so far".into()).spawn(move || {
            loop {
                thread::sleep(GLANCE);
                let mut line = locked(&line);
                if line.is_over {
                    return;
                }
                if pace.is_due()
                    && let Some(text) = line.text.take()
                {
                    print(&text);
                    pace.printed();
                }
            }
        });
        newest
    }

    /// Replaces the line.
    pub(crate) fn say(&self, text: String) {
        locked(&self.line).text = Some(text);
    }

    /// Drops the line, because a better answer is printed.
    pub(crate) fn clear(&self) {
        locked(&self.line).text = None;
    }
}

impl Drop for Newest {
    fn drop(&mut self) {
        locked(&self.line).is_over = true;
    }
}

fn locked(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_line_that_comes_too_soon_is_printed_when_it_is_due() {
        let (sender, receiver) = channel();
        let newest = Newest::begin(move |line| drop(sender.send(line.to_string())));
        newest.say("old".into());
        newest.say("new".into());
        assert_eq!(receiver.recv_timeout(Duration::from_secs(60)).as_deref(), Ok("new"));
        newest.say("dropped".into());
        newest.clear();
        drop(newest);
        assert!(receiver.recv().is_err(), "the thread ends, and prints nothing more");
    }
}
