//! Verdicts as data: what a role knows at one point of a match, and what it knows in every match.
//!
//! `P` is how a place in a text is written: a command has file, line and column, an editor has a URI and positions in the
//! encoding it speaks.

use percept_game::{Game, RoleId};
use percept_infoset::Property;
use percept_infoset::prove::{self, Ends};
use schemars::JsonSchema;
use serde::Serialize;

use crate::blame::{Blame, Rule};
use crate::{names, words};

/// What a role should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// Its legal moves, where the match is not over.
    Legal,
    /// Whether the match is over.
    Terminal,
    /// Its goal, where the match is over.
    Goal,
    /// The move it made in the last round. Unasked this is told only where it is not known.
    Own,
}

impl Asked {
    /// As it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Asked::Legal => "legal",
            Asked::Terminal => "terminal",
            Asked::Goal => "goal",
            Asked::Own => "own",
        }
    }
}

impl From<Property> for Asked {
    fn from(property: Property) -> Asked {
        match property {
            Property::Legal => Asked::Legal,
            Property::Terminal => Asked::Terminal,
            Property::Goal => Asked::Goal,
            Property::Own => Asked::Own,
        }
    }
}

/// The answer about one role, one property and one round of a match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchVerdict<P> {
    /// Its name.
    pub role: String,
    /// Rounds played: 0 is before the first move.
    pub round: usize,
    /// What is known or not.
    pub property: Asked,
    /// The answer.
    pub verdict: MatchAnswer,
    /// What settled it: `exact`, `sat`, `search` (differences only), `announced` where the end is told by the protocol; of own
    /// moves also `structure` or `definition`.
    pub method: &'static str,
    /// For `known`: whether a second reading of the rules says so, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// For something known that was not checked: why, such as `no time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<String>,
    /// Samples that agreed, for `undecided`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreed: Option<u64>,
    /// Why it is `undecided`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// For `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Pair<P>>,
}

/// Whether a role knows something at one point of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchAnswer {
    /// Proved.
    Known,
    /// Refuted by two histories.
    Unknown,
    /// Neither, within the budget.
    Undecided,
}

/// The answer about one role and property in every match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GameVerdict<P> {
    /// Its name.
    pub role: String,
    /// What is known or not.
    pub property: Asked,
    /// The answer.
    pub verdict: GameAnswer,
    /// Rounds of the shortest pair, or up to which there is none.
    pub depth: Option<usize>,
    /// What settled it.
    pub method: Option<&'static str>,
    /// For `proved`: whether a second reader followed the proof on the rules as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// For a proof that was not checked: why, such as `no time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<String>,
    /// Proofs that the second reader refused, which is a fault of Percept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refused>,
    /// Of a proof about goals: whether it says nothing; `null` where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<bool>")]
    pub vacuous: Option<Vacuity>,
    /// Why a proof is `vacuous`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Emptiness>,
    /// How long it took, with checking.
    pub seconds: f64,
    /// How much of it the second reader took.
    pub check_seconds: f64,
    /// For `refuted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Pair<P>>,
}

/// A proof that the second reader refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// The method of the proof.
    pub method: &'static str,
    /// The reader's objection.
    pub why: String,
}

/// Whether a role knows something in every match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameAnswer {
    /// In every match of any length.
    Proved,
    /// Two matches show that it does not.
    Refuted,
    /// Neither, within the budget.
    Open,
}

/// Why a proof that a role knows its goal says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Emptiness {
    /// No match ever ends.
    NoEnd,
    /// The role never has a goal.
    NoGoal,
}

impl Emptiness {
    /// Of a role for which matches end like this; `None` where a proof says something.
    pub fn of(ends: Ends) -> Option<Emptiness> {
        match ends {
            Ends::WithGoal => None,
            Ends::WithoutGoal => Some(Emptiness::NoGoal),
            Ends::Never => Some(Emptiness::NoEnd),
        }
    }
}

/// Two histories that the role cannot tell apart.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Pair<P> {
    /// Per round, a move of each role.
    pub first: Vec<Vec<String>>,
    /// As `first`.
    pub second: Vec<Vec<String>>,
    /// What holds at the end of `first`, in words.
    pub first_value: String,
    /// What holds at the end of `second`, in words.
    pub second_value: String,
    /// Whether `first` is the match that was asked about.
    pub first_is_match: bool,
    /// The first round in which they differ, from 1.
    pub parting: usize,
    /// What could have told the role, and what makes the difference. Along a match at the first round of a property only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules<P>>,
}

/// The rules behind two histories.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Rules<P> {
    /// What could have told the role in the round of parting, the likeliest to be at fault first.
    pub silent: Vec<Told<P>>,
    /// What makes the difference.
    pub deciding: Vec<Told<P>>,
}

/// A rule and what it says about the two histories.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Told<P> {
    /// Where the rule stands.
    #[serde(flatten)]
    pub place: P,
    /// Without a full stop.
    pub says: String,
}

