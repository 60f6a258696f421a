//! Cancellation: a token per request, fired when `$/cancelRequest` is read from the wire.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tower_lsp::jsonrpc::Id;

/// Long work asks it now and then and stops when it says so.
#[derive(Clone, Debug, Default)]
pub struct Token(Arc<AtomicBool>);

impl Token {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for work that asks in its own way.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The requests that have not been answered yet.
#[derive(Clone, Debug, Default)]
pub struct Live(Arc<Mutex<HashMap<Id, Token>>>);

impl Live {
    /// Notes a request; the guard strikes it out again, and fires the token, when it is dropped: then either the
    /// answer is there or nobody waits for it any more.
    pub fn enter(&self, id: Id) -> (Token, Guard) {
        let token = Token::default();
        self.lock().insert(id.clone(), token.clone());
        let guard = Guard { live: self.clone(), id, token: token.clone() };
        (token, guard)
    }

    pub fn cancel(&self, id: &Id) {
        if let Some(token) = self.lock().get(id) {
            token.cancel();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Id, Token>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// See [`Live::enter`].
#[derive(Debug)]
pub struct Guard {
    live: Live,
    id: Id,
    token: Token,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.token.cancel();
        self.live.lock().remove(&self.id);
    }
}
