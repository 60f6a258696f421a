//! The one place where order is kept.
//!
//! The protocol library calls this service once per incoming message, strictly in wire order, but runs the futures it
//! gets back concurrently and in no promised order. So everything that changes state happens here, synchronously, in
//! `call`: documents are edited, cancellation tokens fired, `exit` obeyed. A request receives the immutable snapshot of
//! its own place on the wire (through a task-local), and may then run at any time on any thread.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Notify;
use tower::Service;
use tower_lsp::ExitedError;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};
use tower_lsp::lsp_types::{ProgressToken, Url, WorkDoneProgressCancelParams};

use crate::cancel::Live;
use crate::kinds;
use crate::outbox::Outbox;
use crate::parent;
use crate::place::{PLACE, Place};
use crate::session::Session;
use crate::shared::Shared;
use crate::snapshot::Snapshot;
use crate::state::State;
use crate::sync::Change;

/// The state of the session's end, shared with the main loop.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    pub exit: Notify,
    /// True once `shutdown` was requested: then `exit` is a success.
    pub shut_down: AtomicBool,
}

/// See the module's words.
pub(crate) struct Ingress<S> {
    inner: S,
    state: State,
    live: Live,
    outbox: Outbox,
    ending: Arc<Ending>,
    initialized: bool,
    shared: Arc<Shared>,
}

impl<S> Ingress<S> {
    pub(crate) fn new(
        inner: S,
        state: State,
        outbox: Outbox,
        shared: Arc<Shared>,
        live: Live,
        ending: Arc<Ending>,
    ) -> Self {
        Ingress { inner, state, live, outbox, ending, initialized: false, shared }
    }

    /// Handles a message that only changes state. Returns true if the message needs no other handler.
    fn absorb(&mut self, request: &Request) -> bool {
        if request.id().is_some() {
            return false;
        }
        if !self.initialized {
            // The protocol: notifications before `initialize` are dropped, except `exit`.
            return request.method() != "exit";
        }
        match request.method() {
            "initialized" => {
                self.watch_files();
                self.pull_settings();
                tell_unfit(&self.state, &self.outbox);
                return false;
            }
            "window/workDoneProgress/cancel" => {
                if let Some(Ok(params)) = request.params().map(WorkDoneProgressCancelParams::deserialize) {
                    self.live.cancel_progress(&params.token);
                }
                return true;
            }
            // A client that pulls its settings only reports that they changed.
            "workspace/didChangeConfiguration"
                if self.state.newest().session.client.configuration
                    && request.params().is_none_or(|it| it["settings"].is_null()) =>
            {
                self.pull_settings();
                return true;
            }
            _ => {}
        }
        let Some(change) = Change::read(request.method(), request.params()) else { return false };
        self.apply(change);
        true
    }

    fn apply(&self, change: Change) {
        let touched: Option<Url> = match &change {
            Change::Edit(params) => Some(params.text_document.uri.clone()),
            Change::Close(params) => Some(params.text_document.uri.clone()),
            _ => None,
        };
        if let (Change::Close(_), Some(uri)) = (&change, &touched) {
            self.shared.forget(uri);
        }
        let brings_settings = matches!(change, Change::Settings(_));
        if !self.state.advance(|snapshot| change.apply(snapshot)) {
            return;
        }
        if let Some(uri) = touched {
            self.live.modified(&uri);
        }
        if brings_settings {
            tell_unfit(&self.state, &self.outbox);
        }
    }

    fn initialize(&mut self, params: Option<&Value>) {
        let session = params.map(Session::negotiate).unwrap_or_default();
        self.initialized = true;
        let parent = params.and_then(|params| u32::try_from(params.get("processId")?.as_u64()?).ok());
        if let Some(parent) = parent {
            let ending = self.ending.clone();
            parent::watch(parent, move || ending.exit.notify_one());
        }
        self.state.advance(|_| {
            Some(Snapshot {
                settings: Arc::new(session.settings.clone()),
                session: Arc::new(session),
                ..Snapshot::default()
            })
        });
    }

    /// Asks the client to report files that change on disk, if it can.
    fn watch_files(&self) {
        if self.state.newest().session.client.watch_files {
            let globs: Vec<String> = kinds::EXTENSIONS.iter().map(|extension| format!("**/*.{extension}")).collect();
            self.outbox.watch(&[globs, vec!["**/percept.toml".into()]].concat());
        }
    }

    /// Requests the editor's settings, if the client supports that.
    fn pull_settings(&self) {
        if !self.state.newest().session.client.configuration {
            return;
        }
        let (state, outbox) = (self.state.clone(), self.outbox.clone());
        self.outbox.configuration(move |section| {
            // If nothing is set there, the settings of `initialize` apply.
            if !section.is_null() {
                let change = Change::settings(section);
                if state.advance(|snapshot| change.apply(snapshot)) {
                    tell_unfit(&state, &outbox);
                }
            }
        });
    }
}

/// Says which of the editor's settings do not fit.
fn tell_unfit(state: &State, outbox: &Outbox) {
    state.newest().settings.unfit.iter().for_each(|why| outbox.warn(why.clone()));
}

/// Treats a `shutdown` with null parameters, as sent by Eglot, as one without: the library would refuse it.
fn without_null(request: Request) -> Request {
    match (request.method(), request.params(), request.id()) {
        ("shutdown", Some(Value::Null), Some(id)) => Request::build("shutdown").id(id.clone()).finish(),
        _ => request,
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
        let request = without_null(request);
        // The library does not answer any of these, requests or not.
        if let Some(id) = request.id().filter(|_| request.method().starts_with("$/")) {
            return Box::pin(ready(Ok(Some(Response::from_error(id.clone(), Error::method_not_found())))));
        }
        if self.absorb(&request) {
            return Box::pin(ready(Ok(None)));
        }
        match request.method() {
            "initialize" if !self.initialized => self.initialize(request.params()),
            "$/cancelRequest" => {
                if let Some(id) = request.params().and_then(|params| params.get("id")) {
                    let id: Id = serde_json::from_value(id.clone()).unwrap_or_default();
                    self.live.cancel(&id);
                }
            }
            // After its first pull, a client that pulls findings no longer receives pushed ones.
            "textDocument/diagnostic" if self.shared.pull_findings() => self.state.look_again(),
            "shutdown" if self.initialized => self.ending.shut_down.store(true, Ordering::Relaxed),
            "exit" => {
                self.ending.exit.notify_one();
                return Box::pin(ready(Ok(None)));
            }
            _ => {}
        }
        let Some(id) = request.id().cloned() else { return Box::pin(self.inner.call(request)) };
        // A second request with an id that is still being answered: the library refuses it, and its token must not
        // replace that of the first.
        let (token, guard) = self.live.enter(id);
        let place = Place {
            snapshot: self.state.newest(),
            token,
            shared: self.shared.clone(),
            outbox: self.outbox.clone(),
            live: self.live.clone(),
            state: self.state.clone(),
            progress: request
                .params()
                .and_then(|params| params.get("workDoneToken"))
                .and_then(|token| ProgressToken::deserialize(token).ok()),
        };
        let answer = self.inner.call(request);
        Box::pin(async move {
            let _until_answered = guard;
            PLACE.scope(place, answer).await
        })
    }
}
