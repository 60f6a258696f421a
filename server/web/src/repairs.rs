//! Percepts with which roles would know what they lack.

use percept_infoset::Property;
use percept_report::repair::{Insertion, Repair, RepairQuery, for_first, lacking};
use percept_syntax::TextRange;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, Spread, Texts};
use crate::matches::within;

/// The default time limit for the proofs of all proposals, in seconds.
const TIME: f64 = 20.0;

/// Requests repairs for a role, and for all others that lack the same. The answer is that of the language server's
/// `percept.repair`, with edits as in the repairs of findings; without a solver in the page, nothing has a worth.
#[derive(Deserialize)]
pub struct Request {
    #[serde(flatten)]
    texts: Texts,
    role: String,
    property: String,
    #[serde(default)]
    seconds: Option<f64>,
}

pub fn repair(desk: &mut Desk, request: Request) -> Result<Value, String> {
    let spread = desk.spread(request.texts);
    let playable = match spread.game() {
        Ok(playable) => playable,
        Err(instead) => return Ok(instead),
    };
    let game = &*playable.game;
    let role = game.role(&request.role).ok_or_else(|| format!("`{}` is not a role", request.role))?;
    let property =
        Property::named(&request.property).ok_or_else(|| format!("`{}` is not a property", request.property))?;
    let budget = within(request.seconds.unwrap_or(TIME));
    let lacking = lacking(game, role, property, &budget.share(3));
    let mut repairs = Vec::new();
    if !lacking.needs.is_empty() {
        let mut sources = spread.sources();
        if sources.len() == 1 && sources[0].problem().is_some() {
            sources.push(sources[0]);
        }
        let query = RepairQuery { game, sources, terminal: None, property, needs: lacking.needs, value: None };
        repairs = for_first(&query, &budget).repairs;
    }
    Ok(json!({
        "role": request.role,
        "property": property.name(),
        "known": lacking.known,
        "repairs": repairs.iter().map(|it| shown(spread, it)).collect::<Vec<_>>(),
    }))
}

fn shown(spread: &Spread, repair: &Repair) -> Value {
    let edit = |it: &Insertion| {
        let read = &spread.read[it.file.min(spread.read.len() - 1)];
        let span = read.places.span(TextRange::at(it.at));
        json!({ "text": read.number, "from": span.from, "to": span.to, "insert": it.text })
    };
    json!({
        "says": repair.title(),
        "measures": repair.measures(),
        "text": repair.text(),
        "bits": repair.bits,
        "worth": repair.worth,
        "gives": repair.gives,
        "method": repair.method,
        "edits": repair.edits.iter().map(edit).collect::<Vec<_>>(),
    })
}
