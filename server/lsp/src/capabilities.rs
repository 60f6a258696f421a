//! The capabilities that the server announces.

use tower_lsp::lsp_types::*;

use crate::session::Session;
use crate::{commands, positions, requests};

/// The answer to `initialize`.
pub(crate) fn of(session: &Session) -> InitializeResult {
    InitializeResult {
        server_info: Some(ServerInfo { name: "percept".into(), version: Some(env!("CARGO_PKG_VERSION").into()) }),
        capabilities: ServerCapabilities {
            position_encoding: Some(positions::kind(session.encoding)),
            text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                ..Default::default()
            })),
            workspace: Some(WorkspaceServerCapabilities {
                workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                    supported: Some(true),
                    change_notifications: Some(OneOf::Left(true)),
                }),
                file_operations: None,
            }),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            definition_provider: Some(OneOf::Left(true)),
            declaration_provider: Some(DeclarationCapability::Simple(true)),
            implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
            type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
            references_provider: Some(OneOf::Left(true)),
            document_highlight_provider: Some(OneOf::Left(true)),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            })),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(vec!["(".into(), "?".into(), ":".into(), " ".into(), ",".into()]),
                ..Default::default()
            }),
            signature_help_provider: Some(SignatureHelpOptions {
                trigger_characters: Some(vec!["(".into(), " ".into(), ",".into()]),
                ..Default::default()
            }),
            code_action_provider: Some(
                CodeActionOptions { code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]), ..Default::default() }
                    .into(),
            ),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: None }),
            diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("percept".into()),
                inter_file_dependencies: true,
                // The request is supported, but a client that knows this polls every two seconds.
                workspace_diagnostics: false,
                work_done_progress_options: WorkDoneProgressOptions::default(),
            })),
            document_link_provider: Some(DocumentLinkOptions {
                resolve_provider: Some(false),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            linked_editing_range_provider: Some(LinkedEditingRangeServerCapabilities::Simple(true)),
            inlay_hint_provider: Some(OneOf::Left(true)),
            workspace_symbol_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            document_range_formatting_provider: Some(OneOf::Left(true)),
            document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
                first_trigger_character: "\n".into(),
                more_trigger_character: None,
            }),
            call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
            semantic_tokens_provider: Some(
                SemanticTokensOptions {
                    legend: requests::semantic_tokens::legend(),
                    range: Some(true),
                    full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
                    ..Default::default()
                }
                .into(),
            ),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: commands::NAMES.iter().map(|name| name.to_string()).collect(),
                work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
            }),
            ..Default::default()
        },
    }
}
