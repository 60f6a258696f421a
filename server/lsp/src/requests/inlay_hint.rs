//! `textDocument/inlayHint`: in a trace, the percepts of every role in each round.

use tower_lsp::lsp_types::{InlayHint, InlayHintParams};

use crate::place::{Answer, Place};
use crate::traces;

pub(crate) fn handle(place: &Place, params: InlayHintParams) -> Answer<Option<Vec<InlayHint>>> {
    if !place.snapshot.settings.inlay_hints.percepts {
        return Ok(None);
    }
    Ok(traces::hints(place, &params.text_document.uri, params.range))
}
