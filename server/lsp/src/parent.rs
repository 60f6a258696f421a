//! Watches the editor that started the server. If the editor is killed, another process may have inherited the server's
//! input and keep it open, so no `exit` arrives.

use std::time::Duration;

/// The time between two checks.
const EVERY: Duration = Duration::from_secs(2);

/// Calls `gone` on its own thread after the process has ended; never if the system does not report that.
pub(crate) fn watch(process: u32, gone: impl FnOnce() + Send + 'static) {
    let Some(first) = birth(process) else { return };
    let watching = move || {
        while birth(process).as_ref() == Some(&first) {
            std::thread::sleep(EVERY);
        }
        gone();
    };
    // Without the thread the server ends with its input.
    let _ = std::thread::Builder::new().name("parent".into()).spawn(watching);
}

/// A value that distinguishes a running process from a later one with the same number. `None` if it has ended, even if
/// its entry remains.
#[cfg(target_os = "linux")]
fn birth(process: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may contain any character.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    fields.nth(18).filter(|_| !matches!(state, "Z" | "X")).map(String::from)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn birth(process: u32) -> Option<String> {
    let output = std::process::Command::new("ps").args(["-o", "lstart=", "-p", &process.to_string()]).output().ok()?;
    let started = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (!started.is_empty()).then_some(started)
}

#[cfg(not(unix))]
fn birth(_: u32) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_ends_is_missed() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("there is `sleep`");
        let (sender, ended) = std::sync::mpsc::channel();
        watch(child.id(), move || sender.send(()).expect("the test waits"));
        assert!(ended.recv_timeout(EVERY / 4).is_err());
        child.kill().expect("it runs");
        // Its entry remains because its exit status was not read.
        ended.recv_timeout(EVERY * 5).expect("that was seen");
        child.wait().expect("it has ended");
    }
}
