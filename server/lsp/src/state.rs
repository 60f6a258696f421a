//! The newest snapshot. The ingress changes it in wire order; apart from that, only the client's answer with its
//! settings does.

use std::sync::{Arc, Mutex, PoisonError};

use crate::actor::Analysis;
use crate::judging::Judging;
use crate::shared::Shared;
use crate::snapshot::Snapshot;

/// The handle; clones share the state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    newest: Arc<Mutex<Arc<Snapshot>>>,
    analysis: Analysis,
    judging: Judging,
}

impl State {
    pub(crate) fn new(analysis: Analysis, shared: Arc<Shared>) -> State {
        let newest: Arc<Mutex<Arc<Snapshot>>> = Arc::default();
        let judging = Judging::start(newest.clone(), analysis.clone(), shared);
        State { newest, analysis, judging }
    }

    pub(crate) fn newest(&self) -> Arc<Snapshot> {
        self.lock().clone()
    }

    /// Makes the result of `change` the newest snapshot and starts its analysis; does nothing if it is `None`.
    pub(crate) fn advance(&self, change: impl FnOnce(&Snapshot) -> Option<Snapshot>) -> bool {
        let mut newest = self.lock();
        let Some(next) = change(&newest) else { return false };
        *newest = Arc::new(next);
        self.analysis.see(newest.clone());
        self.judging.see(newest.clone());
        true
    }

    /// Starts a new analysis of everything, because something other than the texts has changed.
    pub(crate) fn look_again(&self) {
        let newest = self.lock();
        self.analysis.see(newest.clone());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Arc<Snapshot>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
