//! What `prove` found, for readers and for programs.

use percept_game::{Game, JointMove, RoleId};
use percept_infoset::Property;
use percept_infoset::prove::{Finding, Pair, Verdict};
use serde::Serialize;

use crate::commands::observe::blame::{Blame, Blamer};
use crate::commands::observe::report::{Rules, rules, value};
use crate::commands::observe::{human, sarif};
use crate::load::Loaded;
use crate::show;

#[derive(Serialize)]
pub struct Report {
    findings: Vec<Entry>,
}

/// One finding, without the rules behind it.
#[derive(Serialize)]
pub struct Entry {
    pub role: String,
    pub property: &'static str,
    /// `proved`, `refuted` or `open`.
    pub verdict: &'static str,
    /// Rounds of the shortest pair, or up to which there is none.
    pub depth: Option<usize>,
    pub method: Option<&'static str>,
    /// Of a proof about goals: whether it says nothing, since no match ever ends; `null` where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vacuous: Option<Option<bool>>,
    pub seconds: f64,
    pair: Option<Sides>,
    /// The rules that could have told the role, and those that make the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Rules>,
}

/// Two matches: per round a move of each role, in the order of the roles.
#[derive(Serialize)]
struct Sides {
    left: Vec<Vec<String>>,
    right: Vec<Vec<String>>,
}

pub fn report(loaded: &Loaded, findings: &[Finding]) -> Report {
    let blamer = Blamer::new(loaded);
    let with_rules = |finding: &Finding| {
        let rules = blame(loaded, &blamer, finding).map(|blame| rules(loaded, &blame));
        Entry { rules, ..Entry::new(&loaded.game, finding) }
    };
    Report { findings: findings.iter().map(with_rules).collect() }
}

/// The rules behind a refutation.
fn blame(loaded: &Loaded, blamer: &Blamer<'_>, finding: &Finding) -> Option<Blame> {
    let Verdict::Refuted { pair, method } = &finding.verdict else { return None };
    let &Finding { role, property, .. } = finding;
    let witness = pair.witness(&loaded.game, role, property)?;
    let verdict = percept_infoset::Verdict::Unknown(Box::new(witness.clone()));
    let along = percept_infoset::Finding { role, round: pair.left.len(), property, verdict, method };
    Some(blamer.blame(&along, &witness))
}

pub fn sarif(loaded: &Loaded, findings: &[Finding]) -> String {
    let (writer, blamer) = (sarif::Writer::new(loaded), Blamer::new(loaded));
    let game = &loaded.game;
    let result = |finding: &Finding| {
        let Verdict::Refuted { pair, .. } = &finding.verdict else { return None };
        let witness = pair.witness(game, finding.role, finding.property)?;
        let message = format!(
            "{} does not always know {}: after {} rounds {}, or {}",
            game.roles[finding.role.0 as usize].name,
            sarif::what(finding.property),
            pair.left.len(),
            value(game, finding.role, &witness.first_value),
            value(game, finding.role, &witness.second_value),
        );
        Some(writer.result(finding.property, &message, &blame(loaded, &blamer, finding)?))
    };
    sarif::log(&findings.iter().filter_map(result).collect::<Vec<_>>())
}

impl Entry {
    pub fn new(game: &Game, finding: &Finding) -> Entry {
        let (depth, method, pair) = match &finding.verdict {
            Verdict::Proved { method, .. } => (None, Some(*method), None),
            Verdict::Refuted { pair, method } => (Some(pair.left.len()), Some(*method), Some(pair)),
            Verdict::Open { depth } => (Some(*depth), None, None),
        };
        Entry {
            role: game.roles[finding.role.0 as usize].name.clone(),
            property: finding.property.name(),
            verdict: finding.verdict.name(),
            depth,
            method,
            vacuous: asks_vacuity(finding).then_some(finding.vacuous),
            seconds: finding.elapsed.as_secs_f64(),
            rules: None,
            pair: pair.map(|pair| Sides { left: names(game, &pair.left), right: names(game, &pair.right) }),
        }
    }
}

/// The names of all moves of a history.
pub fn names(game: &Game, history: &[JointMove]) -> Vec<Vec<String>> {
    let joint = |joint: &JointMove| {
        game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect::<Vec<_>>()
    };
    history.iter().map(joint).collect()
}

