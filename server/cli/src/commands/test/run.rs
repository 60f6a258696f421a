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
use super::fill::{EMPTY, is_empty};
use super::{Suite, folder_of};
use crate::failure::Failure;
use crate::limits;

/// The delay of an answer after which it is abandoned.
const GRACE: Duration = Duration::from_secs(20);
/// The stack of the thread that looks for an answer.
const STACK: usize = 16 << 20;
/// The most lines of the reason why there is no answer.
const LINES: usize = 12;

/// The result of an expectation.
#[derive(Debug)]
pub(crate) struct Ran {
    pub case: Case,
    /// The differences; empty if all is as expected. `Err`: the reason why nothing could be compared.
    pub outcome: Result<Vec<Difference>, String>,
    pub seconds: f64,
}

impl Ran {
    pub(crate) fn passed(&self) -> bool {
        self.outcome.as_ref().is_ok_and(Vec::is_empty)
    }
}

/// Answers every case, on all processors, in the order of the cases; `begun` and `done` receive each in its time. Only files of the
/// suite's folder and below its root are opened.
pub(super) fn run(
    suite: &Arc<Suite>,
    cases: &[Case],
    time: Duration,
    begun: &(impl Fn(&Case) + Sync),
    done: &(impl Fn(&Ran) + Sync),
) -> Result<Vec<Ran>, Failure> {
    let one = |case: &Case| {
        let begin = Instant::now();
        begun(case);
        let outcome = is_within(&suite.root, folder_of(&suite.path), case).and_then(|()| outcome(suite, case, time));
        let ran = Ran { case: case.clone(), outcome, seconds: begin.elapsed().as_secs_f64() };
        done(&ran);
        ran
    };
    // A pool of its own: its threads only wait, and the answers need those of the common pool.
    Ok(ThreadPoolBuilder::new().build()?.install(|| cases.par_iter().map(one).collect()))
}

/// Refuses a case about a file outside `root`: expectations may be a stranger's, and commands quote the files that they
/// read.
fn is_within(root: &Path, folder: &Path, case: &Case) -> Result<(), String> {
    let mut names = std::iter::once(&case.game).chain(&case.trace);
    match names.find(|name| leads_out(root, &folder.join(name))) {
        Some(name) => Err(format!("`{name}` is outside of the folder {}: it is not read", root.display())),
        None => Ok(()),
    }
}

/// The differences, computed by a thread that is abandoned if it is late.
fn outcome(suite: &Arc<Suite>, case: &Case, time: Duration) -> Result<Vec<Difference>, String> {
    if let Some(why) = limits::stopped() {
        return Err(format!("not run: {why}"));
    }
    if is_empty(&suite.expected, case.kind, case.index) {
        return Err(EMPTY.to_string());
    }
    let (tell, answers) = channel();
    let (suite, case) = (suite.clone(), case.clone());
    let work = move || {
        // Fails only if the receiver is gone.
        let _ = tell.send(differences(&suite.expected, &case, folder_of(&suite.path), time));
    };
    let thread = thread::Builder::new().name("expectation".into()).stack_size(STACK).spawn(work);
    thread.map_err(|error| format!("no thread could be started: {error}"))?;
    let answer = answers.recv_timeout(time.saturating_add(GRACE));
    // Work that was asked to end may have only a partial result.
    match (answer, limits::stopped()) {
        (_, Some(why)) => Err(why.to_string()),
        (Ok(answer), None) => answer.map_err(|failure| first_lines(&failure.text())),
        (Err(RecvTimeoutError::Timeout), None) => {
            Err(format!("stopped after {} s", time.saturating_add(GRACE).as_secs()))
        }
        (Err(RecvTimeoutError::Disconnected), None) => Err("Percept crashed: please report this".to_string()),
    }
}

fn first_lines(text: &str) -> String {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).take(LINES).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::time::Duration;

    use super::super::place::Places;
    use super::super::{Suite, ask, format::Expected};
    use super::run;

    /// Files of expectations with bytes changed: each is refused, or every expectation in it has an outcome and a
    /// place.
    #[test]
    fn forged_expectations_are_answered() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let games = ["blind-tic-tac-toe", "kuhn-poker", "exploding-bomb"].map(|game| folder.join(game));
        let read = |game: &PathBuf| std::fs::read(game.join(super::super::NAME)).expect("expectations");
        let seeds: Vec<Vec<u8>> = games.iter().map(read).collect();
        let (mut answered, mut refused) = (0, 0);
        for (number, bytes) in percept_test::mutants(&seeds, percept_test::more(4_000, 200_000), 1).enumerate() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let Ok(expected) = toml::from_str::<Expected>(&text) else {
                refused += 1;
                continue;
            };
            let cases = ask::cases(&expected, 0.05);
            let places = Places::new(&text);
            assert!(cases.iter().all(|case| places.of(case, &[]).end <= text.len()), "{text}");
            // Answers take much longer than reading a file.
            if number % 100 == 0 {
                let path = games[number / 100 % games.len()].join("expected.toml");
                let (written, filled) = (text.clone(), super::super::fill::Filled::new());
                let suite = Arc::new(Suite { path, root: folder.clone(), written, text, expected, filled });
                let ran = run(&suite, &cases[..cases.len().min(6)], Duration::from_millis(50), &|_| {}, &|_| {})
                    .expect("threads");
                answered += ran.len();
                let broken = ran.iter().filter_map(|ran| ran.outcome.as_ref().err());
                broken.for_each(|why| assert!(!why.contains("crashed"), "{why}\n{}", suite.text));
            }
        }
        assert!(answered > 0 && refused > 0, "{answered} answered, {refused} refused");
    }
}
