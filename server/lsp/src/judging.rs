//! The judge's findings about the open games. A thread of its own finds them after a pause in typing and stops at the
//! next edit; they are shown together with the findings of the text.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use percept_analysis::Severity;
use percept_game::gdl::Grounding;
use percept_infoset::Budget;
use percept_judge::{Options, TIME};

use crate::actor::Analysis;
use crate::basis::Verdicts;
use crate::diagnostics;
use crate::games::{self, Loaded};
use crate::memory;
use crate::newest::{self, Receiver, Sender};
use crate::shared::Shared;
use crate::snapshot::{File, Kind, Snapshot};

/// The pause in typing after which games are played.
const PAUSE: Duration = Duration::from_millis(500);
/// The size above which descriptions are not judged while they are edited.
const MAX_BYTES: usize = 400_000;
/// The number of open documents above which memory is returned when most of them are closed.
const MANY: usize = 100;

/// The handle, which receives snapshots in order.
#[derive(Clone, Debug)]
pub(crate) struct Judging {
    snapshots: Sender<Arc<Snapshot>>,
    cancel: Arc<Mutex<Arc<AtomicBool>>>,
}

impl Judging {
    /// Starts the thread; it ends with the last handle. When something was found, `analysis` checks `newest` again.
    pub(crate) fn start(newest: Arc<Mutex<Arc<Snapshot>>>, analysis: Analysis, shared: Arc<Shared>) -> Judging {
        let (sender, snapshots) = newest::channel();
        let cancel: Arc<Mutex<Arc<AtomicBool>>> = Arc::default();
        let judge = Judge { cancel: cancel.clone(), newest, analysis, shared };
        let thread = std::thread::Builder::new().name("judging".into()).stack_size(16 << 20);
        // Without the thread nothing is judged, but everything else works.
        let _ = thread.spawn(move || judge.run(&snapshots));
        Judging { snapshots: sender, cancel }
    }

    /// Stops the current work, and judges `snapshot` once it has been the newest for a while.
    pub(crate) fn see(&self, snapshot: Arc<Snapshot>) {
        self.cancel.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
        self.snapshots.put(snapshot);
    }
}

struct Judge {
    /// Ends the current work.
    cancel: Arc<Mutex<Arc<AtomicBool>>>,
    newest: Arc<Mutex<Arc<Snapshot>>>,
    analysis: Analysis,
    shared: Arc<Shared>,
}

impl Judge {
    fn run(self, snapshots: &Receiver<Arc<Snapshot>>) {
        let mut most = 0;
        while let Some(mut newest) = snapshots.take() {
            loop {
                match snapshots.take_within(PAUSE) {
                    Ok(newer) => newest = newer,
                    Err(mpsc::RecvTimeoutError::Timeout) => break,
                    Err(mpsc::RecvTimeoutError::Disconnected) => return,
                }
            }
            let open = newest.open.iter().count();
            most = most.max(open);
            if most >= MANY && open < most / 2 {
                memory::give_back();
                most = open;
            }
            let cancel = Arc::<AtomicBool>::default();
            *self.cancel.lock().unwrap_or_else(PoisonError::into_inner) = cancel.clone();
            let games = newest.open.iter().filter(|file| matches!(file.kind(), Kind::Game(_)));
            for file in games {
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
                // A panic here affects only the judgement of this text; the hook has reported its place.
                let work = std::panic::AssertUnwindSafe(|| {
                    self.judge(&newest, file, &cancel);
                    if file.text().len() <= MAX_BYTES && !cancel.load(Ordering::Relaxed) {
                        keep_good(&newest, &self.shared, file);
                    }
                });
                let _ = std::panic::catch_unwind(work);
            }
        }
    }

    fn judge(&self, snapshot: &Snapshot, file: &Arc<File>, cancel: &Arc<AtomicBool>) {
        if file.text().len() > MAX_BYTES {
            return;
        }
        let Ok(files) = games::files(snapshot, file) else { return };
        if self.shared.is_judged(&files) {
            return;
        }
        let budget = Budget { cancel: Some(cancel.clone()), ..percept_judge::budget(TIME) };
        let set_up = Budget { cancel: Some(cancel.clone()), deadline: budget.deadline, ..Budget::default() };
        let grounding = Grounding { budget: budget.share(2), set_up, ..Grounding::default() };
        let loaded = games::load_within(snapshot, file, &grounding);
        let sources = games::sources(&files);
        let judged = match &loaded {
            Ok(Loaded { game, .. }) => percept_report::judge(game, &sources, &Options::default(), &budget),
            Err(_) => percept_report::refusals(&sources, &grounding.set_up),
        };
        if cancel.load(Ordering::Relaxed) {
            return;
        }
        let is_news = !judged.is_empty();
        self.shared.remember_judged(Verdicts { files, judged });
        if is_news {
            let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
            self.analysis.see(newest.clone());
        }
    }
}

/// Keeps the text of a judged document if it has no errors or warnings.
fn keep_good(snapshot: &Snapshot, shared: &Shared, file: &Arc<File>) {
    let files = games::files(snapshot, file).unwrap_or_else(|_| vec![file.clone()]);
    if !shared.good.look_at(&file.uri, &files) {
        return;
    }
    let basis = shared.basis(snapshot, file);
    let found = diagnostics::findings(shared, &basis, &basis.rules());
    if found.iter().all(|(_, finding)| finding.severity < Severity::Warning) {
        shared.good.keep(&file.uri, files);
    }
}
