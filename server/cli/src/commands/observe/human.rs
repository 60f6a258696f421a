//! Verdicts for people: what holds throughout in one line, and the first thing a role cannot know with its witness.

use percept_game::{Game, RoleId};
use percept_infoset::Witness;
use percept_infoset::{Finding, Property, Size, Verdict};

use super::Judged;
use super::blame::{Blame, Blamer, Rule};
use super::report::{moves, name, value};
use crate::load::{Columns, Loaded};

pub fn text(loaded: &Loaded, judged: &[Judged]) -> String {
    let blamer = Blamer::new(loaded);
    let mut lines = Vec::new();
    for (index, one) in judged.iter().enumerate() {
        if judged.len() > 1 {
            lines.push(format!("match {} of {}, {} rounds", index + 1, judged.len(), one.rounds.len()));
        }
        for (role, sizes) in &one.sizes {
            lines.extend(role_lines(loaded, &blamer, one, *role, sizes));
        }
    }
    lines.join("\n")
}

fn role_lines(loaded: &Loaded, blamer: &Blamer<'_>, judged: &Judged, role: RoleId, sizes: &[Size]) -> Vec<String> {
    let game = &*loaded.game;
    let who = name(game, role);
    let mut lines = Vec::new();
    for property in Property::ALL {
        let findings: Vec<&Finding> =
            judged.findings.iter().filter(|it| it.role == role && it.property == property).collect();
        lines.push(format!("{who}: {}", summary(property, &findings)));
        if let Some((finding, witness)) = super::first_unknown(judged, role, property) {
            lines.extend(witness_lines(game, finding, witness));
            lines.extend(blame_lines(loaded, &who, &blamer.blame(finding, witness)));
        }
    }
    let histories: Vec<String> = sizes.iter().map(|size| size.histories.to_string()).collect();
    if !histories.is_empty() {
        let more = if histories.len() <= judged.rounds.len() { ", and then more than fits" } else { "" };
        lines.push(format!("{who}: histories it cannot tell apart, by round: {}{more}", histories.join(" ")));
    }
    lines
}

/// `legal moves known in rounds 0-3`, `end unknown after round 3`.
fn summary(property: Property, findings: &[&Finding]) -> String {
    let what = match property {
        Property::Legal => "its legal moves",
        Property::Terminal => "whether the match is over",
        Property::Goal => "its goal at the end",
    };
    let rounds =
        |wanted: &str| ranges(findings.iter().filter(|it| it.verdict.name() == wanted).map(|it| it.round).collect());
    let mut parts = Vec::new();
    let (known, unknown, undecided) = (rounds("known"), rounds("unknown"), rounds("undecided"));
    if unknown.is_empty() && undecided.is_empty() {
        return format!("always knows {what}");
    }
    if !unknown.is_empty() {
        parts.push(format!("does not know {what} after round {unknown}"));
    }
    if !undecided.is_empty() {
        let agreed: u64 = findings
            .iter()
            .map(|it| match it.verdict {
                Verdict::Undecided { agreed, .. } => agreed,
                _ => 0,
            })
            .min()
            .unwrap_or(0);
        parts.push(format!("undecided after round {undecided} ({agreed} samples agreed)"));
    }
    if !known.is_empty() {
        parts.push(format!("known after round {known}"));
    }
    parts.join("; ")
}

/// `0-2, 5`.
fn ranges(rounds: Vec<usize>) -> String {
    let mut out: Vec<String> = Vec::new();
    for run in rounds.chunk_by(|a, b| a + 1 == *b) {
        match run {
            [one] => out.push(one.to_string()),
            [first, .., last] => out.push(format!("{first}-{last}")),
            [] => {}
        }
    }
    out.join(", ")
}

fn witness_lines(game: &Game, finding: &Finding, witness: &Witness) -> Vec<String> {
    let who = name(game, finding.role);
    let real = if witness.first_is_match { "in this match" } else { "it could be" };
    let mut lines = vec![
        format!("  after round {}, {real}: {}", finding.round, value(game, finding.role, &witness.first_value)),
        format!("  but {who} saw the same in:  {}", value(game, finding.role, &witness.second_value)),
    ];
    let (first, second) = (moves(game, &witness.first), moves(game, &witness.second));
    for (round, (first, second)) in first.iter().zip(&second).enumerate() {
        let differ: Vec<String> = game
            .role_ids()
            .zip(first.iter().zip(second))
            .filter(|(_, (first, second))| first != second)
            .map(|(role, (first, second))| format!("{} {second} instead of {first}", name(game, role)))
            .collect();
        if !differ.is_empty() {
            lines.push(format!("    round {}: {}", round + 1, differ.join(", ")));
        }
    }
    lines
}

/// The source lines of the rules that could have told, and of those that make the difference.
pub(crate) fn blame_lines(loaded: &Loaded, who: &str, blame: &Blame) -> Vec<String> {
    let mut lines = Vec::new();
    let mut list = |title: String, rules: &[Rule]| {
        if rules.is_empty() {
            return;
        }
        lines.push(title);
        for rule in rules {
            let (path, source) = &loaded.files[rule.file];
            let (line, _) = Columns::new(&source.text).at(rule.range.start);
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let text = source.text.get(rule.range.start as usize..rule.range.end as usize).unwrap_or_default();
            lines.push(format!("      {file}:{line}: {}", text.split_whitespace().collect::<Vec<_>>().join(" ")));
            lines.push(format!("        {}", rule.says));
        }
    };
    list(format!("    what could have told {who} in round {}:", blame.round), &blame.silent);
    list("    what makes the difference:".to_string(), &blame.deciding);
    lines
}
