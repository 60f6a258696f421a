//! Answers all expectations of a file, several at a time, each within its own time.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use percept_report::files::leads_out;
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::ask::Case;
use super::compare::{Difference, differences};
use super::{Suite, folder_of};
use crate::failure::Failure;
use crate::limits;

/// How long an answer may be late before it is not waited for any more.
const GRACE: Duration = Duration::from_secs(20);
/// The stack of the thread that looks for an answer.
const STACK: usize = 16 << 20;
/// The most lines that are told of why there is no answer.
const LINES: usize = 12;

/// What became of an expectation.
#[derive(Debug)]
pub(crate) struct Ran {
    pub case: Case,
    /// What differs; empty where all is as expected. `Err`: nothing could be compared, and why.
    pub outcome: Result<Vec<Difference>, String>,
    pub seconds: f64,
}

impl Ran {
    pub(crate) fn passed(&self) -> bool {
        self.outcome.as_ref().is_ok_and(Vec::is_empty)
    }
}

/// Answers every case, on all processors, in the order of the cases; `done` hears of each as it ends. Files are those of the
/// suite's folder and of what is below its root: others are not opened.
pub(super) fn run(
    suite: &Arc<Suite>,
    cases: &[Case],
    time: Duration,
    done: &(impl Fn(&Ran) + Sync),
) -> Result<Vec<Ran>, Failure> {
    let one = |case: &Case| {
        let begin = Instant::now();
        let outcome = is_within(&suite.root, folder_of(&suite.path), case).and_then(|()| outcome(suite, case, time));
        let ran = Ran { case: case.clone(), outcome, seconds: begin.elapsed().as_secs_f64() };
        done(&ran);
        ran
    };
    // A pool of its own: its threads only wait, and the answers need those of the common pool.
    Ok(ThreadPoolBuilder::new().build()?.install(|| cases.par_iter().map(one).collect()))
}

/// Refuses a case that is about a file outside of `root`: expectations may be a stranger's, and commands quote the files that they
/// read.
fn is_within(root: &Path, folder: &Path, case: &Case) -> Result<(), String> {
    let mut names = std::iter::once(&case.game).chain(&case.trace);
    match names.find(|name| leads_out(root, &folder.join(name))) {
        Some(name) => Err(format!("`{name}` is outside of the folder {}: it is not read", root.display())),
        None => Ok(()),
    }
}

/// What differs, found by a thread that is left behind if it is late.
fn outcome(suite: &Arc<Suite>, case: &Case, time: Duration) -> Result<Vec<Difference>, String> {
    if let Some(why) = limits::stopped() {
        return Err(format!("not run: {why}"));
    }
    let (tell, told) = channel();
    let (suite, case) = (suite.clone(), case.clone());
    let work = move || {
        // Fails only if nothing waits for it any more.
        let _ = tell.send(differences(&suite.expected, &case, folder_of(&suite.path), time));
    };
    let thread = thread::Builder::new().name("expectation".into()).stack_size(STACK).spawn(work);
    thread.map_err(|error| format!("no thread could be started: {error}"))?;
    let answer = told.recv_timeout(time.saturating_add(GRACE));
    // Work that was asked to end may have found only a part.
    match (answer, limits::stopped()) {
        (_, Some(why)) => Err(why.to_string()),
        (Ok(answer), None) => answer.map_err(|failure| first_lines(&failure.text())),
        (Err(RecvTimeoutError::Timeout), None) => {
            Err(format!("stopped after {} s", time.saturating_add(GRACE).as_secs()))
        }
        (Err(RecvTimeoutError::Disconnected), None) => Err("Percept broke down: please report this".to_string()),
    }
}

fn first_lines(text: &str) -> String {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(LINES).collect::<Vec<_>>().join("\n")
}
