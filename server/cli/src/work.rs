//! Long work: Ctrl-C, `--time`, and a progress line on a terminal.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use percept_infoset::Budget;
use percept_report::clean::clean;
use percept_report::words;

use crate::args::Progress;
use crate::{limits, output};

/// The form of progress in this process, set once.
static SHOWN: OnceLock<Progress> = OnceLock::new();
/// The least time between two lines of progress.
const PACE: Duration = Duration::from_millis(200);

/// Chooses the form of progress.
pub(crate) fn show(progress: Progress) {
    let _ = SHOWN.set(progress);
}

/// The limits and the progress of one command's work.
pub(crate) struct Work {
    pub cancel: Arc<AtomicBool>,
    pub deadline: Option<Instant>,
    line: Line,
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
        Work { cancel: limits::cancel(), deadline: None, line: Line::new() }
    }

    /// Like [`Self::begin`], without limits and without a progress line, because a person types there.
    pub(crate) fn quiet() -> Work {
        limits::heed_interrupts();
        Work { cancel: limits::cancel(), deadline: None, line: Line::hidden() }
    }

    /// Like [`Self::quiet`], for one piece of a command's work, with `time` counted from `begin`.
    pub(crate) fn piece(begin: Instant, time: Duration) -> Work {
        let mut work = Work::quiet();
        work.deadline = begin.checked_add(time);
        work
    }

    pub(crate) fn say(&self, message: impl Into<String>) {
        self.line.say(&message.into());
    }

    /// Calls `print` with the progress line hidden.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        self.line.bar.suspend(print);
    }

    /// Returns a function that prints lines which stay, on standard error above the progress line. Without a terminal,
    /// nothing is printed, as of all progress.
    pub(crate) fn notes(&self) -> impl Fn(&str) + Send + Sync + use<> {
        let line = self.line.clone();
        move |text| line.note(text)
    }

    /// Returns a function that prints messages of other parts.
    pub(crate) fn watch(&self) -> impl Fn(String) + Send + Sync + use<> {
        let line = self.line.clone();
        move |message: String| line.say(&message)
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
        let line = self.line.clone();
        let about = if about.is_empty() { String::new() } else { format!("{about}: ") };
        Budget {
            cancel: Some(self.cancel.clone()),
            deadline: self.deadline,
            progress: Some(Arc::new(move |progress| {
                line.say(&format!("{about}{}", words::progress(progress)));
            })),
            ..Budget::default()
        }
    }
}

/// The display of progress.
#[derive(Clone)]
struct Line {
    bar: ProgressBar,
    /// For messages on lines of their own: the milliseconds until the last one.
    last: Option<Arc<AtomicU64>>,
}

impl Line {
    fn hidden() -> Line {
        Line { bar: ProgressBar::hidden(), last: None }
    }

    /// A line on the terminal, if there is one, or lines for another program.
    fn new() -> Line {
        if SHOWN.get() == Some(&Progress::Lines) {
            return Line { last: Some(Arc::default()), ..Line::hidden() };
        }
        if !std::io::stderr().is_terminal() {
            return Line::hidden();
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Line { bar, last: None }
    }

    /// Prints a line that stays.
    fn note(&self, text: &str) {
        if self.last.is_some() {
            output::say(&format!("progress: {}", text.replace('\n', " ")));
        } else if !self.bar.is_hidden() {
            self.bar.suspend(|| output::say(text));
        }
    }

    fn say(&self, message: &str) {
        let Some(last) = &self.last else { return self.bar.set_message(clean(message)) };
        let (now, before) = (self.bar.elapsed().as_millis() as u64, last.load(Ordering::Relaxed));
        let is_due = before == 0 || now >= before + PACE.as_millis() as u64;
        // Of several threads, one prints.
        if is_due && last.compare_exchange(before, now.max(1), Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            output::say(&format!("progress: {}", message.replace('\n', " ")));
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.line.bar.finish_and_clear();
    }
}
