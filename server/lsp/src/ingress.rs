//! The one place where order is kept.
//!
//! The protocol library calls this service once per incoming message, strictly in wire order, but runs the futures it
//! gets back concurrently and in no promised order. So everything that changes state happens here, synchronously, in
//! `call`: documents are edited, cancellation tokens fired, `exit` obeyed. A request is given the immutable snapshot
//! of its own place on the wire (through a task-local), and may then run whenever and wherever it likes.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};

use tokio::sync::Notify;
use tower::Service;
use tower_lsp::ExitedError;
use tower_lsp::jsonrpc::{Id, Request, Response};

use crate::actor::Analysis;
use crate::cancel::{Live, Token};
use crate::session::Session;
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use crate::sync;

/// What a request may read: the state at its place on the wire.
#[derive(Clone, Debug)]
pub struct Place {
    pub snapshot: Arc<Snapshot>,
    /// Fired when the client does not want the answer any more.
    pub token: Token,
    pub shared: Arc<Shared>,
    /// The number of the newest snapshot; see [`Place::is_stale`].
    newest: Arc<AtomicU64>,
}

impl Place {
    /// Whether a document has changed since the request was read.
    pub fn is_stale(&self) -> bool {
        self.newest.load(Ordering::Relaxed) != self.snapshot.number
    }
}

tokio::task_local! {
    static PLACE: Place;
}

/// The place of the request whose future is being polled.
///
/// # Panics
/// Outside a request: then the server has been put together without its [`Ingress`].
pub fn place() -> Place {
    PLACE.with(Clone::clone)
}

/// How the session ends, shared with the main loop.
#[derive(Debug, Default)]
pub struct Ending {
    pub exit: Notify,
    /// `shutdown` was asked for: then `exit` is a success.
    pub shut_down: AtomicBool,
}

/// See the module's words.
pub struct Ingress<S> {
    inner: S,
    snapshot: Arc<Snapshot>,
    newest: Arc<AtomicU64>,
    live: Live,
    analysis: Analysis,
    ending: Arc<Ending>,
    initialized: bool,
    shared: Arc<Shared>,
}

impl<S> Ingress<S> {
    pub fn new(inner: S, analysis: Analysis, shared: Arc<Shared>, live: Live, ending: Arc<Ending>) -> Self {
        Ingress {
            inner,
            snapshot: Arc::default(),
            newest: Arc::default(),
            live,
            analysis,
            ending,
            initialized: false,
            shared,
        }
    }

    /// Makes `next` the newest snapshot and has it analysed.
    fn advance(&mut self, mut next: Snapshot) {
        next.number = self.snapshot.number + 1;
        self.newest.store(next.number, Ordering::Relaxed);
        self.snapshot = Arc::new(next);
        self.analysis.see(self.snapshot.clone());
    }

    /// Handles what only changes state; true if the message needs nobody else.
    fn absorb(&mut self, request: &Request) -> bool {
        if request.id().is_some() {
            return false;
        }
        if !self.initialized {
            // The protocol: notifications before `initialize` are dropped, except `exit`.
            return request.method() != "exit";
        }
        if let Some(change) = sync::Change::read(request.method(), request.params()) {
            if let sync::Change::Close(params) = &change {
                self.shared.forget(&params.text_document.uri);
            }
            if let Some(next) = change.apply(&self.snapshot) {
                self.advance(next);
            }
            return true;
        }
        false
    }
}

impl<S> Service<Request> for Ingress<S>
where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    type Response = Option<Response>;
    type Error = ExitedError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if self.absorb(&request) {
            return Box::pin(ready(Ok(None)));
        }
        match request.method() {
            "initialize" if !self.initialized => {
                let session = request.params().map(Session::negotiate).unwrap_or_default();
                self.initialized = true;
                let snapshot = Snapshot {
                    settings: Arc::new(session.settings.clone()),
                    session: Arc::new(session),
                    ..Snapshot::default()
                };
                self.advance(snapshot);
            }
            "$/cancelRequest" => {
                if let Some(id) = request.params().and_then(|params| params.get("id")) {
                    let id: Id = serde_json::from_value(id.clone()).unwrap_or_default();
                    self.live.cancel(&id);
                }
            }
            "shutdown" if self.initialized => self.ending.shut_down.store(true, Ordering::Relaxed),
            "exit" => {
                self.ending.exit.notify_one();
                return Box::pin(ready(Ok(None)));
            }
            _ => {}
        }
        let Some(id) = request.id().cloned() else { return Box::pin(self.inner.call(request)) };
        // A second request under an id that is still being answered: the library refuses it; its token must not
        // replace that of the first.
        let (token, guard) = self.live.enter(id);
        let place =
            Place { snapshot: self.snapshot.clone(), token, shared: self.shared.clone(), newest: self.newest.clone() };
        let answer = self.inner.call(request);
        Box::pin(async move {
            let _until_answered = guard;
            PLACE.scope(place, answer).await
        })
    }
}