pub fn text(loaded: &Loaded, findings: &[Finding]) -> String {
    let blamer = Blamer::new(loaded);
    let mut all = Vec::new();
    for finding in findings {
        all.extend(lines(&loaded.game, finding));
        if let Some(blame) = blame(loaded, &blamer, finding) {
            let who = &loaded.game.roles[finding.role.0 as usize].name;
            all.extend(human::blame_lines(loaded, who, &blame).into_iter().map(|line| format!("     {line}")));
        }
    }
    all.join("\n")
}

/// What a role knows, in the words of the reports.
pub const fn knows(property: Property) -> &'static str {
    match property {
        Property::Legal => "knows its legal moves",
        Property::Terminal => "knows whether the match is over",
        Property::Goal => "knows its goal when the match is over",
    }
}

/// Whether the finding is one that says nothing where no match ends.
fn asks_vacuity(finding: &Finding) -> bool {
    finding.property == Property::Goal && matches!(finding.verdict, Verdict::Proved { .. })
}

/// What a proof about goals is worth, by whether it is vacuous.
pub const fn vacuity(vacuous: Option<bool>) -> &'static str {
    match vacuous {
        Some(true) => "; but no match ever ends, so this says nothing",
        Some(false) => "",
        None => "; whether any match ends is not known",
    }
}

fn lines(game: &Game, finding: &Finding) -> Vec<String> {
    let role = &game.roles[finding.role.0 as usize].name;
    let (what, seconds) = (knows(finding.property), finding.elapsed.as_secs_f64());
    match &finding.verdict {
        Verdict::Proved { method, .. } => {
            let note = if asks_vacuity(finding) { vacuity(finding.vacuous) } else { "" };
            vec![format!("proved   {role} always {what}{note} ({method}, {seconds:.2} s)")]
        }
        Verdict::Open { depth } => {
            vec![format!(
                "open     {role} {what} in matches of up to {depth} rounds; further is not known ({seconds:.2} s)"
            )]
        }
        Verdict::Refuted { pair, method } => {
            let depth = pair.left.len();
            let mut lines = vec![
                format!("refuted  not always: {role} {what} ({method}, {seconds:.2} s)"),
                format!("         {role} cannot tell these two matches of {depth} rounds apart:"),
            ];
            lines.extend(side_by_side(game, finding.role, pair));
            lines.extend(difference(game, finding.role, finding.property, pair));
            lines
        }
    }
}

/// Both matches round by round, rounds that differ marked, and what the role saw in them.
fn side_by_side(game: &Game, role: RoleId, pair: &Pair) -> Vec<String> {
    let mut state = game.rules.initial();
    let mut lines = Vec::new();
    for (round, (left, right)) in pair.left.iter().zip(&pair.right).enumerate() {
        let (left_text, right_text) = (show::joint(game, left), show::joint(game, right));
        let percepts = game.rules.percepts(&state, left, role);
        let percepts: Vec<String> = percepts.iter().map(|&it| game.rules.percept_name(role, it)).collect();
        let seen = if percepts.is_empty() { "nothing".to_owned() } else { percepts.join(" ") };
        let number = round + 1;
        if left == right {
            lines.push(format!("         {number:>3}.   {left_text}"));
        } else {
            lines.push(format!("         {number:>3}. 1 {left_text}"));
            lines.push(format!("              2 {right_text}"));
        }
        lines.push(format!("                sees {seen}"));
        state = game.rules.next(&state, left);
    }
    lines
}

fn difference(game: &Game, role: RoleId, property: Property, pair: &Pair) -> Vec<String> {
    let end = |history: &[JointMove]| {
        history.iter().fold(game.rules.initial(), |state, joint| game.rules.next(&state, joint))
    };
    let told = |history: &[JointMove]| {
        let state = end(history);
        match property {
            Property::Terminal if game.rules.terminal(&state) => "the match is over".to_owned(),
            Property::Terminal => "the match goes on".to_owned(),
            Property::Goal => {
                let goals: Vec<String> = game.rules.goals(&state, role).iter().map(i64::to_string).collect();
                format!("its goal is {}", if goals.is_empty() { "none".to_owned() } else { goals.join(" and ") })
            }
            Property::Legal => {
                let legal = game.rules.legal(&state, role);
                let names: Vec<String> = legal.iter().map(|&mv| game.rules.move_name(role, mv)).collect();
                format!("its legal moves are {}", names.join(" "))
            }
        }
    };
    vec![format!("         after 1 {}", told(&pair.left)), format!("         after 2 {}", told(&pair.right))]
}
