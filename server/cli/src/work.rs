//! Long work: Ctrl-C, `--time`, and a progress line on a terminal.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use percept_infoset::Budget;
use percept_report::clean::clean;
use percept_report::words;

use crate::limits;

/// The limits and the progress of one command's work.
pub(crate) struct Work {
    pub cancel: Arc<AtomicBool>,
    pub deadline: Option<Instant>,
    bar: ProgressBar,
}

impl Work {
    /// Begins to listen for Ctrl-C (a second one ends the process) and to count the time. Setting a game up is a part
    /// of the work: [`crate::load::Loader::new`] asks for it.
    pub(crate) fn begin(time: Option<Duration>) -> Work {
        let begin = Instant::now();
        limits::heed_interrupts();
        limits::end_late(begin, time);
        let mut work = Work::shown();
        work.deadline = time.and_then(|time| begin.checked_add(time));
        work
    }

    /// A progress line alone, for work with limits of its own.
    pub(crate) fn shown() -> Work {
        Work { cancel: limits::cancel(), deadline: None, bar: progress_line() }
    }

    /// Like [`Self::begin`], without limits and without a progress line, because a person types there.
    pub(crate) fn quiet() -> Work {
        limits::heed_interrupts();
        Work { cancel: limits::cancel(), deadline: None, bar: ProgressBar::hidden() }
    }

    /// Like [`Self::quiet`], for one piece of a command's work, with `time` counted from `begin`.
    pub(crate) fn piece(begin: Instant, time: Duration) -> Work {
        let mut work = Work::quiet();
        work.deadline = begin.checked_add(time);
        work
    }

    pub(crate) fn say(&self, message: impl Into<String>) {
        self.bar.set_message(clean(&message.into()));
    }

    /// Calls `print` with the progress line hidden.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Returns a function that prints messages of other parts.
    pub(crate) fn watch(&self) -> impl Fn(String) + Send + Sync + use<> {
        let bar = self.bar.clone();
        move |message: String| bar.set_message(clean(&message))
    }

    /// True if the work must end now.
    pub(crate) fn is_over(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The limits as a budget for information sets.
    pub(crate) fn budget(&self) -> Budget {
        self.control_saying("")
    }

    /// Like [`Self::budget`]; the progress line begins with `about`.
    pub(crate) fn control_saying(&self, about: &str) -> Budget {
        let bar = self.bar.clone();
        let about = if about.is_empty() { String::new() } else { format!("{about}: ") };
        Budget {
            cancel: Some(self.cancel.clone()),
            deadline: self.deadline,
            progress: Some(Arc::new(move |progress| {
                bar.set_message(clean(&format!("{about}{}", words::progress(progress))));
            })),
            ..Budget::default()
        }
    }
}

/// The progress line, if there is a terminal.
fn progress_line() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

impl Drop for Work {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
