//! The last text of each open document that had no errors or warnings. A later finding names the statement that was
//! removed or changed since then.
//!
//! A text counts once it has stood for a pause in typing and was judged, since a text with a slip may look right until
//! its matches are known.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use percept_analysis::Severity;
use percept_report::Finding;
use percept_report::changes::{Changes, Since};
use percept_syntax::Source;
use tower_lsp::lsp_types::Url;

use crate::basis::Basis;
use crate::diagnostics;
use crate::games;
use crate::shared::{Shared, are_same};
use crate::snapshot::{File, Snapshot};

/// The last good texts by document.
#[derive(Debug, Default)]
pub(crate) struct GoodTexts(Mutex<HashMap<Url, Known>>);

#[derive(Debug, Default)]
struct Known {
    /// The files that were looked at last.
    looked_at: Vec<Arc<File>>,
    /// The description; or the domain and the problem.
    good: Vec<Arc<File>>,
}

impl GoodTexts {
    fn of(&self, uri: &Url) -> Option<Vec<Arc<File>>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(uri).map(|known| known.good.clone()).filter(|good| !good.is_empty())
    }

    /// True the first time for these files.
    fn look_at(&self, uri: &Url, files: &[Arc<File>]) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = known.entry(uri.clone()).or_default();
        let is_new = !are_same(&entry.looked_at, files);
        entry.looked_at = files.to_vec();
        is_new
    }

    fn keep(&self, uri: &Url, files: Vec<Arc<File>>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(uri.clone()).or_default().good = files;
    }

    /// Forgets a closed document.
    pub(crate) fn forget(&self, uri: &Url) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }
}

/// Keeps the text of a judged document if nothing is wrong with it.
pub(crate) fn keep(snapshot: &Snapshot, shared: &Shared, file: &Arc<File>) {
    let files = games::files(snapshot, file).unwrap_or_else(|_| vec![file.clone()]);
    if !shared.good.look_at(&file.uri, &files) {
        return;
    }
    let basis = shared.basis(snapshot, file);
    let found = diagnostics::found(shared, &basis, &basis.rules());
    if found.iter().all(|(_, finding)| finding.severity < Severity::Warning) {
        shared.good.keep(&file.uri, files);
    }
}

/// Names the changes since the last good text beside errors and warnings, which that text did not have.
pub(crate) fn name_changes(shared: &Shared, basis: &Basis, found: &mut [(Vec<Arc<File>>, Finding)]) {
    let is_bad = |(_, finding): &&mut (Vec<Arc<File>>, Finding)| finding.severity >= Severity::Warning;
    let mut bad = found.iter_mut().filter(is_bad).peekable();
    let Some(good) = bad.peek().and_then(|_| shared.good.of(basis.uri())) else { return };
    // Findings about the same files follow each other.
    while let Some((files, first)) = bad.next() {
        let files = files.clone();
        let before = files.iter().map(|now| good.iter().find(|old| old.uri == now.uri).unwrap_or(now));
        let before: Vec<Arc<File>> = before.cloned().collect();
        let (old, now) = (sources(&before), sources(&files));
        let changes = Changes::new(&old, &now, Since::GoodText);
        let of = |finding: &Finding| changes.as_ref().and_then(|changes| changes.of(finding));
        first.change = of(first);
        while let Some((_, finding)) = bad.next_if(|(others, _)| are_same(others, &files)) {
            finding.change = of(finding);
        }
    }
}

fn sources(files: &[Arc<File>]) -> Vec<&Source> {
    files.iter().filter_map(|file| file.source().map(|source| &**source)).collect()
}
