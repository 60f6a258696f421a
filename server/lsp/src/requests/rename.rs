//! `textDocument/prepareRename` and `textDocument/rename`.

use std::sync::Arc;

use percept_analysis::ide::{Files, Namespace, Symbol, rename};
use percept_syntax::{Language, TextRange, TokenKind};
use tower_lsp::lsp_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Url, WorkspaceEdit,
};

use super::View;
use crate::place::{Answer, Failure, Place};
use crate::snapshot::{File, Kind};
use crate::{games, traces};

pub(crate) fn prepare(place: &Place, at: TextDocumentPositionParams) -> Answer<Option<PrepareRenameResponse>> {
    let Some((view, offset)) = View::of_name(place, &at.text_document.uri, at.position) else {
        refuse_trace(place, &at.text_document.uri)?;
        return Ok(None);
    };
    let target = rename::prepare(&view.files(), view.id, offset)?;
    let range = view.range(target.range);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: target.name }))
}

pub(crate) fn handle(place: &Place, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let at = params.text_document_position;
    let Some((view, offset)) = View::of_name(place, &at.text_document.uri, at.position) else {
        refuse_trace(place, &at.text_document.uri)?;
        return Err(Failure::Message("this document is not open as a game".into()));
    };
    let files = view.files();
    let edits = rename::rename(&files, view.id, offset, &params.new_name)?;
    let mut edit = view.workspace_edit(&edits);
    let Some((symbol, _)) = files.at(view.id, offset).filter(|_| !edits.is_empty()) else { return Ok(Some(edit)) };
    let changes = edit.changes.get_or_insert_default();
    for trace in traces_of(place, &view, symbol) {
        let named = named_in(&files, symbol, trace.text()).into_iter().map(|range| trace.range(range, view.encoding));
        let edits: Vec<TextEdit> = named.map(|range| TextEdit::new(range, params.new_name.trim().into())).collect();
        if !edits.is_empty() {
            changes.insert(trace.uri.clone(), edits);
        }
    }
    Ok(Some(edit))
}

/// Fails with a message that explains where to rename the names of a trace.
fn refuse_trace(place: &Place, uri: &Url) -> Answer<()> {
    match games::file(&place.snapshot, uri).is_some_and(|file| file.kind() == Kind::Trace) {
        true => Err(Failure::Message("rename this in the text of the game: open traces are renamed, too".into())),
        false => Ok(()),
    }
}

/// The open traces of matches of a view's game, if moves can hold such a name.
fn traces_of(place: &Place, view: &View, symbol: &Symbol) -> Vec<Arc<File>> {
    if !matches!(symbol.namespace, Namespace::Function | Namespace::Object | Namespace::Action) {
        return Vec::new();
    }
    let is_of_game = |trace: &&Arc<File>| {
        let files = games::files(&place.snapshot, trace).unwrap_or_default();
        !files.is_empty() && files.iter().all(|file| view.files.iter().any(|it| it.uri == file.uri))
    };
    // Words of a view, or of unreadable text, may have any meaning.
    let is_match = |trace: &&Arc<File>| {
        let loaded = place.shared.load(&place.snapshot, &trace.uri);
        loaded.is_ok_and(|loaded| games::read_trace(&loaded.game, trace).is_ok())
    };
    let traces = place.snapshot.open.iter().filter(|file| file.kind() == Kind::Trace);
    traces.filter(is_of_game).filter(is_match).cloned().collect()
}

/// The places of a name in the moves of a match. If two things share the name, the first element of a list is the one
/// with arguments.
fn named_in(files: &Files<'_>, symbol: &Symbol, text: &str) -> Vec<TextRange> {
    // A record in JSON is not written by hand.
    if text.trim_start().starts_with('{') {
        return Vec::new();
    }
    let takes_arguments = symbol.namespace != Namespace::Object;
    let others: &[Namespace] =
        if takes_arguments { &[Namespace::Object] } else { &[Namespace::Function, Namespace::Action] };
    let has_namesake = others.iter().any(|namespace| {
        let other = Symbol { namespace: *namespace, ..symbol.clone() };
        files.files.iter().any(|file| file.index.has(&other))
    });
    let has_case = files.files.iter().all(|file| file.source.language != Language::Pogddl);
    let is_it = |word: &str| word == symbol.name || !has_case && word.eq_ignore_ascii_case(&symbol.name);
    let tokens = traces::tokens(text);
    let is_first = |n: usize| n > 0 && tokens[n - 1].kind == TokenKind::Open;
    let is_named =
        |n: &usize| is_it(&text[tokens[*n].range.as_usize()]) && (!has_namesake || is_first(*n) == takes_arguments);
    (0..tokens.len()).filter(is_named).map(|n| tokens[n].range).collect()
}
