//! Completion for POGDDL files.

use percept_syntax::{Language, TextRange};

use super::place::{self, Kind};
use super::{Item, names_of_class, plain, variables, written_often};
use crate::FileId;
use crate::ide::context::{Context, Slot};
use crate::ide::{Access, Class, Files, Namespace, Symbol, keywords};

pub(super) fn pogddl(files: &Files<'_>, file: FileId, context: &Context, replaced: TextRange) -> Vec<Item> {
    let Some(indexed) = files.get(file) else { return Vec::new() };
    let place = place::at(indexed.source, replaced.start);
    let is_keyword = indexed.source.text[replaced.as_usize()].starts_with(':');
    if is_keyword || matches!(place.kind, Kind::File | Kind::Section | Kind::Field) {
        let words = place.keywords.iter().filter_map(|word| keywords::find(Language::Pogddl, word));
        let mut items: Vec<Item> = words.map(keyword).collect();
        if !context.opened && !is_keyword && place.kind != Kind::Field {
            items.extend(written_often(indexed.source));
        }
        return items;
    }
    let mut items = Vec::new();
    match &context.slot {
        Slot::Literal | Slot::Head => {
            let words: &[&str] = match place.kind {
                Kind::Condition => &["and", "or", "not", "exists", "forall", "imply"],
                Kind::Effect => &["and", "not", "forall", "when", "observe", "increase", "decrease", "assign"],
                _ => &[],
            };
            items.extend(compounds_of(files, Namespace::Predicate, context.opened));
            items.extend(words.iter().map(|word| plain(*word, Class::Keyword, 2)));
        }
        Slot::Argument { relation, position } => {
            if place.kind == Kind::Number {
                items.extend(compounds_of(files, Namespace::NumericFunction, context.opened));
            }
            items.extend(variables_in_force(files, file, context, relation, *position, replaced));
            items.extend(objects_for(files, relation, *position));
        }
        Slot::Other => items.extend(type_names(files)),
        Slot::Statement => {}
    }
    if relation_is(context, "observe") {
        items.extend(["all", "others"].map(|word| plain(word, Class::Keyword, 0)));
        items.extend(names_of_class(files, Class::Role, 0));
        items.extend(compounds_of(files, Namespace::Message, context.opened));
    }
    items
}

fn keyword(keyword: &keywords::Keyword) -> Item {
    Item { documentation: Some(keyword.meaning.into()), ..plain(keyword.word, Class::Keyword, 1) }
}

fn relation_is(context: &Context, word: &str) -> bool {
    matches!(&context.slot, Slot::Argument { relation, .. } if relation == word)
}

fn compounds_of(files: &Files<'_>, namespace: Namespace, opened: bool) -> Vec<Item> {
    let mut items = Vec::new();
    for indexed in &files.files {
        for symbol in indexed.index.symbols().iter().filter(|symbol| symbol.namespace == namespace) {
            let class = match namespace {
                Namespace::Message => Class::Percept,
                Namespace::NumericFunction => Class::NumericFunction,
                _ => Class::Predicate,
            };
            let mut item = plain(symbol.name.as_str(), class, 0);
            if let Some(signature) = crate::ide::signature::signature_of(files, symbol) {
                item.detail = signature.label.clone();
                if !opened {
                    // The placeholder is the parameter's name; an argument there has its type.
                    let name = |range: &std::ops::Range<usize>| {
                        signature.label[range.clone()].split(' ').next().unwrap_or("").to_string()
                    };
                    let places = signature.parameters.iter().enumerate();
                    let places: Vec<String> =
                        places.map(|(at, range)| format!("${{{}:{}}}", at + 1, name(range))).collect();
                    let gap = if places.is_empty() { "" } else { " " };
                    item.is_snippet = !places.is_empty();
                    item.insert = format!("({}{gap}{})", symbol.name, places.join(" "));
                }
            }
            items.push(item);
        }
    }
    items
}

/// Parameters and quantified variables in scope; those of the needed type first.
fn variables_in_force(
    files: &Files<'_>,
    file: FileId,
    context: &Context,
    relation: &str,
    position: usize,
    replaced: TextRange,
) -> Vec<Item> {
    let Some(indexed) = files.get(file) else { return Vec::new() };
    let wanted = crate::ide::signature::type_of_parameter(files, relation, position);
    let mut items = variables(files, file, context, replaced);
    for item in &mut items {
        let declared = indexed.index.all().iter().find(|occurrence| {
            occurrence.access == Access::Define
                && context.form.contains_range(occurrence.range)
                && indexed.source.text[occurrence.range.as_usize()] == *item.label
        });
        let types = declared.and_then(|it| indexed.index.types_at(it.range.start)).unwrap_or_default();
        if let Some(kind) = types.first() {
            item.detail = format!("- {kind}");
        }
        item.rank = u8::from(!wanted.as_ref().is_some_and(|wanted| types.contains(wanted)));
    }
    items
}

/// Constants and objects; only those of the needed type, if it is known.
fn objects_for(files: &Files<'_>, relation: &str, position: usize) -> Vec<Item> {
    let wanted = crate::ide::signature::type_of_parameter(files, relation, position);
    let mut items = Vec::new();
    for indexed in &files.files {
        for occurrence in indexed.index.all().iter().filter(|it| it.access == Access::Define) {
            let symbol = indexed.index.symbol(occurrence);
            if symbol.namespace != Namespace::Object {
                continue;
            }
            let types = indexed.index.types_at(occurrence.range.start).unwrap_or_default();
            let fits = wanted
                .as_ref()
                .is_none_or(|wanted| wanted == "object" || types.iter().any(|it| is_a(files, it, wanted)));
            if fits {
                let detail = types.first().map_or(String::new(), |kind| format!("- {kind}"));
                items.push(Item { detail, ..plain(symbol.name.as_str(), occurrence.class, 1) });
            }
        }
    }
    items
}

/// True if `kind` is `wanted` or one of its subtypes.
fn is_a(files: &Files<'_>, kind: &str, wanted: &str) -> bool {
    let mut seen: Vec<String> = vec![kind.to_string()];
    let mut at = 0;
    while at < seen.len() {
        if seen[at] == wanted {
            return true;
        }
        let symbol = Symbol { namespace: Namespace::Type, name: seen[at].as_str().into(), scope: None };
        for indexed in &files.files {
            for occurrence in indexed.index.occurrences_of(&symbol) {
                for parent in indexed.index.types_at(occurrence.range.start).unwrap_or_default() {
                    if !seen.iter().any(|other| other == parent) {
                        seen.push(parent.to_string());
                    }
                }
            }
        }
        at += 1;
    }
    false
}

fn type_names(files: &Files<'_>) -> Vec<Item> {
    let symbols = files.files.iter().flat_map(|indexed| indexed.index.symbols());
    let types = symbols.filter(|symbol| symbol.namespace == Namespace::Type);
    types.map(|symbol| plain(symbol.name.as_str(), Class::Type, 0)).collect()
}
