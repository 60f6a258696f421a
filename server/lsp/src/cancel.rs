//! Cancellation: a token per request, fired when `$/cancelRequest` or `window/workDoneProgress/cancel` is read from
//! the wire, or when a text changes that the answer rests on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tower_lsp::jsonrpc::Id;
use tower_lsp::lsp_types::{ProgressToken, Url};

/// A token that long work checks at intervals, to stop if it has fired.
#[derive(Clone, Debug, Default)]
pub(crate) struct Token(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    stop: Arc<AtomicBool>,
    modified: AtomicBool,
    /// The documents whose change makes the answer useless.
    texts: Mutex<Vec<Url>>,
}

impl Token {
    pub(crate) fn cancel(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for work that checks it in another way.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.stop.clone()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// True if the work was stopped because a text that it depends on has changed.
    pub(crate) fn is_modified(&self) -> bool {
        self.0.modified.load(Ordering::Relaxed)
    }

    /// Makes a change of one of these documents stop the work.
    pub(crate) fn rest_on(&self, texts: impl IntoIterator<Item = Url>) {
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner).extend(texts);
    }

    /// A text has changed.
    pub(crate) fn modify(&self) {
        self.0.modified.store(true, Ordering::Relaxed);
        self.cancel();
    }

    fn rests_on(&self, text: &Url) -> bool {
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner).contains(text)
    }
}

/// The requests that have not been answered yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live(Arc<Mutex<Requests>>);

#[derive(Debug, Default)]
struct Requests {
    by_id: HashMap<Id, Token>,
    /// The requests that show their progress, by its name.
    by_progress: HashMap<ProgressToken, Token>,
}

impl Live {
    /// Registers a request. When the guard is dropped, it removes the request and fires the token: by then the answer
    /// exists or the client does not need it.
    pub(crate) fn enter(&self, id: Id) -> (Token, Guard) {
        let token = Token::default();
        self.lock().by_id.insert(id.clone(), token.clone());
        let guard = Guard { live: self.clone(), id, token: token.clone() };
        (token, guard)
    }

    pub(crate) fn cancel(&self, id: &Id) {
        if let Some(token) = self.lock().by_id.get(id) {
            token.cancel();
        }
    }

    /// Stops the work that depends on this text.
    pub(crate) fn modified(&self, text: &Url) {
        for token in self.lock().by_id.values().filter(|token| token.rests_on(text)) {
            token.modify();
        }
    }

    /// Records the name under which a request shows its progress.
    pub(crate) fn shows(&self, progress: ProgressToken, token: Token) {
        self.lock().by_progress.insert(progress, token);
    }

    pub(crate) fn no_longer_shows(&self, progress: &ProgressToken) {
        self.lock().by_progress.remove(progress);
    }

    /// Stops the work whose button beside the progress was pressed.
    pub(crate) fn cancel_progress(&self, progress: &ProgressToken) {
        if let Some(token) = self.lock().by_progress.get(progress) {
            token.cancel();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().by_id.is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Requests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The guard of a registered request; see [`Live::enter`].
#[derive(Debug)]
pub(crate) struct Guard {
    live: Live,
    id: Id,
    token: Token,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.token.cancel();
        self.live.lock().by_id.remove(&self.id);
    }
}