impl<P> MatchVerdict<P> {
    /// Of a finding about a match, without the rules behind it.
    pub fn new(game: &Game, finding: &percept_infoset::Finding) -> MatchVerdict<P> {
        use percept_infoset::Verdict;
        use percept_infoset::prove::Reading;
        let (agreed, why, witness) = match &finding.verdict {
            Verdict::Known => (None, None, None),
            Verdict::Unknown(witness) => (None, None, Some(Pair::new(game, finding.role, witness))),
            Verdict::Undecided { agreed, why } => (Some(*agreed), Some(why.to_string()), None),
        };
        MatchVerdict {
            role: names::role(game, finding.role).to_string(),
            round: finding.round,
            property: finding.property.into(),
            verdict: match &finding.verdict {
                Verdict::Known => MatchAnswer::Known,
                Verdict::Unknown(_) => MatchAnswer::Unknown,
                Verdict::Undecided { .. } => MatchAnswer::Undecided,
            },
            method: finding.method,
            checked: match finding.verdict {
                Verdict::Known => Some(finding.reading == Some(Reading::Checked)),
                _ => None,
            },
            unchecked: match &finding.reading {
                Some(Reading::Unchecked(why)) => Some(why.to_string()),
                _ => None,
            },
            agreed,
            why,
            witness,
        }
    }
}

impl<P> GameVerdict<P> {
    /// Of a finding about the game, without the rules behind it.
    pub fn new(game: &Game, finding: &prove::Finding) -> GameVerdict<P> {
        use prove::Verdict;
        let (verdict, depth, method) = match &finding.verdict {
            Verdict::Proved { method, .. } => (GameAnswer::Proved, None, Some(*method)),
            Verdict::Refuted { pair, method } => (GameAnswer::Refuted, Some(pair.left.len()), Some(*method)),
            Verdict::Open { depth } => (GameAnswer::Open, Some(*depth), None),
        };
        let checked = match &finding.verdict {
            Verdict::Proved { checked, .. } => Some(*checked),
            _ => None,
        };
        let refused = finding.refused.iter().map(|it| Refused { method: it.method, why: it.why.clone() });
        GameVerdict {
            role: names::role(game, finding.role).to_string(),
            property: finding.property.into(),
            verdict,
            depth,
            method,
            checked: checked.map(|it| it.is_ok()),
            unchecked: checked.and_then(Result::err).map(|why| why.to_string()),
            refused: refused.collect(),
            vacuous: asks_vacuity(finding).then(|| Vacuity::of(finding.vacuous)),
            reason: finding.vacuous.and_then(Emptiness::of),
            seconds: finding.elapsed.as_secs_f64(),
            check_seconds: finding.checking.as_secs_f64(),
            witness: refutation(game, finding).map(|witness| Pair::new(game, finding.role, &witness)),
        }
    }
}

impl<P> Pair<P> {
    /// Of a witness, without the rules behind it.
    pub fn new(game: &Game, role: RoleId, witness: &percept_infoset::Witness) -> Pair<P> {
        Pair {
            first: names::history(game, &witness.first),
            second: names::history(game, &witness.second),
            first_value: words::value(game, role, &witness.first_value),
            second_value: words::value(game, role, &witness.second_value),
            first_is_match: witness.first_is_match,
            parting: witness.parting(),
            rules: None,
        }
    }

    /// With the rules behind it; `place` writes where one stands.
    pub fn blaming(self, blame: &Blame, place: impl Fn(&Rule) -> P) -> Pair<P> {
        let told = |rule: &Rule| Told { place: place(rule), says: rule.says.clone() };
        let (silent, deciding) = (blame.silent.iter().map(told).collect(), blame.deciding.iter().map(told).collect());
        Pair { rules: Some(Rules { silent, deciding }), ..self }
    }
}

/// Whether the finding is one that says nothing where no match ends with a goal for the role.
pub fn asks_vacuity(finding: &prove::Finding) -> bool {
    finding.property == Property::Goal && matches!(finding.verdict, prove::Verdict::Proved { .. })
}

/// What a proof that a role knows its goals is worth; in JSON `true`, `false` or `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Option<bool>")]
pub enum Vacuity {
    /// It says nothing.
    Vacuous,
    /// It says something.
    Meaningful,
    /// That is not known.
    Open,
}

impl Vacuity {
    /// By how matches end for the role; `None` where that stays open.
    pub fn of(ends: Option<Ends>) -> Vacuity {
        match ends.map(Ends::is_vacuous) {
            Some(true) => Vacuity::Vacuous,
            Some(false) => Vacuity::Meaningful,
            None => Vacuity::Open,
        }
    }
}

impl From<Vacuity> for Option<bool> {
    fn from(vacuity: Vacuity) -> Option<bool> {
        match vacuity {
            Vacuity::Vacuous => Some(true),
            Vacuity::Meaningful => Some(false),
            Vacuity::Open => None,
        }
    }
}

/// The two matches that refute, with the values at their ends.
pub fn refutation(game: &Game, finding: &prove::Finding) -> Option<percept_infoset::Witness> {
    match &finding.verdict {
        prove::Verdict::Refuted { pair, .. } => pair.witness(game, finding.role, finding.property),
        _ => None,
    }
}

/// The findings that are shown with their reasons: for each role and property the first round after which it is not
/// known, with its place in the list.
pub fn first_unknown(
    findings: &[percept_infoset::Finding],
) -> impl Iterator<Item = (usize, (&percept_infoset::Finding, &percept_infoset::Witness))> {
    let mut seen = Vec::new();
    findings.iter().enumerate().filter_map(move |(at, finding)| {
        let percept_infoset::Verdict::Unknown(witness) = &finding.verdict else { return None };
        let about = (finding.role, finding.property);
        if seen.contains(&about) {
            return None;
        }
        seen.push(about);
        Some((at, (finding, &**witness)))
    })
}
