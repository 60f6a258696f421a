//! A command of this program in a process of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::failure::INTERRUPTED;
use crate::limits;

/// The most bytes of an answer.
const LONGEST: u64 = 64 << 20;
/// The most notes that are kept, and the longest.
const NOTES: usize = 200;
/// The time that a command has for its partial answer, after it was asked to end.
const GRACE: Duration = Duration::from_secs(2);

/// A command line with its limits.
#[derive(Debug)]
pub(super) struct Task {
    /// The words after the program's name.
    pub words: Vec<OsString>,
    /// The working directory, to which paths are relative.
    pub place: PathBuf,
    /// The only folders that it may read and write.
    pub within: Vec<PathBuf>,
    pub time: Duration,
    pub memory: usize,
}

/// The result of a command.
#[derive(Debug)]
pub(super) struct Ended {
    /// The exit code; [`INTERRUPTED`] if it was ended by force.
    pub code: u8,
    pub output: String,
    /// The lines on standard error.
    pub notes: Vec<String>,
    /// True if it was asked to end because its time was up.
    pub was_late: bool,
}

/// Runs a command. `progress` receives its messages. `None`: the call was cancelled, and the process was ended.
///
/// # Errors
/// If no process can be started, or its output cannot be read.
pub(super) async fn run(
    task: &Task,
    cancelled: &CancellationToken,
    progress: &mut (dyn FnMut(String) + Send),
) -> std::io::Result<Option<Ended>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--memory").arg(task.memory.to_string()).args(["--progress", "lines"]);
    for folder in &task.within {
        command.arg("--within").arg(folder);
    }
    command.args(&task.words).current_dir(&task.place);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    // Its own group: Ctrl-C in the terminal of the server ends the server, which ends it.
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn()?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let reading = async { tokio::join!(whole(output), lines(errors, progress)) };
    let mut reading = std::pin::pin!(reading);
    let late = sleep_until(Instant::now() + limits::patience(task.time));
    let (was_late, (output, notes)) = tokio::select! {
        () = cancelled.cancelled() => return Ok(None),
        read = &mut reading => (false, read),
        () = late => {
            ask_to_end(&child);
            match timeout(GRACE, &mut reading).await {
                Ok(read) => (true, read),
                Err(_) => {
                    child.kill().await?;
                    (true, reading.await)
                }
            }
        }
    };
    let status = child.wait().await?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(INTERRUPTED);
    Ok(Some(Ended { code, output: output?, notes, was_late }))
}

/// Ctrl-C: commands print the answer so far.
#[cfg(unix)]
fn ask_to_end(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    // It may have ended by itself.
    pid.map(|pid| kill_process(pid, Signal::INT));
}

#[cfg(not(unix))]
fn ask_to_end(_: &Child) {}

async fn whole(stream: Option<impl AsyncRead + Unpin>) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(LONGEST).read_to_end(&mut bytes).await?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Passes messages on, and keeps the other lines.
async fn lines(stream: Option<impl AsyncRead + Unpin>, progress: &mut (dyn FnMut(String) + Send)) -> Vec<String> {
    let mut notes = Vec::new();
    let Some(stream) = stream else { return notes };
    let mut lines = BufReader::new(stream).lines();
    // A line that cannot be read ends the notes, not the call.
    while let Ok(Some(line)) = lines.next_line().await {
        match line.strip_prefix("progress: ") {
            Some(message) => progress(message.to_string()),
            None if notes.len() < NOTES => notes.push(line),
            None => {}
        }
    }
    notes
}
