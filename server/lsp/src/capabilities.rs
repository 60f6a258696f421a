//! What the server offers.

use tower_lsp::lsp_types::*;

use crate::commands;
use crate::session::Session;

/// The answer to `initialize`.
pub fn of(session: &Session) -> InitializeResult {
    InitializeResult {
        server_info: Some(ServerInfo { name: "percept".into(), version: Some(env!("CARGO_PKG_VERSION").into()) }),
        capabilities: ServerCapabilities {
            position_encoding: Some(session.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                ..Default::default()
            })),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: commands::NAMES.iter().map(|name| name.to_string()).collect(),
                ..Default::default()
            }),
            ..Default::default()
        },
    }
}
