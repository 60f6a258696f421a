//! `--watch`: repeats work whenever files change, until Ctrl-C.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher};

use crate::failure::{Failure, INTERRUPTED, Outcome};
use crate::limits;

/// The time within which all events are one change, because an editor saves in several steps.
const PAUSE: Duration = Duration::from_millis(200);

/// Runs `again` now, and after every change beside these files or in these folders.
///
/// # Errors
/// If the system cannot watch them.
pub(crate) fn run(paths: &[PathBuf], mut again: impl FnMut()) -> Outcome {
    let failure = |error: notify::Error| Failure::new(format!("the files cannot be watched: {error}"));
    limits::heed_interrupts();
    let (tell, changes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|it| matches!(it.kind, EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_))) {
            // Fails only if the receiver is gone.
            let _ = tell.send(());
        }
    })
    .map_err(failure)?;
    for path in paths {
        let folder = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(path) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        watcher.watch(folder, RecursiveMode::Recursive).map_err(failure)?;
    }
    loop {
        again();
        loop {
            if limits::is_interrupted() {
                return Ok(INTERRUPTED);
            }
            if changes.recv_timeout(PAUSE).is_ok() {
                while changes.recv_timeout(PAUSE).is_ok() {}
                break;
            }
        }
    }
}
