//! The report of `percept play`, in the form of its JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use percept_game::bound::Bound;
use percept_game::play::{RoleSummary, Summary};
use percept_game::{Game, JointMove, trace};
use percept_judge::properties::{By, Check, Checked, Property, Verdict};
use percept_report::speech::Speech;
use percept_report::{Proof, names};
use percept_syntax::Source;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    pub matches: u64,
    /// The requested number, if the time was not enough for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<u64>,
    /// The number of matches that were given up, at the round limit or because a role had no move.
    pub unfinished: u64,
    pub rounds: Rounds,
    pub roles: Vec<Role>,
    /// The judged properties, each with its evidence.
    pub checks: Vec<Judged>,
    /// The first fault of each kind, with a match that shows it.
    pub faults: Vec<Fault>,
    /// Findings of the `check` rules about matches, each with a match that shows it or a proof.
    pub findings: Vec<Finding>,
    /// A length that no match exceeds, proved from the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// Facts about every match, if the state space is small enough to visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_match: Option<EveryMatch>,
    /// The reason why not every state was visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_every_state: Option<String>,
    /// The coverage, with `--coverage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<super::coverage::Coverage>,
    pub seconds: f64,
    /// True if the default time for judging was not enough to decide everything.
    #[serde(skip)]
    pub hurried: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct EveryMatch {
    pub states: usize,
    /// The number of rounds of the longest match; absent if a match can go on for ever.
    pub longest: Option<usize>,
    /// True if no role's goal value ever falls.
    pub monotone: bool,
    /// The best goal value of each role (not chance) over all matches.
    pub best: BTreeMap<String, Option<i64>>,
}

/// Lengths of matches.
#[derive(Serialize, Default, JsonSchema)]
pub(crate) struct Rounds {
    pub min: u32,
    pub mean: f64,
    /// Half the width of the 95 % interval of the mean.
    pub interval: f64,
    pub max: u32,
}

/// Legal moves per round.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Moves {
    pub mean: f64,
    pub most: u32,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Role {
    pub role: String,
    pub chance: bool,
    pub moves: Moves,
    /// The number of matches with each goal value.
    pub goals: BTreeMap<i64, u64>,
    pub mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    pub interval: Option<f64>,
}

/// A property with its verdict.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Judged {
    #[schemars(with = "String")]
    pub property: Property,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    #[schemars(with = "String")]
    pub verdict: Verdict,
    #[schemars(with = "String")]
    pub by: By,
    pub message: String,
    /// The match that shows it, a joint move (POGDDL: an action) each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#match: Option<Vec<String>>,
}

/// A break of the rules for well-formed games.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Fault {
    #[schemars(with = "String")]
    pub property: Property,
    pub message: String,
    pub r#match: Vec<String>,
    /// The match for people.
    #[serde(skip)]
    pub wording: Vec<String>,
}

/// A finding of a rule, at its place.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Finding {
    pub rule: &'static str,
    pub severity: &'static str,
    pub file: String,
    pub line: usize,
    pub message: String,
    /// The connection between the match and the finding, or the reason why it is true in every match.
    pub because: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#match: Option<Vec<String>>,
    /// The match for people.
    #[serde(skip)]
    pub wording: Vec<String>,
}

impl Finding {
    pub(super) fn new(finding: &percept_report::Finding, files: &[(PathBuf, Source)]) -> Finding {
        let (path, source) = &files[(finding.file.0 as usize).min(files.len() - 1)];
        let because = match &finding.proof {
            Some(Proof::Witness(witness)) => witness.because.clone(),
            Some(Proof::Reason(reason)) => reason.clone(),
            None => String::new(),
        };
        Finding {
            rule: finding.rule.name,
            severity: finding.severity.name(),
            file: path.display().to_string(),
            line: source.text[..finding.range.start as usize].matches('\n').count() + 1,
            message: finding.message.clone(),
            because,
            r#match: finding.witness().map(|witness| witness.lines.clone()),
            wording: finding.witness().and_then(|witness| witness.wording.first().cloned()).unwrap_or_default(),
        }
    }

