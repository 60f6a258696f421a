//! Verdicts in SARIF: a result for each property that a role does not know, at the first round, placed on the rule
//! that could have told it and told the same in both histories.

use percept_infoset::Property;
use percept_syntax::TextRange;
use serde_json::{Value, json};

use super::Judged;
use super::blame::{Blame, Blamer, Rule};
use super::report::{name, value};
use crate::commands::check::{report::range_of, sarif};
use crate::load::{Columns, Loaded};

pub fn text(loaded: &Loaded, judged: &[Judged]) -> String {
    let game = &*loaded.game;
    let (writer, blamer) = (Writer::new(loaded), Blamer::new(loaded));
    let mut results = Vec::new();
    for (number, judged) in judged.iter().enumerate() {
        for (role, _) in &judged.sizes {
            for property in Property::ALL {
                let Some((finding, witness)) = super::first_unknown(judged, *role, property) else {
                    continue;
                };
                let message = format!(
                    "after round {} of match {} {} does not know {}: {}, or {}",
                    finding.round,
                    number + 1,
                    name(game, *role),
                    what(property),
                    value(game, *role, &witness.first_value),
                    value(game, *role, &witness.second_value),
                );
                results.push(writer.result(property, &message, &blamer.blame(finding, witness)));
            }
        }
    }
    log(&results)
}

/// A log of results about observability.
pub fn log(results: &[Value]) -> String {
    let rule = |property: &Property| {
        json!({
            "id": rule(*property),
            "shortDescription": { "text": format!("a role does not know {}", what(*property)) },
            "defaultConfiguration": { "level": "warning" },
        })
    };
    let rules: Vec<Value> = Property::ALL.iter().map(rule).collect();
    serde_json::to_string_pretty(&sarif::log(&rules, results)).expect("values have string keys")
}

/// Writes results about one game.
pub struct Writer<'l> {
    loaded: &'l Loaded,
    columns: Vec<Columns<'l>>,
}

impl<'l> Writer<'l> {
    pub fn new(loaded: &'l Loaded) -> Writer<'l> {
        Writer { loaded, columns: loaded.files.iter().map(|(_, source)| Columns::new(&source.text)).collect() }
    }

    fn place(&self, file: usize, range: TextRange, says: Option<&str>) -> Value {
        sarif::location(&sarif::uri(&self.loaded.files[file].0), &range_of(&self.columns[file], range), says)
    }

    /// What is not known, placed on the likeliest rule, the others beside it.
    pub fn result(&self, property: Property, message: &str, blame: &Blame) -> Value {
        let located = |rule: &Rule| self.place(rule.file, rule.range, Some(&rule.says));
        let first = blame.silent.first().or(blame.deciding.first());
        let related: Vec<Value> = blame.silent.iter().skip(1).chain(&blame.deciding).map(located).collect();
        let mut result = json!({
            "ruleId": rule(property),
            "ruleIndex": Property::ALL.iter().position(|it| *it == property),
            "level": "warning",
            "message": { "text": message },
            "locations": [first.map_or_else(|| self.place(0, TextRange::at(0), None), located)],
        });
        if !related.is_empty() {
            result["relatedLocations"] = Value::Array(related);
        }
        result
    }
}

fn rule(property: Property) -> &'static str {
    match property {
        Property::Legal => "unknown-legal-moves",
        Property::Terminal => "unknown-end",
        Property::Goal => "unknown-goal",
    }
}

pub fn what(property: Property) -> &'static str {
    match property {
        Property::Legal => "its legal moves",
        Property::Terminal => "whether the match is over",
        Property::Goal => "its goal",
    }
}
