//! `textDocument/documentLink`: from a trace to its game, from a problem to its domain.

use percept_syntax::TextRange;
use tower_lsp::lsp_types::{DocumentLink, DocumentLinkParams, Url};

use crate::games;
use crate::place::{Answer, Place};
use crate::snapshot::{File, Kind};
use crate::units::{self, Unit};

pub(crate) fn handle(place: &Place, params: DocumentLinkParams) -> Answer<Option<Vec<DocumentLink>>> {
    let Some(file) = games::file(&place.snapshot, &params.text_document.uri) else { return Ok(None) };
    let target = match file.kind() {
        Kind::Trace => games::named_game(file.text())
            .zip(games::files(&place.snapshot, &file).ok())
            // For a domain and its problem, the trace names the problem.
            .and_then(|(range, files)| Some((range, files.last()?.uri.clone(), "the game of this match"))),
        Kind::Game(_) => domain_of(&file).and_then(|range| match units::of(&place.snapshot, &file) {
            Unit::Pogddl { domain: Some(domain), .. } => Some((range, domain.uri.clone(), "the domain")),
            _ => None,
        }),
    };
    let encoding = place.snapshot.encoding();
    let link = |(range, target, tooltip): (TextRange, Url, &str)| DocumentLink {
        range: file.range(range, encoding),
        target: Some(target),
        tooltip: Some(tooltip.into()),
        data: None,
    };
    Ok(Some(target.map(link).into_iter().collect()))
}

/// The name in a problem's `(:domain name)`.
fn domain_of(file: &File) -> Option<TextRange> {
    file.source()?.problem()?.domain.as_ref().map(|name| name.range)
}
