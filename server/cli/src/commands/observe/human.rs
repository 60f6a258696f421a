//! Verdicts for people: what holds throughout in one line, and the first thing a role cannot know with its witness.

use percept_game::{Game, RoleId};
use percept_infoset::{Finding, Property, Size, Verdict, Witness};
use percept_report::blame::{Blame, Blamer, Rule};
use percept_report::names::{self, history};
use percept_report::place::Position;
use percept_report::verdict::first_unknown;
use percept_report::words;
use percept_syntax::lines::LineIndex;

use super::Judged;
use crate::load::Loaded;

pub(crate) fn text(loaded: &Loaded, judged: &[Judged]) -> String {
    let blamer = loaded.blamer();
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
        let who = names::role(game, role);
        for property in super::properties(judged, role) {
            let unknown: Vec<usize> =
                (0..judged.len()).filter(|&at| first(&judged[at], role, property).is_some()).collect();
            let undecided = judged.iter().filter(|one| is_undecided(one, role, property)).count();
            let open = match undecided {
                0 => String::new(),
                count => format!("; undecided in {count}"),
            };
            let what = words::known(property);
            let Some(&shown) = unknown.first() else {
                lines.push(match undecided {
                    0 => format!("{who}: always knows {what}"),
                    count => format!("{who}: {what} undecided in {count} of {} matches", judged.len()),
                });
                continue;
            };
            let count = unknown.len();
            lines.push(format!("{who}: does not know {what} in {count} of {} matches{open}", judged.len()));
            let Some((finding, witness)) = first(&judged[shown], role, property) else { continue };
            examples.push(format!("match {}: {who} does not know {what} after round {}", shown + 1, finding.round));
            examples.extend(witness_lines(game, finding, witness));
            examples.extend(blame_lines(loaded, who, &blamer.blame(role, property, witness)));
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

/// The first round after which a role does not know something, with the histories it cannot tell apart.
fn first(judged: &Judged, role: RoleId, property: Property) -> Option<(&Finding, &Witness)> {
    let mut all = first_unknown(&judged.findings).map(|(_, it)| it);
    all.find(|(it, _)| it.role == role && it.property == property)
}

fn role_lines(loaded: &Loaded, blamer: &Blamer<'_>, judged: &Judged, role: RoleId, sizes: &[Size]) -> Vec<String> {
    let game = &*loaded.game;
    let who = names::role(game, role);
    let mut lines = Vec::new();
    for property in super::properties(std::slice::from_ref(judged), role) {
        let findings: Vec<&Finding> =
            judged.findings.iter().filter(|it| it.role == role && it.property == property).collect();
        lines.push(format!("{who}: {}", summary(property, &findings)));
        if let Some((finding, witness)) = first(judged, role, property) {
            lines.extend(witness_lines(game, finding, witness));
            lines.extend(blame_lines(loaded, who, &blamer.blame(role, property, witness)));
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
    let what = words::known(property);
    let rounds = |wanted: &str| {
        let rounds = findings.iter().filter(|it| it.verdict.name() == wanted).map(|it| it.round);
        words::runs(&rounds.collect::<Vec<_>>())
    };
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

fn witness_lines(game: &Game, finding: &Finding, witness: &Witness) -> Vec<String> {
    let who = names::role(game, finding.role);
    let real = if witness.first_is_match { "in this match" } else { "it could be" };
    let mut lines = vec![
        format!("  after round {}, {real}: {}", finding.round, words::value(game, finding.role, &witness.first_value)),
        format!("  but {who} saw the same in:  {}", words::value(game, finding.role, &witness.second_value)),
    ];
    let (first, second) = (history(game, &witness.first), history(game, &witness.second));
    for (round, (first, second)) in first.iter().zip(&second).enumerate() {
        let differ: Vec<String> = game
            .role_ids()
            .zip(first.iter().zip(second))
            .filter(|(_, (first, second))| first != second)
            .map(|(role, (first, second))| format!("{} {second} instead of {first}", names::role(game, role)))
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
            let line = Position::new(&LineIndex::new(&source.text), rule.range.start).line;
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
