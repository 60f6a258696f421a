//! `textDocument/formatting`, `rangeFormatting` and `onTypeFormatting`.

use percept_syntax::TextRange;
use percept_syntax::format::{self, Edit, Options};
use tower_lsp::lsp_types::*;

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn document(place: &Place, params: DocumentFormattingParams) -> Answer<Option<Vec<TextEdit>>> {
    let Some(view) = View::of(place, &params.text_document.uri) else { return Ok(None) };
    let Some(source) = view.file.source() else { return Ok(None) };
    Ok(Some(to_proto(&view, format::edits(source, &options(&params.options)))))
}

pub(crate) fn range(place: &Place, params: DocumentRangeFormattingParams) -> Answer<Option<Vec<TextEdit>>> {
    let Some(view) = View::of(place, &params.text_document.uri) else { return Ok(None) };
    let Some(source) = view.file.source() else { return Ok(None) };
    let range = view.file.text_range(params.range, view.encoding);
    Ok(Some(to_proto(&view, format::format_range(source, range, &options(&params.options)))))
}

/// After a line break: the indentation of the new line.
pub(crate) fn on_type(place: &Place, params: DocumentOnTypeFormattingParams) -> Answer<Option<Vec<TextEdit>>> {
    let at = params.text_document_position;
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let Some(source) = view.file.source() else { return Ok(None) };
    let edits = format::format_range(source, TextRange::at(offset), &options(&params.options));
    // Only the gap at the cursor, and only if text follows it: blanks that were just typed stay.
    let here =
        edits.into_iter().filter(|edit| edit.range.touches(offset) && (edit.range.end as usize) < source.text.len());
    Ok(Some(to_proto(&view, here.collect())))
}

fn options(wanted: &FormattingOptions) -> Options {
    Options { indent: wanted.tab_size.clamp(1, 16), tabs: !wanted.insert_spaces, ..Options::default() }
}

fn to_proto(view: &View, edits: Vec<Edit>) -> Vec<TextEdit> {
    edits.into_iter().map(|edit| TextEdit::new(view.range(edit.range), edit.insert)).collect()
}
