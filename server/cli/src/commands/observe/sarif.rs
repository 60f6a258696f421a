//! Verdicts in SARIF: one result for each property that a role does not know, at the first round.

use percept_infoset::{Property, Verdict};
use percept_syntax::TextRange;
use serde_json::json;

use super::Judged;
use super::report::{name, value};
use crate::commands::check::{report::range_of, sarif};
use crate::load::{Columns, Loaded};

pub fn text(loaded: &Loaded, judged: &[Judged]) -> String {
    let game = &*loaded.game;
    let (path, source) = &loaded.files[0];
    let columns = Columns::new(&source.text);
    let place = sarif::location(&sarif::uri(path), &range_of(&columns, TextRange::at(0)), None);
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
    let mut results = Vec::new();
    for judged in judged {
        for (role, _) in &judged.sizes {
            for (index, property) in Property::ALL.into_iter().enumerate() {
                let mut findings = judged.findings.iter().filter(|it| it.role == *role && it.property == property);
                let Some((finding, witness)) = findings.find_map(|it| match &it.verdict {
                    Verdict::Unknown(witness) => Some((it, witness)),
                    _ => None,
                }) else {
                    continue;
                };
                let message = format!(
                    "after round {} {} does not know {}: {}, or {}",
                    finding.round,
                    name(game, *role),
                    what(property),
                    value(game, *role, &witness.first_value),
                    value(game, *role, &witness.second_value),
                );
                results.push(json!({
                    "ruleId": rule(property),
                    "ruleIndex": index,
                    "level": "warning",
                    "message": { "text": message },
                    "locations": [place],
                }));
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
