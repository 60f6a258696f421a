//! The result of the `initialize` negotiation between client and server.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tower_lsp::lsp_types::{InitializeParams, Url, WorkspaceFolder, WorkspaceFoldersChangeEvent};

use crate::disk::Disk;
use crate::positions::{self, Encoding};
use crate::settings::Settings;

/// The negotiated session. Only the workspace's folders change later.
#[derive(Clone, Debug, Default)]
pub(crate) struct Session {
    pub encoding: Encoding,
    pub client: Client,
    /// The workspace's folders.
    pub roots: Vec<PathBuf>,
    /// The settings the client sent along; later ones come by `workspace/didChangeConfiguration`.
    pub settings: Settings,
    pub disk: Arc<Disk>,
}

/// The relevant capabilities of the client.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Client {
    pub snippets: bool,
    pub hierarchical_symbols: bool,
    pub related_information: bool,
    /// True if it accepts findings of other documents together with those that it pulls.
    pub related_documents: bool,
    pub progress: bool,
    pub refresh_hints: bool,
    pub refresh_diagnostics: bool,
    pub watch_files: bool,
    /// True if the client answers requests for its settings.
    pub configuration: bool,
    pub markdown_hover: bool,
    /// True if it has the command `percept.stepThere`, which opens the match behind a finding.
    pub step_there: bool,
}

impl Session {
    /// Reads the `initialize` parameters. A capability that cannot be read counts as not offered.
    pub(crate) fn negotiate(params: &Value) -> Session {
        let mut session = serde_json::from_value::<InitializeParams>(params.clone())
            .map(|params| Session::of(&params))
            .unwrap_or_default();
        // The protocol calls it `diagnostics`; the library of its types, `diagnostic`.
        let refresh = &params["capabilities"]["workspace"]["diagnostics"]["refreshSupport"];
        session.client.refresh_diagnostics |= refresh.as_bool().unwrap_or(false);
        session
    }

    pub(crate) fn of(params: &InitializeParams) -> Session {
        let general = params.capabilities.general.as_ref();
        Session {
            encoding: positions::negotiate(general.and_then(|general| general.position_encodings.as_deref())),
            client: Client::of(params),
            roots: roots(params),
            settings: params.initialization_options.as_ref().map(Settings::read).unwrap_or_default(),
            disk: Arc::default(),
        }
    }

    /// The session after folders were added or taken away.
    pub(crate) fn with_folders(&self, event: &WorkspaceFoldersChangeEvent) -> Session {
        let paths = |folders: &[WorkspaceFolder]| -> Vec<PathBuf> {
            folders.iter().filter_map(|folder| folder.uri.to_file_path().ok()).collect()
        };
        let (added, removed) = (paths(&event.added), paths(&event.removed));
        let mut session = self.clone();
        session.roots.retain(|root| !removed.contains(root) && !added.contains(root));
        session.roots.extend(added);
        session
    }
}

fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| folder.uri.clone());
    #[allow(deprecated)]
    let root = params.root_uri.clone();
    let mut uris: Vec<Url> = folders.collect();
    if uris.is_empty() {
        uris.extend(root);
    }
    uris.iter().filter_map(|uri| uri.to_file_path().ok()).collect()
}

impl Client {
    fn of(params: &InitializeParams) -> Client {
        let capabilities = &params.capabilities;
        let document = capabilities.text_document.as_ref();
        let workspace = capabilities.workspace.as_ref();
        Client {
            step_there: params
                .initialization_options
                .as_ref()
                .and_then(|it| it.get("stepThere")?.as_bool())
                .unwrap_or(false),
            snippets: document
                .and_then(|it| it.completion.as_ref()?.completion_item.as_ref()?.snippet_support)
                .unwrap_or(false),
            hierarchical_symbols: document
                .and_then(|it| it.document_symbol.as_ref()?.hierarchical_document_symbol_support)
                .unwrap_or(false),
            related_information: document
                .and_then(|it| it.publish_diagnostics.as_ref()?.related_information)
                .unwrap_or(false),
            related_documents: document
                .and_then(|it| it.diagnostic.as_ref()?.related_document_support)
                .unwrap_or(false),
            markdown_hover: document.and_then(|it| it.hover.as_ref()?.content_format.as_ref()).is_none_or(|formats| {
                formats.is_empty() || formats.contains(&tower_lsp::lsp_types::MarkupKind::Markdown)
            }),
            progress: capabilities.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or(false),
            refresh_hints: workspace.and_then(|it| it.inlay_hint.as_ref()?.refresh_support).unwrap_or(false),
            refresh_diagnostics: workspace.and_then(|it| it.diagnostic.as_ref()?.refresh_support).unwrap_or(false),
            configuration: workspace.and_then(|it| it.configuration).unwrap_or(false),
            watch_files: workspace
                .and_then(|it| it.did_change_watched_files.as_ref()?.dynamic_registration)
                .unwrap_or(false),
        }
    }
}
