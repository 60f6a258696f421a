//! The analysis actor: one thread that always works on the newest snapshot and publishes its findings.
//!
//! Findings are pushed until the client pulls them for the first time. From then on the client is notified only if its
//! findings became stale for a reason that it cannot detect.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use tower_lsp::lsp_types::{Diagnostic, DiagnosticSeverity, Url};

use crate::basis::Basis;
use crate::diagnostics;
use crate::memory;
use crate::newest::{self, Receiver, Sender};
use crate::outbox::Outbox;
use crate::project::Project;
use crate::shared::Shared;
use crate::snapshot::{File, Snapshot};

/// In a burst of changes, the longest wait for the author to stop typing.
const LONGEST_PAUSE: Duration = Duration::from_millis(150);
/// The time without a change after which the memory of earlier texts is returned.
const REST: Duration = Duration::from_millis(500);
/// The bytes of open texts from which on that is worth the time it takes.
const LARGE: usize = 256 << 10;
/// The longest analysis that still runs after every keystroke: one frame of the screen.
const SHORT_ENOUGH: Duration = Duration::from_millis(16);

/// The handle, which receives snapshots in order.
#[derive(Clone, Debug)]
pub(crate) struct Analysis(Sender<Arc<Snapshot>>);

impl Analysis {
    /// Starts the thread; it ends with the last handle.
    pub(crate) fn start(outbox: Outbox, shared: Arc<Shared>) -> Analysis {
        let (sender, snapshots) = newest::channel();
        let actor = Actor {
            outbox,
            shown: BTreeMap::new(),
            projects: BTreeMap::new(),
            is_pulled: false,
            reported: BTreeMap::new(),
            seen: None,
            last: Duration::ZERO,
            most: 0,
            shared,
        };
        std::thread::Builder::new()
            .name("analysis".into())
            .stack_size(16 << 20)
            .spawn(move || actor.run(&snapshots))
            .expect("the system gives a thread");
        Analysis(sender)
    }

    pub(crate) fn see(&self, snapshot: Arc<Snapshot>) {
        self.0.put(snapshot);
    }
}

struct Actor {
    outbox: Outbox,
    /// The findings that the client shows: for each document the basis of its findings.
    shown: BTreeMap<Url, Basis>,
    /// The settings files whose own findings the client shows.
    projects: BTreeMap<Url, Arc<Project>>,
    /// True if the client pulls findings.
    is_pulled: bool,
    /// For a client that pulls: the related documents that were reported with the document it requested.
    reported: BTreeMap<Url, Basis>,
    /// The snapshot analysed last, until its memory has been looked after.
    seen: Option<Arc<Snapshot>>,
    /// The duration of the last analysis.
    last: Duration,
    /// The most bytes of open texts since memory was returned.
    most: usize,
    shared: Arc<Shared>,
}

impl Actor {
    fn run(mut self, snapshots: &Receiver<Arc<Snapshot>>) {
        while let Some(first) = snapshots.take() {
            let mut newest = self.round(snapshots, first, false);
            // A change that comes during the analysis of another is of one burst with it.
            loop {
                newest = match newest.or_else(|| snapshots.take_now()) {
                    Some(newer) => self.round(snapshots, newer, true),
                    None => match snapshots.take_within(REST) {
                        Ok(newer) => self.round(snapshots, newer, false),
                        Err(mpsc::RecvTimeoutError::Timeout) => break,
                        Err(mpsc::RecvTimeoutError::Disconnected) => return,
                    },
                };
            }
            self.rest();
        }
    }

    /// Returns the memory of earlier texts.
    fn rest(&mut self) {
        let Some(newest) = self.seen.take() else { return };
        self.shared.forget_old(&newest);
        let bytes = bytes(&newest);
        drop(newest);
        if self.most >= LARGE {
            memory::give_back();
        }
        self.most = bytes;
    }

    /// Analyses the newest snapshot. Stops and returns a newer one if it arrives meanwhile.
    fn round(
        &mut self,
        snapshots: &Receiver<Arc<Snapshot>>,
        from: Arc<Snapshot>,
        is_burst: bool,
    ) -> Option<Arc<Snapshot>> {
        let newest = if is_burst { self.settle(snapshots, from) } else { from };
        self.most = self.most.max(bytes(&newest));
        self.seen = Some(newest.clone());
        let preparing = Instant::now();
        let open: Vec<Basis> = newest.open.iter().map(|file| self.shared.basis(&newest, file)).collect();
        let beside: Vec<Basis> = open.iter().filter_map(|basis| basis.domain_beside(&newest)).collect();
        self.retract(&newest, &beside);
        if self.shared.pulls() {
            self.notice(&newest);
            return None;
        }
        let preparing = preparing.elapsed();
        let begun = Instant::now();
        let mut traces_changed = false;
        let mut newer: Option<Arc<Snapshot>> = None;
        for basis in open.into_iter().chain(beside) {
            let file = &basis.file.clone();
            let before = self.shown.get(&file.uri);
            if before.is_some_and(|before| *before == basis) {
                continue;
            }
            traces_changed |= before.is_some_and(|before| basis.is_trace() && before.is_of_same_text(&basis));
            let found = catch_unwind(AssertUnwindSafe(|| diagnostics::find(&newest, &self.shared, &basis)));
            let spent = begun.elapsed();
            if newer.is_none() {
                self.last = spent;
            }
            newer = snapshots.take_now().or(newer);
            let is_stale =
                newer.as_ref().is_some_and(|newer| !newer.file(&file.uri).is_some_and(|it| Arc::ptr_eq(it, file)));
            match found {
                Ok(found) if !is_stale => self.show(file, basis, found),
                // The panic hook has reported the place; the old findings stay.
                _ => {}
            }
            // A round checks every open document. With thousands of them, checking the bases takes so long that a round
            // interrupted any earlier would have shown nothing.
            if newer.is_some() && spent >= preparing {
                return newer;
            }
        }
        self.judge_settings(&newest);
        self.refresh_hints(&newest, traces_changed);
        newer
    }

