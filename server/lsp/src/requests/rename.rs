//! `textDocument/prepareRename` and `textDocument/rename`.

use percept_analysis::ide::rename;
use tower_lsp::lsp_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit};

use super::View;
use crate::place::{Answer, Failure, Place};

pub(crate) fn prepare(place: &Place, at: TextDocumentPositionParams) -> Answer<Option<PrepareRenameResponse>> {
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let target = rename::prepare(&view.files(), view.id, offset)?;
    let range = view.range(target.range);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: target.name }))
}

pub(crate) fn handle(place: &Place, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let at = params.text_document_position;
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else {
        return Err(Failure::Message("this document is not open as a game".into()));
    };
    let edits = rename::rename(&view.files(), view.id, offset, &params.new_name)?;
    Ok(Some(view.workspace_edit(&edits)))
}
