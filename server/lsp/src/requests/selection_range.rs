//! `textDocument/selectionRange`.

use percept_analysis::ide::structure;
use tower_lsp::lsp_types::{SelectionRange, SelectionRangeParams};

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn handle(place: &Place, params: SelectionRangeParams) -> Answer<Option<Vec<SelectionRange>>> {
    let Some(view) = View::of(place, &params.text_document.uri) else { return Ok(None) };
    let Some(source) = view.file.source() else { return Ok(None) };
    let chains = params.positions.into_iter().map(|position| {
        let offset = view.file.offset(position, view.encoding);
        let mut chain = None;
        for range in structure::enclosing(source, offset).into_iter().rev() {
            chain = Some(SelectionRange { range: view.range(range), parent: chain.map(Box::new) });
        }
        chain.unwrap_or(SelectionRange { range: view.range(percept_syntax::TextRange::at(offset)), parent: None })
    });
    Ok(Some(chains.collect()))
}