    /// Skips to the newest snapshot of a burst; after a long analysis, waits for a pause in the typing first.
    fn settle(&self, snapshots: &Receiver<Arc<Snapshot>>, mut newest: Arc<Snapshot>) -> Arc<Snapshot> {
        if self.last < SHORT_ENOUGH {
            return snapshots.take_now().unwrap_or(newest);
        }
        while let Ok(newer) = snapshots.take_within(self.last.min(LONGEST_PAUSE)) {
            // The texts are unchanged: a file or a setting has changed.
            if Arc::ptr_eq(&newer, &newest) {
                break;
            }
            newest = newer;
        }
        newest
    }

    fn show(&mut self, file: &Arc<File>, basis: Basis, mut diagnostics: Vec<Diagnostic>) {
        if basis.is_beside {
            // This file is not open, so only errors that break the open ones are reported.
            diagnostics.retain(|it| it.severity == Some(DiagnosticSeverity::ERROR));
            if diagnostics.is_empty() && !self.shown.contains_key(&file.uri) {
                return;
            }
        }
        self.outbox.findings(file.uri.clone(), file.version, diagnostics);
        self.shown.insert(file.uri.clone(), basis);
    }

    /// Withdraws the findings of closed documents that are not `beside` an open one.
    fn retract(&mut self, newest: &Snapshot, beside: &[Basis]) {
        let (outbox, is_pulled) = (&self.outbox, self.is_pulled);
        self.shown.retain(|uri, _| {
            let is_open = newest.open.contains(uri) || beside.iter().any(|basis| basis.uri() == uri);
            if !is_open && !is_pulled {
                outbox.findings(uri.clone(), None, Vec::new());
            }
            is_open
        });
    }

    /// For a client that pulls: withdraws the pushed findings, and reports those that became stale without a change of
    /// their own text. The comparison is with the answers sent to the client, because this thread skips snapshots.
    fn notice(&mut self, newest: &Snapshot) {
        if !self.is_pulled {
            self.is_pulled = true;
            for (uri, basis) in &self.shown {
                self.outbox.findings(uri.clone(), basis.version(), Vec::new());
            }
        }
        let mut is_stale = false;
        let mut traces_changed = false;
        for file in newest.open.iter() {
            let basis = self.shared.basis(newest, file);
            let is_old = |before: &Basis| *before != basis && before.is_of_same_text(&basis);
            traces_changed |= basis.is_trace() && self.shown.get(&file.uri).is_some_and(is_old);
            if self.shared.reported(&file.uri).as_ref().is_some_and(is_old)
                && self.reported.get(&file.uri) != Some(&basis)
            {
                is_stale = true;
                self.reported.insert(file.uri.clone(), basis.clone());
            }
            self.shown.insert(file.uri.clone(), basis);
        }
        self.reported.retain(|uri, _| newest.open.contains(uri));
        if is_stale && newest.session.client.refresh_diagnostics {
            self.outbox.refresh_diagnostics();
        }
        self.judge_settings(newest);
        self.refresh_hints(newest, traces_changed);
    }

    fn refresh_hints(&self, newest: &Snapshot, traces_changed: bool) {
        if traces_changed && newest.session.client.refresh_hints {
            self.outbox.refresh_hints();
        }
    }

    /// Findings in the settings files that hold for open documents.
    fn judge_settings(&mut self, newest: &Snapshot) {
        let in_use: BTreeMap<Url, Arc<Project>> = newest
            .open
            .iter()
            .filter_map(|file| newest.project(file))
            .map(|project| (project.uri.clone(), project))
            .collect();
        for (uri, project) in &in_use {
            let project_before = self.projects.get(uri);
            if project_before.is_some_and(|project_before| Arc::ptr_eq(project_before, project)) {
                continue;
            }
            let findings = project.findings(newest.encoding());
            let was_right =
                project_before.is_none_or(|project_before| project_before.findings(newest.encoding()).is_empty());
            if !findings.is_empty() || !was_right {
                self.outbox.findings(uri.clone(), None, findings);
            }
        }
        for (uri, gone) in &self.projects {
            if !in_use.contains_key(uri) && !gone.findings(newest.encoding()).is_empty() {
                self.outbox.findings(uri.clone(), None, Vec::new());
            }
        }
        self.projects = in_use;
    }
}

/// The bytes of the open texts.
fn bytes(snapshot: &Snapshot) -> usize {
    snapshot.open.iter().map(|file| file.bytes()).sum()
}
