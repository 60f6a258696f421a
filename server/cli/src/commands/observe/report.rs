//! Verdicts as data: the JSON of `observe --format json`.

use percept_game::{Game, JointMove, RoleId};
use percept_infoset::{Finding, Value, Verdict, Witness};
use serde::Serialize;

use super::Judged;
use super::blame::{Blame, Blamer, Rule};
use crate::commands::check::report::{Range, range_of};
use crate::load::{Columns, Loaded};

#[derive(Serialize)]
pub struct Report {
    pub roles: Vec<String>,
    /// The findings of the first match (with a trace, the only one).
    pub findings: Vec<Verdicts>,
    pub matches: Vec<Match>,
}

#[derive(Serialize)]
pub struct Match {
    /// Per round, a move of each role.
    pub moves: Vec<Vec<String>>,
    pub findings: Vec<Verdicts>,
    pub sizes: Vec<Sizes>,
}

#[derive(Serialize, Clone)]
pub struct Verdicts {
    pub role: String,
    /// Rounds played: 0 is before the first move.
    pub round: usize,
    /// `legal`, `terminal` or `goal`.
    pub property: &'static str,
    /// `known`, `unknown` or `undecided`.
    pub verdict: &'static str,
    pub method: &'static str,
    /// Samples that agreed, for `undecided`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Pair>,
}

/// Two histories that the role cannot tell apart.
#[derive(Serialize, Clone)]
pub struct Pair {
    pub first: Vec<Vec<String>>,
    pub second: Vec<Vec<String>>,
    pub first_value: String,
    pub second_value: String,
    /// Whether `first` is the match itself.
    pub first_is_match: bool,
    /// The first round in which they differ.
    pub parting: usize,
    /// For the first round after which the role does not know this: what could have told it in the round of parting,
    /// and what makes the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules>,
}

#[derive(Serialize, Clone)]
pub struct Rules {
    pub silent: Vec<Told>,
    pub deciding: Vec<Told>,
}

/// A rule and what it says about the two histories.
#[derive(Serialize, Clone)]
pub struct Told {
    pub file: String,
    pub range: Range,
    pub says: String,
}

#[derive(Serialize)]
pub struct Sizes {
    pub role: String,
    pub rounds: Vec<SizeAt>,
}

#[derive(Serialize)]
pub struct SizeAt {
    pub round: usize,
    pub histories: String,
    pub states: usize,
}

pub fn report(loaded: &Loaded, judged: &[Judged]) -> Report {
    let game = &*loaded.game;
    let blamer = Blamer::new(loaded);
    let matches: Vec<Match> = judged.iter().map(|one| one_match(loaded, &blamer, one)).collect();
    Report {
        roles: game.roles.iter().map(|role| role.name.clone()).collect(),
        findings: matches.first().map(|first| first.findings.clone()).unwrap_or_default(),
        matches,
    }
}

fn one_match(loaded: &Loaded, blamer: &Blamer<'_>, judged: &Judged) -> Match {
    let game = &*loaded.game;
    let finding = |it: &Finding| {
        let mut out = verdict(game, it);
        if let Some((first, witness)) = super::first_unknown(judged, it.role, it.property)
            && first.round == it.round
            && let Some(pair) = &mut out.witness
        {
            pair.rules = Some(rules(loaded, &blamer.blame(it, witness)));
        }
        out
    };
    Match {
        moves: moves(game, &judged.rounds),
        findings: judged.findings.iter().map(finding).collect(),
        sizes: judged
            .sizes
            .iter()
            .map(|(role, sizes)| Sizes {
                role: name(game, *role),
                rounds: sizes
                    .iter()
                    .map(|size| SizeAt {
                        round: size.round,
                        histories: size.histories.to_string(),
                        states: size.states,
                    })
                    .collect(),
            })
            .collect(),
    }
}

pub fn name(game: &Game, role: RoleId) -> String {
    game.roles[role.0 as usize].name.clone()
}

pub fn moves(game: &Game, rounds: &[JointMove]) -> Vec<Vec<String>> {
    let one =
        |joint: &JointMove| game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect();
    rounds.iter().map(one).collect()
}

fn verdict(game: &Game, finding: &Finding) -> Verdicts {
    let (agreed, why) = match &finding.verdict {
        Verdict::Undecided { agreed, why } => (Some(*agreed), Some(why.to_string())),
        _ => (None, None),
    };
    Verdicts {
        role: name(game, finding.role),
        round: finding.round,
        property: finding.property.name(),
        verdict: finding.verdict.name(),
        method: finding.method,
        agreed,
        why,
        witness: match &finding.verdict {
            Verdict::Unknown(witness) => Some(pair(game, finding.role, witness)),
            _ => None,
        },
    }
}

pub fn rules(loaded: &Loaded, blame: &Blame) -> Rules {
    let told = |rule: &Rule| {
        let (path, source) = &loaded.files[rule.file];
        let range = range_of(&Columns::new(&source.text), rule.range);
        Told { file: path.display().to_string(), range, says: rule.says.clone() }
    };
    Rules { silent: blame.silent.iter().map(told).collect(), deciding: blame.deciding.iter().map(told).collect() }
}

fn pair(game: &Game, role: RoleId, witness: &Witness) -> Pair {
    Pair {
        first: moves(game, &witness.first),
        second: moves(game, &witness.second),
        first_value: value(game, role, &witness.first_value),
        second_value: value(game, role, &witness.second_value),
        first_is_match: witness.first_is_match,
        parting: witness.parting(),
        rules: None,
    }
}

/// A property's value in words.
pub fn value(game: &Game, role: RoleId, value: &Value) -> String {
    match value {
        Value::Legal(moves) if moves.is_empty() => "no legal move".to_string(),
        Value::Legal(moves) => {
            let names: Vec<String> = moves.iter().map(|&mv| game.rules.move_name(role, mv)).collect();
            format!("may {}", names.join(", "))
        }
        Value::Terminal(true) => "the match is over".to_string(),
        Value::Terminal(false) => "the match goes on".to_string(),
        Value::Goal(goals) if goals.is_empty() => "no goal value".to_string(),
        Value::Goal(goals) => {
            let values: Vec<String> = goals.iter().map(i64::to_string).collect();
            format!("goal {}", values.join(" and "))
        }
    }
}
