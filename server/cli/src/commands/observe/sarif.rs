//! Verdicts in SARIF: a result for each property that a role does not know, at the first round, placed on the rule
//! that could have told it and told the same in both histories.

use percept_infoset::Property;
use percept_syntax::TextRange;
use serde_json::{Value, json};

use super::Judged;
use super::blame::{Blamer, Rule};
use super::report::{name, value};
use crate::commands::check::{report::range_of, sarif};
use crate::load::{Columns, Loaded};

pub fn text(loaded: &Loaded, judged: &[Judged]) -> String {
    let game = &*loaded.game;
    let rules: Vec<_> = Property::ALL
        .iter()
        .map(|property| {
            json!({
                "id": rule(*property),
                "shortDescription": { "text": format!("a role does not know {}", what(*property)) },
                "defaultConfiguration": { "level": "warning" },
            })
        })
        .collect();
    let columns: Vec<Columns<'_>> = loaded.files.iter().map(|(_, source)| Columns::new(&source.text)).collect();
    let place = |file: usize, range: TextRange, says: Option<&str>| {
        sarif::location(&sarif::uri(&loaded.files[file].0), &range_of(&columns[file], range), says)
    };
    let located = |rule: &Rule| place(rule.file, rule.range, Some(&rule.says));
    let blamer = Blamer::new(loaded);
    let mut results = Vec::new();
    for (number, judged) in judged.iter().enumerate() {
        for (role, _) in &judged.sizes {
            for (index, property) in Property::ALL.into_iter().enumerate() {
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
                let blame = blamer.blame(finding, witness);
                let first = blame.silent.first().or(blame.deciding.first());
                let related: Vec<Value> = blame.silent.iter().skip(1).chain(&blame.deciding).map(located).collect();
                let mut result = json!({
                    "ruleId": rule(property),
                    "ruleIndex": index,
                    "level": "warning",
                    "message": { "text": message },
                    "locations": [first.map_or_else(|| place(0, TextRange::at(0), None), located)],
                });
                if !related.is_empty() {
                    result["relatedLocations"] = Value::Array(related);
                }
                results.push(result);
            }
        }
    }
    serde_json::to_string_pretty(&sarif::log(&rules, &results)).expect("values have string keys")
}

fn rule(property: Property) -> &'static str {
    match property {
        Property::Legal => "unknown-legal-moves",
        Property::Terminal => "unknown-end",
        Property::Goal => "unknown-goal",
    }
}

fn what(property: Property) -> &'static str {
    match property {
        Property::Legal => "its legal moves",
        Property::Terminal => "whether the match is over",
        Property::Goal => "its goal",
    }
}
