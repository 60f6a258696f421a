//! `textDocument/hover`.

use percept_analysis::ide::{self, Class, markdown};
use percept_syntax::words::counted;
use tower_lsp::lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use super::View;
use crate::counts::Counted;
use crate::games;
use crate::place::{Answer, Place};
use crate::snapshot::Kind;
use crate::traces;

pub(crate) fn handle(place: &Place, params: HoverParams) -> Answer<Option<Hover>> {
    let at = params.text_document_position_params;
    if games::file(&place.snapshot, &at.text_document.uri).is_some_and(|file| file.kind() == Kind::Trace) {
        return Ok(traces::hover(place, &at.text_document.uri, at.position));
    }
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let Some(hover) = ide::hover::hover(&view.files(), view.id, offset) else { return Ok(None) };
    let mut value = hover.markdown;
    if let Some(count) = instances(place, &view, offset) {
        value.push_str(&format!(" · {}", counted(count, "ground instance", "ground instances")));
    }
    let contents = match place.snapshot.session.client.markdown_hover {
        true => MarkupContent { kind: MarkupKind::Markdown, value },
        false => MarkupContent { kind: MarkupKind::PlainText, value: markdown::plain(&value) },
    };
    Ok(Some(Hover { contents: HoverContents::Markup(contents), range: Some(view.range(hover.range)) }))
}

/// The number of ground instances of the fluent, move or percept at the cursor, once it is known.
fn instances(place: &Place, view: &View, offset: u32) -> Option<usize> {
    let files = view.files();
    let (symbol, occurrence) = files.at(view.id, offset)?;
    let what = match occurrence.class {
        Class::Fluent | Class::Predicate => Counted::Fluent,
        Class::Move | Class::Action => Counted::Move,
        Class::Percept => Counted::Percept,
        _ => return None,
    };
    place.shared.counter.look(&place.snapshot, &view.file)?.of(what, &symbol.name)
}
