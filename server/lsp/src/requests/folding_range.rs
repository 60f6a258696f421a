//! `textDocument/foldingRange`.

use percept_analysis::ide::structure;
use tower_lsp::lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn handle(place: &Place, params: FoldingRangeParams) -> Answer<Option<Vec<FoldingRange>>> {
    let Some(view) = View::of(place, &params.text_document.uri) else { return Ok(None) };
    let Some(source) = view.file.source() else { return Ok(None) };
    let folds = structure::folds(source).into_iter().map(|fold| {
        let range = view.range(fold.range);
        FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            kind: fold.is_comment.then_some(FoldingRangeKind::Comment),
            ..Default::default()
        }
    });
    Ok(Some(folds.collect()))
}
