//! `textDocument/definition`, `declaration`, `typeDefinition` and `implementation`.

use percept_analysis::FileId;
use percept_analysis::ide::{FileRange, Files, navigation};
use tower_lsp::lsp_types::{GotoDefinitionParams, GotoDefinitionResponse};

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn handle(place: &Place, params: GotoDefinitionParams) -> Answer<Option<GotoDefinitionResponse>> {
    go(place, params, navigation::definition)
}

pub(crate) fn handle_type(place: &Place, params: GotoDefinitionParams) -> Answer<Option<GotoDefinitionResponse>> {
    go(place, params, navigation::type_definition)
}

fn go(
    place: &Place,
    params: GotoDefinitionParams,
    find: fn(&Files<'_>, FileId, u32) -> Vec<FileRange>,
) -> Answer<Option<GotoDefinitionResponse>> {
    let at = params.text_document_position_params;
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let found = find(&view.files(), view.id, offset);
    let locations = found.into_iter().filter_map(|place| view.location(place)).collect();
    Ok(Some(GotoDefinitionResponse::Array(locations)))
}
