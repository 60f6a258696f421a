//! The texts of the last commit, as `git show HEAD:./FILE` prints them. A file has none if git returns nothing for it.
//!
//! The folder may be a stranger's, so git may run no program of its settings, ask no question and fetch no object.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use percept_syntax::Source;

/// The time limit for one file.
const FILE_TIME: Duration = Duration::from_secs(1);
/// The time limit for all files of a run.
const RUN_TIME: Duration = Duration::from_secs(3);
/// The size, in bytes, above which texts are not compared.
const MAX_BYTES: u64 = 4 << 20;

/// The last commit, and the time that it took to read from it.
#[derive(Default)]
pub(super) struct LastCommit {
    spent: Duration,
}

impl LastCommit {
    /// The committed text of a file.
    pub(super) fn text(&mut self, path: &Path, now: &Source) -> Option<Source> {
        // The text of a link is the path that it leads to.
        let is_file = path.symlink_metadata().is_ok_and(|it| it.is_file());
        let path = std::path::absolute(path).ok().filter(|_| is_file)?;
        let has_repository = path.ancestors().skip(1).any(|folder| folder.join(".git").exists());
        if !has_repository || self.spent >= RUN_TIME {
            return None;
        }
        let start = Instant::now();
        let bytes = show(&path, FILE_TIME.min(RUN_TIME - self.spent));
        self.spent += start.elapsed();
        Source::from_bytes(bytes?, now.language).ok()
    }
}

/// The bytes of the file in the last commit.
fn show(path: &Path, time: Duration) -> Option<Vec<u8>> {
    let mut revision = OsString::from("HEAD:./");
    revision.push(path.file_name()?);
    let mut git = Command::new("git");
    git.arg("-C").arg(path.parent()?);
    git.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"]);
    git.args(["--no-pager", "show", "--no-textconv", "--no-ext-diff"]).arg(revision);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        git.env_remove(name);
    }
    for name in ["GIT_NO_LAZY_FETCH", "GIT_NO_REPLACE_OBJECTS"] {
        git.env(name, "1");
    }
    git.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
    let mut child = git.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let bytes = output(&mut child, time);
    // A child that runs on is killed.
    let ended = if bytes.is_some() { child.wait().ok() } else { None };
    if ended.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    bytes.filter(|_| ended.is_some_and(|status| status.success()))
}

/// The output of the child, if it ends in time and is short enough.
fn output(child: &mut Child, time: Duration) -> Option<Vec<u8>> {
    let stdout = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    let read = move || {
        let mut bytes = Vec::new();
        // After the time limit the receiver no longer exists.
        if stdout.take(MAX_BYTES + 1).read_to_end(&mut bytes).is_ok() {
            let _ = sender.send(bytes);
        }
    };
    std::thread::Builder::new().name("git".into()).spawn(read).ok()?;
    let bytes = receiver.recv_timeout(time).ok()?;
    (bytes.len() as u64 <= MAX_BYTES).then_some(bytes)
}
