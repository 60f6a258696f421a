//! `textDocument/documentSymbol`.

use percept_analysis::ide::Class;
use percept_analysis::ide::document_symbols::{Outline, outline};
use tower_lsp::lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, SymbolInformation, SymbolKind,
};

use super::View;
use crate::place::{Answer, Place};

pub(crate) fn handle(place: &Place, params: DocumentSymbolParams) -> Answer<Option<DocumentSymbolResponse>> {
    let Some(view) = View::of(place, &params.text_document.uri) else { return Ok(None) };
    let Some(source) = view.file.source() else { return Ok(None) };
    let outline = outline(source);
    if place.snapshot.session.client.hierarchical_symbols {
        let nested = outline.into_iter().map(|node| nested(&view, node)).collect();
        return Ok(Some(DocumentSymbolResponse::Nested(nested)));
    }
    let mut flat = Vec::new();
    outline.into_iter().for_each(|node| flatten(&view, node, None, &mut flat));
    Ok(Some(DocumentSymbolResponse::Flat(flat)))
}

fn nested(view: &View, node: Outline) -> DocumentSymbol {
    let children: Vec<DocumentSymbol> = node.children.into_iter().map(|child| nested(view, child)).collect();
    #[allow(deprecated)]
    DocumentSymbol {
        name: node.name,
        detail: (!node.detail.is_empty()).then_some(node.detail),
        kind: kind(node.class),
        tags: None,
        deprecated: None,
        range: view.range(node.range),
        selection_range: view.range(node.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

fn flatten(view: &View, node: Outline, container: Option<String>, flat: &mut Vec<SymbolInformation>) {
    #[allow(deprecated)]
    flat.push(SymbolInformation {
        name: node.name.clone(),
        kind: kind(node.class),
        tags: None,
        deprecated: None,
        location: view.file.location(node.range, view.encoding),
        container_name: container,
    });
    for child in node.children {
        flatten(view, child, Some(node.name.clone()), flat);
    }
}

/// The protocol's nearest word for a class.
pub(crate) fn kind(class: Class) -> SymbolKind {
    match class {
        Class::Role => SymbolKind::ENUM_MEMBER,
        Class::Fluent => SymbolKind::FIELD,
        Class::Move | Class::Action => SymbolKind::METHOD,
        Class::Percept => SymbolKind::EVENT,
        Class::Relation | Class::Predicate => SymbolKind::FUNCTION,
        Class::Function | Class::NumericFunction => SymbolKind::NUMBER,
        Class::Type => SymbolKind::CLASS,
        Class::Object => SymbolKind::CONSTANT,
        Class::Name => SymbolKind::MODULE,
        Class::Keyword | Class::Requirement => SymbolKind::KEY,
        Class::Variable | Class::Parameter | Class::Number => SymbolKind::VARIABLE,
    }
}
