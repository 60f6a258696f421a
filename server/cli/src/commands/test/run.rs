//! Runs the commands that expectations are about: each in a process of its own, so that none can take another with it,
//! and so that what is tested is what a reader gets who runs the command by hand.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use percept_report::files::leads_out;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::Value;
use wait_timeout::ChildExt;

use super::ask::Case;
use super::compare::{Difference, differences};
use super::format::Expected;
use crate::limits;

/// Beyond what a command is told that it may take, before it is stopped.
const GRACE: Duration = Duration::from_secs(20);

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

/// Asks for every case, on all processors, in the order of the cases; `done` hears of each as it ends. Files are those of
/// `folder` and of what is below `root`: others are not opened.
pub(super) fn run(
    (root, folder): (&Path, &Path),
    expected: &Expected,
    cases: &[Case],
    time: Duration,
    done: &(impl Fn(&Ran) + Sync),
) -> Vec<Ran> {
    let one = |case: &Case| {
        let begin = Instant::now();
        let outcome = is_within(root, folder, case)
            .and_then(|()| answer(folder, case, time))
            .and_then(|answer| differences(expected, case, &answer));
        let ran = Ran { case: case.clone(), outcome, seconds: begin.elapsed().as_secs_f64() };
        done(&ran);
        ran
    };
    cases.par_iter().map(one).collect()
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

/// The answer of the case's command.
fn answer(folder: &Path, case: &Case, time: Duration) -> Result<Value, String> {
    if limits::is_interrupted() {
        return Err("not run: stopped by Ctrl-C".to_string());
    }
    let this = std::env::current_exe().map_err(|error| format!("percept cannot be started again: {error}"))?;
    let mut command = Command::new(this);
    command.current_dir(folder).args(&case.command).args(["--format", "json"]);
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(|error| format!("percept cannot be started again: {error}"))?;
    let (out, err) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let status = child.wait_timeout(time + GRACE).map_err(|error| format!("the command was lost: {error}"))?;
    if status.is_none() {
        // Both fail only where the child has just ended by itself.
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("stopped after {} s", (time + GRACE).as_secs()));
    }
    let [out, err] = [out, err].map(|it| it.join().unwrap_or_default());
    serde_json::from_str(&out).map_err(|_| first_words(&err))
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read until then is told.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// What a command complains of.
fn first_words(err: &str) -> String {
    let lines: Vec<_> = err.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(12).collect();
    if lines.is_empty() { "the command said nothing".to_string() } else { lines.join("\n") }
}
