//! Messages that the server starts: findings, progress, refreshes, registrations. They are sent in order, from any
//! thread, without waiting for the client.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::lsp_types::notification::Progress;
use tower_lsp::lsp_types::request::WorkDoneProgressCreate;
use tower_lsp::lsp_types::*;

use crate::cancel::{Live, Token};

/// The time limit for an answer of the client.
const PATIENCE: Duration = Duration::from_secs(10);
/// The duration up to which work shows no progress, unless the client requested it.
const SHORT: Duration = Duration::from_millis(400);

/// The handle; clones send through the same queue.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    queue: UnboundedSender<Message>,
    client: Client,
    runtime: Handle,
    names: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Message {
    Findings(PublishDiagnosticsParams),
    RefreshDiagnostics,
    RefreshHints,
}

impl Outbox {
    /// Starts the sender; to be called on the runtime.
    pub(crate) fn to(client: Client) -> Outbox {
        let (queue, mut messages) = unbounded_channel();
        let to = client.clone();
        tokio::spawn(async move {
            while let Some(message) = messages.recv().await {
                let to = to.clone();
                match message {
                    Message::Findings(PublishDiagnosticsParams { uri, diagnostics, version }) => {
                        to.publish_diagnostics(uri, diagnostics, version).await;
                    }
                    // Clients may answer requests late; later messages do not wait for the answer.
                    Message::RefreshDiagnostics => drop(tokio::spawn(async move {
                        let _ = tokio::time::timeout(PATIENCE, to.workspace_diagnostic_refresh()).await;
                    })),
                    Message::RefreshHints => drop(tokio::spawn(async move {
                        let _ = tokio::time::timeout(PATIENCE, to.inlay_hint_refresh()).await;
                    })),
                }
            }
        });
        Outbox { queue, client, runtime: Handle::current(), names: Arc::default() }
    }

    pub(crate) fn findings(&self, uri: Url, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        // The sender ends only with the program.
        let _ = self.queue.send(Message::Findings(PublishDiagnosticsParams { uri, diagnostics, version }));
    }

    pub(crate) fn refresh_diagnostics(&self) {
        let _ = self.queue.send(Message::RefreshDiagnostics);
    }

    pub(crate) fn refresh_hints(&self) {
        let _ = self.queue.send(Message::RefreshHints);
    }

    /// Writes to the client's log.
    pub(crate) fn warn(&self, message: String) {
        let client = self.client.clone();
        self.runtime.spawn(async move { client.log_message(MessageType::WARNING, message).await });
    }

    /// Asks the client to report changed files.
    pub(crate) fn watch(&self, globs: &[String]) {
        let watcher = |glob: &String| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.clone()), kind: None };
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: globs.iter().map(watcher).collect() };
        let registration = Registration {
            id: "percept.files".into(),
            method: "workspace/didChangeWatchedFiles".into(),
            register_options: serde_json::to_value(options).ok(),
        };
        let client = self.client.clone();
        self.runtime.spawn(async move {
            let _ = tokio::time::timeout(PATIENCE, client.register_capability(vec![registration])).await;
        });
    }

    /// Requests the section `percept` of the editor's settings and passes it to `take`.
    pub(crate) fn configuration(&self, take: impl FnOnce(serde_json::Value) + Send + 'static) {
        let client = self.client.clone();
        self.runtime.spawn(async move {
            let items = vec![ConfigurationItem { scope_uri: None, section: Some("percept".into()) }];
            if let Ok(Ok(answer)) = tokio::time::timeout(PATIENCE, client.configuration(items)).await
                && let Some(section) = answer.into_iter().next()
            {
                take(section);
            }
        });
    }

    /// Shows that work is in progress: under the client's name for it, or, if the work is long and the client supports
    /// it (`offered`), under a name of the server. `token` cancels the work.
    pub(crate) fn progress(
        &self,
        title: &str,
        given: Option<ProgressToken>,
        offered: bool,
        live: &Live,
        token: &Token,
    ) -> Reporter {
        let (steps, mut coming) = unbounded_channel::<WorkDoneProgressReport>();
        if given.is_none() && !offered {
            return Reporter(None);
        }
        let is_own = given.is_none();
        let name = given.unwrap_or_else(|| {
            NumberOrString::String(format!("percept/{}", self.names.fetch_add(1, Ordering::Relaxed)))
        });
        live.shows(name.clone(), token.clone());
        let (client, live, title) = (self.client.clone(), live.clone(), title.to_string());
        self.runtime.spawn(async move {
            let shown = show(&client, &name, title, is_own, &mut coming).await;
            live.no_longer_shows(&name);
            if shown {
                let end = WorkDoneProgress::End(WorkDoneProgressEnd { message: None });
                tell(&client, &name, end).await;
            }
        });
        Reporter(Some(steps))
    }
}

/// Shows steps until there are no more; true if any was shown.
async fn show(
    client: &Client,
    name: &ProgressToken,
    title: String,
    is_own: bool,
    coming: &mut tokio::sync::mpsc::UnboundedReceiver<WorkDoneProgressReport>,
) -> bool {
    if is_own {
        let over = async { while coming.recv().await.is_some() {} };
        if tokio::time::timeout(SHORT, over).await.is_ok() {
            return false;
        }
        let create = WorkDoneProgressCreateParams { token: name.clone() };
        let created = client.send_request::<WorkDoneProgressCreate>(create);
        if !matches!(tokio::time::timeout(PATIENCE, created).await, Ok(Ok(()))) {
            return false;
        }
    }
    let begin = WorkDoneProgressBegin { title, cancellable: Some(true), message: None, percentage: None };
    tell(client, name, WorkDoneProgress::Begin(begin)).await;
    while let Some(step) = coming.recv().await {
        tell(client, name, WorkDoneProgress::Report(step)).await;
    }
    true
}

async fn tell(client: &Client, name: &ProgressToken, step: WorkDoneProgress) {
    let params = ProgressParams { token: name.clone(), value: ProgressParamsValue::WorkDone(step) };
    client.send_notification::<Progress>(params).await;
}

/// The end of a piece of work that shows its progress; dropping it ends the display.
#[derive(Clone, Debug)]
pub(crate) struct Reporter(Option<UnboundedSender<WorkDoneProgressReport>>);

impl Reporter {
    /// Reports the current work, and its progress from 0 to 100 if known.
    pub(crate) fn say(&self, message: String, percentage: Option<u32>) {
        if let Some(steps) = &self.0 {
            let step = WorkDoneProgressReport { cancellable: Some(true), message: Some(message), percentage };
            // An error only means that the client is gone.
            let _ = steps.send(step);
        }
    }
}
