//! `percept.rules`: the rules that produce a fluent, a move or a percept, for a jump from the panel to the text.
//!
//! Argument `name`: a fluent, move or percept as the stepper shows it, such as `(cell 1 1 x)`. Result: `{version,
//! locations}`: the definitions of its functor.

use percept_analysis::ide::{Access, Namespace, Symbol};
use percept_game::Term;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::lsp_types::Url;

use super::matches;
use crate::place::{Answer, Place};

#[derive(Deserialize)]
pub(super) struct Argument {
    uri: Url,
    name: String,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    let loaded = match matches::load(place, &argument.uri) {
        Ok(loaded) => loaded,
        Err(instead) => return instead.answer(),
    };
    let name = Term::typed(&argument.name).ok_or_else(|| "no name is given".to_string())?;
    let mut changes = Vec::new();
    let mut declarations = Vec::new();
    for file in &loaded.files {
        let Some(index) = file.index() else { continue };
        let namespaces = [
            Namespace::Function,
            Namespace::Object,
            Namespace::Predicate,
            Namespace::NumericFunction,
            Namespace::Action,
            Namespace::Message,
        ];
        for namespace in namespaces {
            let symbol = Symbol { namespace, name: name.head().into(), scope: None };
            for occurrence in index.occurrences_of(&symbol) {
                let location = file.location(occurrence.range, place.snapshot.encoding());
                match occurrence.access {
                    Access::Write => changes.push(location),
                    Access::Define => declarations.push(location),
                    Access::Read => {}
                }
            }
        }
    }
    changes.extend(declarations);
    Ok(json!({ "version": 1, "locations": changes }))
}
