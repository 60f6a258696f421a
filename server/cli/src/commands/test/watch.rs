//! `--watch`: tests again whenever something changes beside the expectations, until Ctrl-C.

use std::sync::mpsc;
use std::time::Duration;

use notify::{EventKind, RecursiveMode, Watcher};

use super::{Tested, human, once};
use crate::args::Test;
use crate::failure::{Failure, INTERRUPTED, Outcome};
use crate::{output, work};

/// An editor saves in several steps: what comes within this time is one change.
const PAUSE: Duration = Duration::from_millis(200);

pub fn run(args: &Test) -> Outcome {
    let failure = |error: notify::Error| Failure::new(format!("the files cannot be watched: {error}"));
    let (tell, changes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|it| matches!(it.kind, EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_))) {
            // Fails only when nobody watches any more.
            let _ = tell.send(());
        }
    })
    .map_err(failure)?;
    for path in &args.paths {
        let folder = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(path) };
        let folder = if folder.as_os_str().is_empty() { std::path::Path::new(".") } else { folder };
        watcher.watch(folder, RecursiveMode::Recursive).map_err(failure)?;
    }
    loop {
        match once(args) {
            Ok(tested) => output::println(&told(&tested)),
            Err(failure) => failure.print(),
        }
        loop {
            if work::is_interrupted() {
                return Ok(INTERRUPTED);
            }
            if changes.recv_timeout(PAUSE).is_ok() {
                while changes.recv_timeout(PAUSE).is_ok() {}
                break;
            }
        }
    }
}

fn told(tested: &[Tested]) -> String {
    format!("{}; waiting for changes (Ctrl-C ends)", human::summary(tested))
}
