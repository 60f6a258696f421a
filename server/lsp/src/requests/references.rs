//! `textDocument/references`.

use percept_analysis::ide::navigation;
use tower_lsp::lsp_types::{Location, ReferenceParams};

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn handle(place: &Place, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let at = params.text_document_position;
    let Some((view, offset)) = View::of_name(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let found = navigation::references(&view.files(), view.id, offset, params.context.include_declaration);
    Ok(Some(found.into_iter().filter_map(|place| view.location(place)).collect()))
}
