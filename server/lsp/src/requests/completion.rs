//! `textDocument/completion`.

use percept_analysis::ide::{Class, completion};
use tower_lsp::lsp_types::*;

use super::View;
use crate::place::{Answer, Place};
use crate::traces;

pub(crate) fn handle(place: &Place, params: CompletionParams) -> Answer<Option<CompletionResponse>> {
    let at = params.text_document_position;
    if let Some(items) = traces::completion(place, &at.text_document.uri, at.position) {
        return Ok(Some(CompletionResponse::Array(items)));
    }
    let Some((view, offset)) = View::at(place, &at.text_document.uri, at.position) else { return Ok(None) };
    let found = completion::complete(&view.files(), view.id, offset);
    let Some((range, items)) = found else { return Ok(None) };
    let range = view.range(range);
    let snippets = place.snapshot.session.client.snippets;
    Ok(Some(CompletionResponse::Array(items.into_iter().map(|item| to_proto(item, range, snippets)).collect())))
}

fn to_proto(item: completion::Item, range: Range, snippets: bool) -> CompletionItem {
    let is_snippet = item.is_snippet && snippets;
    let insert = if item.is_snippet && !snippets { item.label.clone() } else { item.insert };
    CompletionItem {
        sort_text: Some(format!("{}{}", item.rank, item.label)),
        filter_text: Some(item.label.clone()),
        label: item.label,
        detail: Some(item.detail),
        kind: Some(kind(item.class)),
        documentation: item
            .documentation
            .map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })),
        insert_text_format: Some(if is_snippet { InsertTextFormat::SNIPPET } else { InsertTextFormat::PLAIN_TEXT }),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, insert))),
        ..Default::default()
    }
}

fn kind(class: Class) -> CompletionItemKind {
    match class {
        Class::Keyword | Class::Requirement => CompletionItemKind::KEYWORD,
        Class::Variable | Class::Parameter => CompletionItemKind::VARIABLE,
        Class::Relation | Class::Predicate => CompletionItemKind::FUNCTION,
        Class::Role => CompletionItemKind::ENUM_MEMBER,
        Class::Fluent | Class::NumericFunction => CompletionItemKind::FIELD,
        Class::Move | Class::Action => CompletionItemKind::METHOD,
        Class::Percept => CompletionItemKind::EVENT,
        Class::Function => CompletionItemKind::CONSTRUCTOR,
        Class::Object | Class::Number => CompletionItemKind::CONSTANT,
        Class::Type => CompletionItemKind::CLASS,
        Class::Name => CompletionItemKind::MODULE,
    }
}
