//! Another program beside ours: any that plays random matches and prints how many matches and states a second it plays.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;
use wait_timeout::ChildExt;

use crate::failure::Failure;
use crate::limits::{heed_interrupts, is_interrupted};

/// The set-up time granted to a program that is asked to play for a while.
const GRACE: Duration = Duration::from_secs(60);
/// The time between two checks for Ctrl-C.
const GLANCE: Duration = Duration::from_millis(100);
/// The most output that is read.
const MOST_OUTPUT: u64 = 1 << 20;

/// The figures that another program reports about itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Figures {
    pub playouts_per_s: f64,
    pub states_per_s: f64,
}

/// Keeps this process, and all processes it starts from now on, on one core, by the system's `taskset`. False if the
/// system has no such program.
pub(super) fn pin() -> bool {
    let core = std::thread::available_parallelism().map_or(1, usize::from) - 1;
    let mut taskset = Command::new("taskset");
    taskset.args(["-cp", &core.to_string(), &std::process::id().to_string()]);
    taskset.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs a command line in which `{}` is the game's file and `{ms}` the time in milliseconds.
///
/// # Errors
/// If it cannot be run, fails, takes far longer than the time, or prints no figures.
pub(super) fn run(command: &str, game: &Path, time: Duration) -> Result<Figures, Failure> {
    run_within(command, game, time, time * 4 + GRACE)
}

fn run_within(command: &str, game: &Path, time: Duration, limit: Duration) -> Result<Figures, Failure> {
    let line = command.replace("{}", &quoted(game)).replace("{ms}", &time.as_millis().to_string());
    let failed = |why: String| Failure::new(format!("`{line}` {why}"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).stdin(Stdio::null()).stdout(Stdio::piped());
    lead_a_group(&mut shell);
    // From here on the terminal's Ctrl-C does not reach the processes of the shell.
    heed_interrupts();
    let mut child = shell.spawn().map_err(|error| failed(format!("cannot be started: {error}")))?;
    let stdout = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Unreadable output has no figures either.
        let _ = stdout.map(|stdout| stdout.take(MOST_OUTPUT).read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let status = ended(&mut child, limit).map_err(failed)?;
    if !status.success() {
        return Err(failed(format!("failed: {status}")));
    }
    let output = reader.join().unwrap_or_default();
    figures(&output).ok_or_else(|| {
        failed(
            "prints no figures above 0; expected are `N playouts/s` and `N states/s`, or the lines of `--format json`"
                .to_string(),
        )
    })
}

/// Waits for a shell. Ends it and all its processes at the limit or at Ctrl-C, and returns the reason.
fn ended(child: &mut Child, limit: Duration) -> Result<ExitStatus, String> {
    let begin = Instant::now();
    loop {
        let status = child.wait_timeout(GLANCE.min(limit));
        if let Some(status) = status.map_err(|error| format!("cannot be waited for: {error}"))? {
            return Ok(status);
        }
        let is_late = begin.elapsed() >= limit;
        if is_late || is_interrupted() {
            end(child);
            return Err(if is_late { "did not end in time" } else { "was interrupted" }.to_string());
        }
    }
}

/// Puts all processes of a command into one group, so that they can be ended together.
fn lead_a_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a shell and the whole group that it leads, with another shell's `kill`. A program that it started would
/// otherwise go on, and take the core from the next measurement.
fn end(child: &mut Child) {
    let kill = format!("kill -s KILL -- -{}", child.id());
    let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status();
    let _ = child.kill();
    let _ = child.wait();
}

/// A path as one word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// The figures in a program's output: a line of our own JSON, or numbers before `playouts/s` and `states/s` (`/sec`
/// likewise), both more than 0.
fn figures(output: &str) -> Option<Figures> {
    let json = output.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut ours = json.filter_map(|value| {
        Some(Figures {
            playouts_per_s: value.get("playouts_per_s")?.as_f64()?,
            states_per_s: value.get("states_per_s")?.as_f64()?,
        })
    });
    let words: Vec<&str> = output.split_whitespace().map(|word| word.trim_matches(['(', ')', ',', ';'])).collect();
    let before = |unit: &str| {
        let pair = words
            .windows(2)
            .rev()
            .find(|pair| pair[1].strip_prefix(unit).is_some_and(|rest| ["", "ec"].contains(&rest)));
        pair.and_then(|pair| pair[0].parse::<f64>().ok()).filter(|figure| figure.is_finite())
    };
    let named = || Some(Figures { playouts_per_s: before("playouts/s")?, states_per_s: before("states/s")? });
    // A program that plays nothing has no ratio.
    ours.next_back().or_else(named).filter(|it| it.playouts_per_s > 0.0 && it.states_per_s > 0.0)
}

/// The median; for an even number of values, the lesser of the two in the middle.
pub(super) fn median<T>(mut values: Vec<T>, figure: impl Fn(&T) -> f64) -> Option<T> {
    values.sort_by(|left, right| figure(left).total_cmp(&figure(right)));
    let middle = values.len().checked_sub(1)? / 2;
    Some(values.swap_remove(middle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_in_what_programs_print() {
        let rbg = "time: 2070 ms\nnumber of playouts: 5033 (2431.5 playouts/sec)\nnumber of states: 358513 (173194.25 states/sec)";
        let expected = Some(Figures { playouts_per_s: 2431.5, states_per_s: 173194.25 });
        assert_eq!(figures(rbg), expected);
        assert_eq!(figures("173194.25 states/s, 2431.5 playouts/s"), expected);
        assert_eq!(figures(r#"{"game":"hex","playouts_per_s":2431.5,"states_per_s":173194.25}"#), expected);
        assert_eq!(figures("many playouts/s and 3 states/s"), None);
        assert_eq!(figures("3 playouts/second 4 states/s"), None);
        assert_eq!(figures("0 playouts/s and 3 states/s"), None);
        assert_eq!(figures("3 playouts/s and 0.0 states/s"), None);
        assert_eq!(figures(""), None);
    }

    #[test]
    fn the_middle_counts() {
        assert_eq!(median(vec![3.0, 1.0, 2.0], |&it| it), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0], |&it| it), Some(1.0));
        assert_eq!(median(Vec::<f64>::new(), |&it| it), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_command_line_gets_the_game_and_the_time() {
        let game = Path::new("a game's.kif");
        let found =
            run("test {} = \"a game's.kif\" && echo {ms} playouts/s 7 states/s", game, Duration::from_millis(250));
        assert_eq!(found.unwrap(), Figures { playouts_per_s: 250.0, states_per_s: 7.0 });
        assert!(run("exit 3", game, Duration::ZERO).is_err());
        assert!(run("echo nothing", game, Duration::ZERO).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_the_shell_started_ends_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("ticks");
        let line = "while sleep 0.05; do echo tick >> {}; done & wait";
        let failure = run_within(line, &file, Duration::ZERO, Duration::from_secs(2)).expect_err("it does not end");
        assert!(format!("{failure:?}").contains("did not end in time"), "{failure:?}");
        let ticks = || std::fs::read(&file).expect("it has begun").len();
        let until_then = ticks();
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(ticks(), until_then, "it goes on");
    }
}
