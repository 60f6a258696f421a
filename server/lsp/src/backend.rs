//! One line per request, with the pure function that answers it.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::lsp_types::*;
use tower_lsp::{LanguageServer, async_trait};

use crate::place::{Answer, Failure, Place, place};
use crate::{capabilities, requests};

/// The server as the protocol library sees it. The backend has no state, because each request has its own snapshot.
#[derive(Debug)]
pub(crate) struct Backend;

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Records the place of each panic, so that the failed request can report it.
pub(crate) fn watch_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        let message = format!("{}{place}", payload(info.payload()));
        eprintln!("percept: internal error: {message}");
        LAST_PANIC.set(Some(message));
    }));
}

fn payload(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
}

/// Runs a handler off the runtime on the request's own snapshot. A panic becomes the request's error.
pub(crate) async fn answer<P, T>(params: P, handler: fn(&Place, P) -> Answer<T>) -> Result<T>
where
    P: Send + 'static,
    T: Send + 'static,
{
    let place = place();
    let work = move || {
        place.check()?;
        catch_unwind(AssertUnwindSafe(|| handler(&place, params))).unwrap_or_else(|panic| {
            let message = LAST_PANIC.take().unwrap_or_else(|| payload(&*panic).to_string());
            Err(Failure::Message(format!("internal error: {message}")))
        })
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(failure)) => Err(to_error(failure)),
        Err(_) => Err(Error::internal_error()),
    }
}

fn to_error(failure: Failure) -> Error {
    match failure {
        Failure::Cancelled => Error::request_cancelled(),
        Failure::Modified => {
            Error { code: ErrorCode::ContentModified, message: "the text has changed".into(), data: None }
        }
        Failure::Message(message) => {
            Error { code: ErrorCode::ServerError(-32803), message: message.into(), data: None }
        }
    }
}

#[async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        Ok(capabilities::of(&place().snapshot.session))
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        answer(params, requests::hover::handle).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        answer(params, requests::document_symbol::handle).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        answer(params, requests::definition::handle).await
    }

    async fn goto_declaration(
        &self,
        params: request::GotoDeclarationParams,
    ) -> Result<Option<request::GotoDeclarationResponse>> {
        answer(params, requests::definition::handle).await
    }

    async fn goto_implementation(
        &self,
        params: request::GotoImplementationParams,
    ) -> Result<Option<request::GotoImplementationResponse>> {
        answer(params, requests::definition::handle).await
    }

    async fn goto_type_definition(
        &self,
        params: request::GotoTypeDefinitionParams,
    ) -> Result<Option<request::GotoTypeDefinitionResponse>> {
        answer(params, requests::definition::handle_type).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        answer(params, requests::references::handle).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        answer(params, requests::document_highlight::handle).await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        answer(params, requests::rename::prepare).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        answer(params, requests::rename::handle).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        answer(params, requests::folding_range::handle).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        answer(params, requests::selection_range::handle).await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        answer(params, requests::semantic_tokens::full).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        answer(params, requests::semantic_tokens::delta).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        answer(params, requests::semantic_tokens::range).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        answer(params, requests::completion::handle).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        answer(params, requests::signature_help::handle).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        answer(params, requests::code_action::handle).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        answer(params, requests::code_lens::handle).await
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        answer(params, requests::diagnostic::document).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        answer(params, requests::diagnostic::workspace).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        answer(params, requests::document_link::handle).await
    }

    async fn linked_editing_range(&self, params: LinkedEditingRangeParams) -> Result<Option<LinkedEditingRanges>> {
        answer(params, requests::linked_editing::handle).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        answer(params, requests::inlay_hint::handle).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<Vec<SymbolInformation>>> {
        answer(params, requests::workspace_symbol::handle).await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        answer(params, requests::formatting::document).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        answer(params, requests::formatting::range).await
    }

    async fn on_type_formatting(&self, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        answer(params, requests::formatting::on_type).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        answer(params, requests::call_hierarchy::prepare).await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        answer(params, requests::call_hierarchy::incoming).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        answer(params, requests::call_hierarchy::outgoing).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<serde_json::Value>> {
        answer(params, requests::execute_command::handle).await
    }
}
