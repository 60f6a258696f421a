//! `workspace/symbol`: names of open documents and of the files in the workspace.

use std::sync::Arc;

use percept_analysis::ide::document_symbols::{Outline, outline};
use tower_lsp::lsp_types::{SymbolInformation, WorkspaceSymbolParams};

use super::document_symbol::kind;
use crate::place::{Answer, Failure, Place};
use crate::snapshot::File;

/// The most answers; an editor asks again after more letters.
const MOST: usize = 300;

pub(crate) fn handle(place: &Place, params: WorkspaceSymbolParams) -> Answer<Option<Vec<SymbolInformation>>> {
    let query = params.query.to_lowercase();
    let mut found = Vec::new();
    for file in files(place) {
        if place.token.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let Some(source) = file.source() else { continue };
        for node in outline(source) {
            add(place, &file, node, None, &query, &mut found);
        }
        if found.len() >= MOST {
            break;
        }
    }
    Ok(Some(found))
}

fn files(place: &Place) -> impl Iterator<Item = Arc<File>> + '_ {
    let snapshot = &place.snapshot;
    let disk = snapshot.session.roots.iter().flat_map(|root| snapshot.session.disk.below(root));
    let disk = disk.filter_map(|path| snapshot.session.disk.file(&path));
    let closed = disk.filter(|file| !snapshot.open.contains(&file.uri));
    snapshot.open.iter().cloned().chain(closed)
}

/// True if `name` contains the letters of `query` in this order.
fn fits(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

fn add(
    place: &Place,
    file: &File,
    node: Outline,
    container: Option<&str>,
    query: &str,
    found: &mut Vec<SymbolInformation>,
) {
    if found.len() >= MOST {
        return;
    }
    if fits(&node.name, query) {
        #[allow(deprecated)]
        found.push(SymbolInformation {
            name: node.name.clone(),
            kind: kind(node.class),
            tags: None,
            deprecated: None,
            location: file.location(node.selection, place.snapshot.encoding()),
            container_name: container.map(str::to_string),
        });
    }
    for child in node.children {
        add(place, file, child, Some(&node.name), query, found);
    }
}
