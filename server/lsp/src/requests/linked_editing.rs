//! `textDocument/linkedEditingRange`: a variable's occurrences within its rule change together while typing.

use percept_analysis::ide::Namespace;
use tower_lsp::lsp_types::{LinkedEditingRangeParams, LinkedEditingRanges};

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn handle(place: &Place, params: LinkedEditingRangeParams) -> Answer<Option<LinkedEditingRanges>> {
    let at = params.text_document_position_params;
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let files = view.files();
    let Some((symbol, _)) = files.at(view.id, offset) else { return Ok(None) };
    if symbol.namespace != Namespace::Variable || symbol.scope.is_none() {
        return Ok(None);
    }
    let found = files.occurrences(view.id, symbol);
    let ranges = found.iter().map(|(_, occurrence)| view.range(occurrence.range)).collect();
    // The pattern decides which characters can be typed without leaving the name.
    Ok(Some(LinkedEditingRanges { ranges, word_pattern: Some("[?A-Za-z_][A-Za-z0-9_-]*".into()) }))
}
