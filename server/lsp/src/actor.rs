//! The analysis actor: one thread that always works on the newest snapshot and publishes what it finds.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use tower_lsp::Client;
use tower_lsp::lsp_types::{Diagnostic, Url};

use crate::diagnostics;
use crate::shared::Shared;
use crate::snapshot::{File, Snapshot};

/// The longest wait for the author to stop typing.
const LONGEST_PAUSE: Duration = Duration::from_millis(150);
/// An analysis this short is run at once after every keystroke.
const SHORT_ENOUGH: Duration = Duration::from_millis(8);

/// The handle: hand it snapshots in order.
#[derive(Clone, Debug)]
pub struct Analysis(mpsc::Sender<Arc<Snapshot>>);

/// A set of findings ready to be sent.
struct Publication {
    uri: Url,
    version: Option<i32>,
    diagnostics: Vec<Diagnostic>,
}

impl Analysis {
    /// Starts the thread; it ends with the last handle.
    pub fn start(client: Client, shared: Arc<Shared>) -> Analysis {
        let (sender, snapshots) = mpsc::channel();
        let (publish, mut publications) = tokio::sync::mpsc::unbounded_channel::<Publication>();
        tokio::spawn(async move {
            while let Some(Publication { uri, version, diagnostics }) = publications.recv().await {
                client.publish_diagnostics(uri, diagnostics, version).await;
            }
        });
        std::thread::Builder::new()
            .name("analysis".into())
            .stack_size(16 << 20)
            .spawn(move || Actor { publish, published: BTreeMap::new(), last: Duration::ZERO, shared }.run(&snapshots))
            .expect("the system gives a thread");
        Analysis(sender)
    }

    pub fn see(&self, snapshot: Arc<Snapshot>) {
        // The thread ends only with this handle, or after a panic that has been reported.
        let _ = self.0.send(snapshot);
    }
}

struct Actor {
    publish: tokio::sync::mpsc::UnboundedSender<Publication>,
    /// What the client shows: per document what its findings rest on.
    published: BTreeMap<Url, diagnostics::Basis>,
    /// How long the last analysis took.
    last: Duration,
    shared: Arc<Shared>,
}

impl Actor {
    fn run(mut self, snapshots: &mpsc::Receiver<Arc<Snapshot>>) {
        while let Ok(first) = snapshots.recv() {
            let mut newest = first;
            while let Some(newer) = self.round(snapshots, newest) {
                newest = newer;
            }
        }
    }

    /// Analyses the newest snapshot. Stops and returns a newer one where it came in the meantime.
    fn round(&mut self, snapshots: &mpsc::Receiver<Arc<Snapshot>>, from: Arc<Snapshot>) -> Option<Arc<Snapshot>> {
        let newest = self.settle(snapshots, from);
        self.retract(&newest);
        let begun = Instant::now();
        for file in newest.open.values() {
            let basis = diagnostics::Basis::of(&newest, file);
            if self.published.get(&file.uri).is_some_and(|shown| *shown == basis) {
                continue;
            }
            let found = catch_unwind(AssertUnwindSafe(|| diagnostics::find(&newest, &self.shared, &basis)));
            self.last = begun.elapsed();
            let newer = snapshots.try_iter().last();
            let is_stale =
                newer.as_ref().is_some_and(|newer| !newer.file(&file.uri).is_some_and(|it| Arc::ptr_eq(it, file)));
            match found {
                Ok(found) if !is_stale => self.show(file, basis, found),
                // The panic hook has told where; the old findings stay.
                _ => {}
            }
            if newer.is_some() {
                return newer;
            }
        }
        None
    }

    /// Skips to the newest snapshot; after a long analysis, waits for a pause in the typing first.
    fn settle(&self, snapshots: &mpsc::Receiver<Arc<Snapshot>>, mut newest: Arc<Snapshot>) -> Arc<Snapshot> {
        if self.last < SHORT_ENOUGH {
            return snapshots.try_iter().last().unwrap_or(newest);
        }
        while let Ok(newer) = snapshots.recv_timeout(self.last.min(LONGEST_PAUSE)) {
            newest = newer;
        }
        newest
    }

    fn show(&mut self, file: &Arc<File>, basis: diagnostics::Basis, diagnostics: Vec<Diagnostic>) {
        let version = file.version;
        let _ = self.publish.send(Publication { uri: file.uri.clone(), version, diagnostics });
        self.published.insert(file.uri.clone(), basis);
    }

    /// Takes back the findings of documents that have been closed.
    fn retract(&mut self, newest: &Snapshot) {
        let publish = &self.publish;
        self.published.retain(|uri, _| {
            let is_open = newest.open.contains_key(uri);
            if !is_open {
                let _ = publish.send(Publication { uri: uri.clone(), version: None, diagnostics: Vec::new() });
            }
            is_open
        });
    }
}
