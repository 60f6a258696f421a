//! `textDocument/hover`.

use percept_analysis::ide;
use tower_lsp::lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::View;
use crate::backend::Answer;
use crate::ingress::Place;

pub fn handle(place: &Place, params: HoverParams) -> Answer<Option<Hover>> {
    let at = params.text_document_position_params;
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    Ok(ide::hover::hover(&view.files(), view.id, offset).map(|hover| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: hover.markdown }),
        range: Some(view.range(hover.range)),
    }))
}
