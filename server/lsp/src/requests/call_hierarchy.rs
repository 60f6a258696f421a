//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `outgoingCalls`: dependencies of rules.

use percept_analysis::FileId;
use percept_analysis::ide::Files;
use percept_analysis::ide::calls::{self, Call, Node};
use percept_analysis::ide::hover::word;
use tower_lsp::lsp_types::*;

use super::View;
use super::document_symbol::kind;
use crate::place::{Answer, Place};

pub(crate) fn prepare(place: &Place, params: CallHierarchyPrepareParams) -> Answer<Option<Vec<CallHierarchyItem>>> {
    let at = params.text_document_position_params;
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let node = calls::prepare(&view.files(), view.id, offset);
    Ok(node.and_then(|node| item(&view, node)).map(|item| vec![item]))
}

pub(crate) fn incoming(
    place: &Place,
    params: CallHierarchyIncomingCallsParams,
) -> Answer<Option<Vec<CallHierarchyIncomingCall>>> {
    let calls = ask(place, &params.item, calls::incoming);
    let call = |(from, from_ranges)| CallHierarchyIncomingCall { from, from_ranges };
    Ok(Some(calls.into_iter().map(call).collect()))
}

pub(crate) fn outgoing(
    place: &Place,
    params: CallHierarchyOutgoingCallsParams,
) -> Answer<Option<Vec<CallHierarchyOutgoingCall>>> {
    let calls = ask(place, &params.item, calls::outgoing);
    let call = |(to, from_ranges)| CallHierarchyOutgoingCall { to, from_ranges };
    Ok(Some(calls.into_iter().map(call).collect()))
}

fn ask(
    place: &Place,
    of: &CallHierarchyItem,
    find: fn(&Files<'_>, FileId, u32) -> Vec<Call>,
) -> Vec<(CallHierarchyItem, Vec<Range>)> {
    let Some((view, offset)) = View::at(place, &of.uri, of.selection_range.start) else { return Vec::new() };
    let found = find(&view.files(), view.id, offset);
    let both = found.into_iter().filter_map(|call| {
        let file = view.files.get(call.file.0 as usize)?;
        let ranges = call.ranges.iter().map(|range| file.range(*range, view.encoding)).collect();
        Some((item(&view, call.node)?, ranges))
    });
    both.collect()
}

fn item(view: &View, node: Node) -> Option<CallHierarchyItem> {
    let Location { uri, range } = view.location(node.place)?;
    Some(CallHierarchyItem {
        name: node.name,
        kind: kind(node.class),
        tags: None,
        detail: Some(word(node.class).into()),
        uri,
        range,
        selection_range: range,
        data: None,
    })
}
