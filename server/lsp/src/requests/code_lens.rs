//! `textDocument/codeLens`: lenses to step through a match and to check observability and, in small games, the worth of
//! each percept.

use std::sync::Arc;

use percept_game::PogddlOptions;
use percept_syntax::pddl::Definition;
use percept_syntax::{Syntax, TextRange};
use serde_json::json;
use tower_lsp::lsp_types::{CodeLens, CodeLensParams, Command};

use crate::games;
use crate::place::{Answer, Place};
use crate::snapshot::{File, Kind};

/// Commands of the editor: they open a panel or a split and request its content from the server.
const STEP: &str = "percept.openStepper";
const CHECK: &str = "percept.checkObservability";
const PROVE: &str = "percept.proveObservability";

pub(crate) fn handle(place: &Place, params: CodeLensParams) -> Answer<Option<Vec<CodeLens>>> {
    let uri = params.text_document.uri;
    if !place.snapshot.settings.code_lens.enable {
        return Ok(None);
    }
    let Some(file) = games::file(&place.snapshot, &uri) else { return Ok(None) };
    let Some(at) = anchor(&file) else { return Ok(None) };
    let range = file.range(at, place.snapshot.encoding());
    let lens = |title: &str, command: &str| CodeLens {
        range,
        command: Some(Command::new(title.into(), command.into(), Some(vec![json!({ "uri": uri })]))),
        data: None,
    };
    let mut lenses = vec![lens("▷ Step", STEP), lens("Check observability", CHECK)];
    // A trace is one match; queries about all matches belong to the game.
    if file.kind() != Kind::Trace {
        lenses.push(lens("Prove", PROVE));
        lenses.extend(prices(place, &file));
    }
    Ok(Some(lenses))
}

/// A lens at each percept. It has no action, and so no command's name.
fn prices(place: &Place, file: &Arc<File>) -> Vec<CodeLens> {
    let Ok(files) = games::files(&place.snapshot, file) else { return Vec::new() };
    if !files.first().is_some_and(|first| Arc::ptr_eq(first, file)) {
        return Vec::new();
    }
    let options = PogddlOptions { terminal: games::terminal(&place.snapshot, file) };
    let prices = place.shared.prices.of(&files, &options, &place.token);
    let lens = |(range, price): &(TextRange, String)| CodeLens {
        range: file.range(*range, place.snapshot.encoding()),
        command: Some(Command::new(price.clone(), String::new(), None)),
        data: None,
    };
    prices.iter().map(lens).collect()
}

/// The first role, the problem's name, the first line of a trace.
fn anchor(file: &File) -> Option<TextRange> {
    if file.kind() == Kind::Trace {
        return Some(TextRange::at(0));
    }
    match &file.source()?.syntax {
        Syntax::Gdl(description) => {
            let mut heads = description.statements.iter().filter_map(|statement| statement.head.as_ref());
            heads.find(|head| head.name.is("role")).map(|head| head.range)
        }
        Syntax::Pddl(syntax) => syntax.definitions.first().map(|definition| match definition {
            Definition::Domain(domain) => domain.name.as_ref().map_or(domain.range, |name| name.range),
            Definition::Problem(problem) => problem.name.as_ref().map_or(problem.range, |name| name.range),
        }),
    }
}
