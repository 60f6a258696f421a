//! What requests remember for one another. Everything here is a cache: losing it costs time only.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tower_lsp::lsp_types::{SemanticToken, Url};

/// The caches of one session.
#[derive(Debug, Default)]
pub struct Shared {
    /// Per document the colours last sent, with the name they were sent under.
    tokens: Mutex<HashMap<Url, (String, Vec<SemanticToken>)>>,
    results: AtomicU64,
}

impl Shared {
    /// Keeps the colours of a document and gives them a name.
    pub fn remember_tokens(&self, uri: Url, tokens: Vec<SemanticToken>) -> String {
        let name = self.results.fetch_add(1, Ordering::Relaxed).to_string();
        let mut known = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(uri, (name.clone(), tokens));
        name
    }

    /// The colours that were sent under this name, if they were the last ones.
    pub fn tokens(&self, uri: &Url, name: &str) -> Option<Vec<SemanticToken>> {
        let known = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(uri).filter(|(last, _)| last == name).map(|(_, tokens)| tokens.clone())
    }

    /// Forgets a closed document.
    pub fn forget(&self, uri: &Url) {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }
}
