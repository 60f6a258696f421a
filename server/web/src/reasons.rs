//! The reason why something holds at a place of a match, the atoms that can be asked about there, and the rules of a
//! name.

use percept_analysis::ide::{Access, Namespace, Symbol};
use percept_game::Term;
use percept_report::atoms::atoms;
use percept_report::editor::{Askable, Question};
use percept_report::place::{InEditor, Point, Span};
use percept_report::why;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, Texts};
use crate::knowledge::located;
use crate::matches::{self, About};

/// Requests the reason why an atom holds or does not.
#[derive(Deserialize)]
pub struct Reason {
    #[serde(flatten)]
    about: About,
    #[serde(flatten)]
    question: Question,
}

pub fn why(desk: &mut Desk, request: Reason) -> Result<Value, String> {
    let it = match matches::replay(desk, request.about) {
        Ok(it) => it,
        Err(instead) => return Ok(instead),
    };
    let spread = desk.last().ok_or("the text is missing")?;
    // The page has no lines: a place is one of its texts, and its units from the start.
    let point = |character| Point { line: 0, character };
    let locate = |file: usize, range| {
        let place = located(spread, file, range);
        let range = Span { start: point(place.from), end: point(place.to) };
        InEditor { uri: format!("text:{}", place.text), range }
    };
    Ok(json!(why::why(&it.stepper, &spread.sources(), &request.question, &locate)?))
}

/// The atoms that can be asked about at a place of a match.
pub fn askable(desk: &mut Desk, about: About) -> Result<Value, String> {
    let it = match matches::replay(desk, about) {
        Ok(it) => it,
        Err(instead) => return Ok(instead),
    };
    Ok(json!(Askable { atoms: atoms(it.game(), &it.stepper).into_iter().map(Into::into).collect() }))
}

/// Requests the places that define what a name of the panel begins with.
#[derive(Deserialize)]
pub struct Rules {
    #[serde(flatten)]
    texts: Texts,
    name: String,
}

pub fn rules(desk: &mut Desk, request: Rules) -> Result<Value, String> {
    let spread = desk.spread(request.texts);
    let name = Term::typed(&request.name).ok_or("no name is given")?;
    let namespaces = [
        Namespace::Function,
        Namespace::Object,
        Namespace::Predicate,
        Namespace::NumericFunction,
        Namespace::Action,
        Namespace::Message,
    ];
    let mut places = Vec::new();
    for access in [Access::Write, Access::Define] {
        for (file, read) in spread.read.iter().enumerate() {
            for namespace in namespaces {
                let symbol = Symbol { namespace, name: name.head().into(), scope: None };
                let found = read.index.occurrences_of(&symbol).filter(|it| it.access == access);
                places.extend(found.map(|it| located(spread, file, it.range)));
            }
        }
    }
    Ok(json!({ "locations": places }))
}
