//! `percept play --coverage`: the rules, conditions and percepts that random matches have met.

use percept_infoset::Budget;
use percept_judge::Case;
use percept_judge::coverage::{Matches, coverage};
use percept_report::place::Position;
use percept_report::signs;
use percept_syntax::lines::LineIndex;
use percept_syntax::{Source, TextRange};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::Play;
use crate::load::Loaded;

/// The coverage of the matches.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Coverage {
    matches: u64,
    rounds: u64,
    /// The reason why rules could not be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacking: Option<&'static str>,
    rules: Vec<Rule>,
    percepts: Vec<Percept>,
}

#[derive(Serialize, JsonSchema)]
struct Rule {
    file: String,
    line: usize,
    /// The head, or the action's name.
    says: String,
    /// The number of rounds in which it fired.
    fired: u64,
    /// For a rule that never fired: the condition that never held when those before it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<Stuck>,
}

#[derive(Serialize, JsonSchema)]
struct Stuck {
    line: usize,
    says: String,
}

#[derive(Serialize, JsonSchema)]
struct Percept {
    role: String,
    name: String,
    count: u64,
}

pub(super) fn of(loaded: &Loaded, args: &Play, budget: &Budget) -> Coverage {
    let sources: Vec<&Source> = loaded.files.iter().map(|(_, source)| source).collect();
    let lines: Vec<LineIndex> = sources.iter().map(|source| LineIndex::new(&source.text)).collect();
    let wanted = Matches { matches: args.matches as u64, rounds: args.max_rounds, seed: args.work.seed };
    let met = coverage(&Case::new(&loaded.game, sources.clone()), &wanted, budget);
    let says = |file: usize, range: TextRange| {
        let text = sources[file].text.get(range.as_usize()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let line = |file: usize, range: TextRange| Position::new(&lines[file], range.start).line;
    let rule = |it: &percept_judge::coverage::Covered| {
        let file = it.place.file.0 as usize;
        Rule {
            file: loaded.files[file].0.display().to_string(),
            line: line(file, it.head),
            says: says(file, it.head),
            fired: it.fired,
            stuck: it.stuck().map(|range| Stuck { line: line(file, range), says: says(file, range) }),
        }
    };
    let percept = |it: &percept_judge::coverage::Percept| Percept {
        role: loaded.game.roles[it.role.0 as usize].name.clone(),
        name: it.name.clone(),
        count: it.count,
    };
    Coverage {
        matches: met.matches,
        rounds: met.rounds,
        lacking: met.lacking,
        rules: met.rules.iter().map(rule).collect(),
        percepts: met.percepts.iter().map(percept).collect(),
    }
}

/// Every rule with its count in the margin, then the percepts that never came.
pub(super) fn text(it: &Coverage) -> String {
    let mut lines = vec![format!("in {} matches of {} rounds together:", it.matches, it.rounds)];
    lines.extend(it.lacking.map(str::to_string));
    let never = it.rules.iter().filter(|rule| rule.fired == 0).count();
    for rule in &it.rules {
        let count = if rule.fired == 0 { "never".to_string() } else { rule.fired.to_string() };
        lines.push(format!("{count:>9}  {:>5}: {}", rule.line, rule.says));
        if let Some(stuck) = &rule.stuck {
            lines.push(format!(
                "{:>9}  {:>5}: `{}` never held when the conditions before it did",
                "", stuck.line, stuck.says
            ));
        }
    }
    if !it.rules.is_empty() {
        lines.push(signs::share(never, it.rules.len(), ["rule", "rules"], "fired"));
    }
    let silent: Vec<&Percept> = it.percepts.iter().filter(|percept| percept.count == 0).collect();
    lines.push(signs::share(silent.len(), it.percepts.len(), ["percept", "percepts"], "came"));
    lines.extend(silent.iter().take(40).map(|percept| format!("           {} sees {}", percept.role, percept.name)));
    if silent.len() > 40 {
        lines.push(format!("           and {} more (all of them: --format json)", silent.len() - 40));
    }
    lines.join("\n")
}
