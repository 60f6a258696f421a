//! The last text of each open document that had no errors or warnings. A later finding names the statement that was
//! removed or changed since then.
//!
//! A text counts after a pause in typing, when it has been judged: a text with a slip may look right until random
//! matches of it are played.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tower_lsp::lsp_types::Url;

use crate::file::{File, are_same};

/// The last good texts by document.
#[derive(Debug, Default)]
pub(crate) struct GoodTexts(Mutex<HashMap<Url, Entry>>);

#[derive(Debug, Default)]
struct Entry {
    /// The files of the latest check.
    latest: Vec<Arc<File>>,
    /// The description; or the domain and the problem.
    good: Vec<Arc<File>>,
}

impl GoodTexts {
    /// The last good text of a document, with the files with which it was judged.
    pub(crate) fn of(&self, uri: &Url) -> Option<Vec<Arc<File>>> {
        let texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.get(uri).map(|entry| entry.good.clone()).filter(|good| !good.is_empty())
    }

    /// True the first time for these files.
    pub(crate) fn look_at(&self, uri: &Url, files: &[Arc<File>]) -> bool {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = texts.entry(uri.clone()).or_default();
        let is_new = !are_same(&entry.latest, files);
        entry.latest = files.to_vec();
        is_new
    }

    /// Keeps a good text.
    pub(crate) fn keep(&self, uri: &Url, files: Vec<Arc<File>>) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.entry(uri.clone()).or_default().good = files;
    }

    /// Forgets a closed document.
    pub(crate) fn forget(&self, uri: &Url) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }
}
