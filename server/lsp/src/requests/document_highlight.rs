//! `textDocument/documentHighlight`.

use percept_analysis::ide::{Access, navigation};
use tower_lsp::lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn handle(place: &Place, params: DocumentHighlightParams) -> Answer<Option<Vec<DocumentHighlight>>> {
    let at = params.text_document_position_params;
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let found = navigation::highlights(&view.files(), view.id, offset);
    let highlight = |it: percept_analysis::ide::Occurrence| DocumentHighlight {
        range: view.range(it.range),
        kind: Some(match it.access {
            Access::Define | Access::Write => DocumentHighlightKind::WRITE,
            Access::Read => DocumentHighlightKind::READ,
        }),
    };
    Ok(Some(found.into_iter().map(highlight).collect()))
}