    /// The property that covers the same fault, so that the fault is shown once.
    pub(super) fn property(&self) -> Option<Property> {
        match self.rule {
            "role-without-move" => Some(Property::Playability),
            "endless-match" => Some(Property::Termination),
            "no-goal" | "two-goals" => Some(Property::Goals),
            "two-turns" => Some(Property::Turns),
            "undeclared-fluent" => Some(Property::Base),
            "undeclared-move" => Some(Property::Input),
            _ => None,
        }
    }
}

impl Report {
    /// The report of the matches, before the game is judged.
    pub(super) fn new(game: &Game, asked: u64, summary: &Summary, seconds: f64) -> Report {
        let lengths = summary.lengths();
        let roles = game.roles.iter().zip(&summary.roles).enumerate();
        Report {
            coverage: None,
            matches: summary.matches,
            asked: (summary.matches < asked).then_some(asked),
            unfinished: summary.unfinished + summary.stuck,
            rounds: lengths.map_or(Rounds::default(), |it| Rounds {
                min: it.shortest,
                mean: it.mean.mean,
                interval: it.mean.half_width,
                max: it.longest,
            }),
            roles: roles.map(|(index, (role, summed))| report_role(summary, index, role, summed)).collect(),
            checks: Vec::new(),
            faults: Vec::new(),
            findings: Vec::new(),
            bound: None,
            every_match: None,
            not_every_state: None,
            seconds,
            hurried: false,
        }
    }

    /// Adds the judged properties.
    pub(super) fn judge(&mut self, game: &Game, speech: &Speech, checked: &Checked) {
        self.checks = checked.checks.iter().map(|check| judged(game, check)).collect();
        self.faults = faults(game, speech, &checked.checks);
        self.bound = checked.bound.clone();
        self.every_match = checked.every_state.as_ref().ok().map(|all| every_match(game, all));
        self.not_every_state = checked.every_state.as_ref().err().map(ToString::to_string);
    }
}

fn report_role(summary: &Summary, index: usize, role: &percept_game::Role, summed: &RoleSummary) -> Role {
    let mean = summed.mean().filter(|_| !role.is_chance);
    Role {
        role: role.name.clone(),
        chance: role.is_chance,
        moves: Moves { mean: summary.branching(index), most: summed.most_legal_moves },
        goals: if role.is_chance { BTreeMap::new() } else { summed.results.clone() },
        mean: mean.map(|it| it.mean),
        interval: mean.map(|it| it.half_width),
    }
}

/// A match as lines of its trace.
fn lines(game: &Game, rounds: &[JointMove]) -> Vec<String> {
    trace::write_trace(game, rounds).lines().filter(|line| !line.starts_with(';')).map(String::from).collect()
}

fn judged(game: &Game, check: &Check) -> Judged {
    Judged {
        property: check.property,
        role: check.role.map(|role| game.roles[role.0 as usize].name.clone()),
        verdict: check.verdict,
        by: check.by,
        message: check.message.clone(),
        r#match: check.example.as_ref().map(|rounds| lines(game, rounds)),
    }
}

/// The first fault of each property.
pub(super) fn faults(game: &Game, speech: &Speech, checks: &[Check]) -> Vec<Fault> {
    let mut faults: BTreeMap<Property, Fault> = BTreeMap::new();
    for check in checks.iter().filter(|check| check.is_fault()) {
        faults.entry(check.property).or_insert_with(|| Fault {
            property: check.property,
            message: check.message.clone(),
            r#match: lines(game, check.example.as_deref().unwrap_or_default()),
            wording: names::rounds(game, speech, check.example.as_deref().unwrap_or_default()),
        });
    }
    faults.into_values().collect()
}

fn every_match(game: &Game, all: &percept_judge::Exhausted) -> EveryMatch {
    let players = game.roles.iter().zip(&all.best).filter(|(role, _)| !role.is_chance);
    EveryMatch {
        states: all.states,
        longest: all.longest,
        monotone: all.falling.iter().all(Option::is_none),
        best: players.map(|(role, best)| (role.name.clone(), best.as_ref().map(|(value, _)| *value))).collect(),
    }
}
