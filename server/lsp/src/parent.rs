//! Whether the editor that started the server still runs. One that is killed may leave the server's input open, for whoever
//! inherited it: nobody says `exit` then.

use std::time::Duration;

/// How often it is looked after.
const EVERY: Duration = Duration::from_secs(2);

/// Calls `gone` when the process has ended, on a thread of its own; never, where that cannot be seen.
pub(crate) fn watch(process: u32, gone: impl FnOnce() + Send + 'static) {
    let Some(first) = birth(process) else { return };
    let watching = move || {
        while birth(process).as_ref() == Some(&first) {
            std::thread::sleep(EVERY);
        }
        gone();
    };
    // Without the thread the server ends when its input does.
    let _ = std::thread::Builder::new().name("parent".into()).spawn(watching);
}

/// What tells a process that runs from another one of the same number. `None` where there is none, or only its remains.
#[cfg(target_os = "linux")]
fn birth(process: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    fields.nth(18).filter(|_| !matches!(state, "Z" | "X")).map(String::from)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn birth(process: u32) -> Option<String> {
    let asked = std::process::Command::new("ps").args(["-o", "lstart=", "-p", &process.to_string()]).output().ok()?;
    let started = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
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
        watch(child.id(), move || sender.send(()).expect("somebody waits"));
        assert!(ended.recv_timeout(EVERY / 4).is_err());
        child.kill().expect("it runs");
        // Its remains are still there: nobody has asked how it ended.
        ended.recv_timeout(EVERY * 5).expect("that was seen");
        child.wait().expect("it has ended");
    }
}
