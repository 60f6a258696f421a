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
    match judged {
        [one] => {
            let roles = one.sizes.iter();
            roles
                .flat_map(|(role, sizes)| role_lines(loaded, &blamer, one, *role, sizes))
                .collect::<Vec<_>>()
                .join("\n")
        }
        _ => several(loaded, &blamer, judged).join("\n"),
    }
}

/// Many matches: for each role and property in how many it is not known, with the first of these at length.
fn several(loaded: &Loaded, blamer: &Blamer<'_>, judged: &[Judged]) -> Vec<String> {
    let game = &*loaded.game;
    let (shortest, longest) =
        (judged.iter().map(|it| it.rounds.len()).min(), judged.iter().map(|it| it.rounds.len()).max());
    let rounds = match (shortest.unwrap_or(0), longest.unwrap_or(0)) {
        (one, other) if one == other => format!("{one} rounds each"),
        (one, other) => format!("{one} to {other} rounds"),
    };
    let mut lines = vec![format!("{} matches, {rounds}", judged.len())];
    let mut examples = Vec::new();
    for role in game.role_ids().filter(|role| judged.iter().any(|one| one.sizes.iter().any(|(it, _)| it == role))) {
        let who = name(game, role);
        for property in Property::ALL {
            let unknown: Vec<usize> =
                (0..judged.len()).filter(|&at| super::first_unknown(&judged[at], role, property).is_some()).collect();
            let undecided = judged.iter().filter(|one| is_undecided(one, role, property)).count();
            let open = match undecided {
                0 => String::new(),
                count => format!("; undecided in {count}"),
            };
            let what = what(property);
            let Some(&first) = unknown.first() else {
                lines.push(match undecided {
                    0 => format!("{who}: always knows {what}"),
                    count => format!("{who}: {what} undecided in {count} of {} matches", judged.len()),
                });
                continue;
            };
            let count = unknown.len();
            lines.push(format!("{who}: does not know {what} in {count} of {} matches{open}", judged.len()));
            let Some((finding, witness)) = super::first_unknown(&judged[first], role, property) else { continue };
            examples.push(format!("match {}: {who} does not know {what} after round {}", first + 1, finding.round));
            examples.extend(witness_lines(game, finding, witness));
            examples.extend(blame_lines(loaded, &who, &blamer.blame(finding, witness)));
        }
    }
    if !examples.is_empty() {
        lines.push(String::new());
        lines.push("The first of each (all of them: --format json or html):".to_string());
        lines.extend(examples);
    }
    lines
}

/// Whether nothing is known to be unknown, but not everything to be known.
fn is_undecided(judged: &Judged, role: RoleId, property: Property) -> bool {
    let mut verdicts =
        judged.findings.iter().filter(|it| it.role == role && it.property == property).map(|it| &it.verdict);
    verdicts.clone().all(|it| !matches!(it, Verdict::Unknown(_)))
        && verdicts.any(|it| matches!(it, Verdict::Undecided { .. }))
}

fn what(property: Property) -> &'static str {
    match property {
        Property::Legal => "its legal moves",
        Property::Terminal => "whether the match is over",
        Property::Goal => "its goal at the end",
    }
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
    let what = what(property);
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
