//! Verdicts as data: a role's knowledge at one point of a match, and in every match.
//!
//! `P` is the type of a place in a text: a command uses file, line and column; an editor uses a URI and positions in
//! its encoding.

use percept_game::{Game, RoleId};
use percept_infoset::Property;
use percept_infoset::prove::{self, Ends};
use schemars::JsonSchema;
use serde::Serialize;

use crate::blame::{Blame, Rule};
use crate::signs;
use crate::speech::{Phrases, Speech};
use crate::{names, words};

/// The properties that a role should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PropertyName {
    /// Its legal moves, while the match goes on.
    Legal,
    /// The end of the match.
    Terminal,
    /// Its goal, after the match has ended.
    Goal,
    /// Its own move of the last round. Unless requested, this property is reported only if the role does not know it.
    Own,
}

impl PropertyName {
    /// The property's name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PropertyName::Legal => "legal",
            PropertyName::Terminal => "terminal",
            PropertyName::Goal => "goal",
            PropertyName::Own => "own",
        }
    }
}

impl From<Property> for PropertyName {
    fn from(property: Property) -> PropertyName {
        match property {
            Property::Legal => PropertyName::Legal,
            Property::Terminal => PropertyName::Terminal,
            Property::Goal => PropertyName::Goal,
            Property::Own => PropertyName::Own,
        }
    }
}

impl From<PropertyName> for Property {
    fn from(name: PropertyName) -> Property {
        match name {
            PropertyName::Legal => Property::Legal,
            PropertyName::Terminal => Property::Terminal,
            PropertyName::Goal => Property::Goal,
            PropertyName::Own => Property::Own,
        }
    }
}

/// The verdict about one role, one property and one round of a match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchVerdict<P> {
    /// The name of the role.
    pub role: String,
    /// The number of rounds played; 0 is before the first move.
    pub round: usize,
    /// The property.
    pub property: PropertyName,
    /// The verdict about it.
    pub verdict: MatchAnswer,
    /// The deciding method: `exact`, `sat`, `search` (differences only), `announced` if the protocol announces the end;
    /// for own moves also `structure` or `definition`.
    pub method: &'static str,
    /// For `known`: true if a second reading of the rules agrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// The reason why a `known` property was not checked, such as `no time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<String>,
    /// For `undecided`: the number of samples that agreed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreed: Option<u64>,
    /// For `undecided`: the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// For `unknown`: two histories that refute the knowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Pair<P>>,
}

/// The verdicts about a property at one point of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchAnswer {
    /// The role knows the property: proved.
    Known,
    /// Refuted by two histories.
    Unknown,
    /// Neither proved nor refuted within the budget.
    Undecided,
}

impl MatchAnswer {
    /// The sign of the answer.
    pub const fn sign(self) -> &'static str {
        match self {
            MatchAnswer::Known => signs::KNOWN,
            MatchAnswer::Unknown => signs::UNKNOWN,
            MatchAnswer::Undecided => signs::UNDECIDED,
        }
    }
}

/// The verdict about one role and property in every match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GameVerdict<P> {
    /// The name of the role.
    pub role: String,
    /// The property.
    pub property: PropertyName,
    /// The verdict about it.
    pub verdict: GameAnswer,
    /// The number of rounds of the shortest pair; if none was found, the number of rounds searched.
    pub depth: Option<usize>,
    /// The deciding method.
    pub method: Option<&'static str>,
    /// For `proved`: true if the independent checker followed the proof on the rules as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// The reason why a proof was not checked, such as `no time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<String>,
    /// Proofs that the independent checker refused. Each is a bug in Percept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refused>,
    /// For a proof about goals: whether the proof is vacuous; `null` if that is not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<bool>")]
    pub vacuous: Option<Vacuity>,
    /// The reason why a proof is `vacuous`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Emptiness>,
    /// Seconds that the verdict took, checking included.
    pub seconds: f64,
    /// Seconds of these that checking took.
    pub check_seconds: f64,
    /// For `refuted`: two matches that refute the knowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Pair<P>>,
}

/// A proof that the independent checker refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// The method of the proof.
    pub method: &'static str,
    /// The checker's objection.
    pub why: String,
}

/// The verdicts about a property in every match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameAnswer {
    /// Proved for matches of any length.
    Proved,
    /// Refuted by two matches.
    Refuted,
    /// Neither proved nor refuted within the budget.
    Open,
}

impl GameAnswer {
    /// The sign of the answer.
    pub const fn sign(self) -> &'static str {
        match self {
            GameAnswer::Proved => signs::KNOWN,
            GameAnswer::Refuted => signs::UNKNOWN,
            GameAnswer::Open => signs::UNDECIDED,
        }
    }
}

/// The reasons why a proof that a role knows its goal is vacuous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Emptiness {
    /// No match ever ends.
    NoEnd,
    /// The role never has a goal.
    NoGoal,
}

impl Emptiness {
    /// The reason for a role whose matches end in the given ways; `None` if a proof is meaningful.
    pub fn of(ends: Ends) -> Option<Emptiness> {
        match ends {
            Ends::WithGoal | Ends::SomeWithoutGoal => None,
            Ends::WithoutGoal => Some(Emptiness::NoGoal),
            Ends::Never => Some(Emptiness::NoEnd),
        }
    }
}

/// Two histories that the role cannot tell apart.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Pair<P> {
    /// The first history: for each round, the move of each role.
    pub first: Vec<Vec<String>>,
    /// The second history, in the same form.
    pub second: Vec<Vec<String>>,
    /// The value of the property after `first`, in words.
    pub first_value: String,
    /// The value of the property after `second`, in words.
    pub second_value: String,
    /// For editors: the words of moves to which the rules' comments give some.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    pub says: Phrases,
    /// True if `first` is the match of the query.
    pub first_is_match: bool,
    /// The first round in which the histories differ, from 1.
    pub parting: usize,
    /// The rules that separate the histories, and those that could have shown the role a difference. Along a match,
    /// only for the first round of a property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules<P>>,
}

/// The rules behind two histories.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Rules<P> {
    /// Rules that could have shown the role a difference in the parting round, the most likely culprit first.
    pub silent: Vec<RuleStatement<P>>,
    /// Rules that make the property's values differ.
    pub deciding: Vec<RuleStatement<P>>,
}

/// A rule, and a statement about it and the two histories.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RuleStatement<P> {
    /// The place of the rule.
    #[serde(flatten)]
    pub place: P,
    /// The statement, without a full stop.
    pub says: String,
}

impl<P> MatchVerdict<P> {
    /// The verdict of a finding about a match, without the rules behind it. Without `speech`, moves are terms.
    pub fn new(game: &Game, speech: &Speech, finding: &percept_infoset::Finding) -> MatchVerdict<P> {
        use percept_infoset::Verdict;
        use percept_infoset::prove::Reading;
        let (agreed, why, witness) = match &finding.verdict {
            Verdict::Known => (None, None, None),
            Verdict::Unknown(witness) => (None, None, Some(Pair::new(game, speech, finding.role, witness))),
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
    /// The verdict of a finding about the game, without the rules behind it. Without `speech`, moves are terms.
    pub fn new(game: &Game, speech: &Speech, finding: &prove::Finding) -> GameVerdict<P> {
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
            witness: refutation(game, finding).map(|witness| Pair::new(game, speech, finding.role, &witness)),
        }
    }
}

impl<P> Pair<P> {
    /// The pair of a witness, without the rules behind it.
    pub fn new(game: &Game, speech: &Speech, role: RoleId, witness: &percept_infoset::Witness) -> Pair<P> {
        let (first, second) = (names::history(game, &witness.first), names::history(game, &witness.second));
        let mut says = Phrases::new();
        speech.say(&mut says, first.iter().chain(&second).flatten().map(String::as_str));
        Pair {
            first,
            second,
            says,
            first_value: words::value(game, speech, role, &witness.first_value),
            second_value: words::value(game, speech, role, &witness.second_value),
            first_is_match: witness.first_is_match,
            parting: witness.parting(),
            rules: None,
        }
    }

    /// Adds the rules behind the pair; `place` returns the place of a rule.
    pub fn blaming(self, blame: &Blame, place: impl Fn(&Rule) -> P) -> Pair<P> {
        let statement = |rule: &Rule| RuleStatement { place: place(rule), says: rule.says.clone() };
        let (silent, deciding) =
            (blame.silent.iter().map(statement).collect(), blame.deciding.iter().map(statement).collect());
        Pair { rules: Some(Rules { silent, deciding }), ..self }
    }
}

/// True if the finding can be vacuous: it is a proof about a goal.
pub fn asks_vacuity(finding: &prove::Finding) -> bool {
    finding.property == Property::Goal && matches!(finding.verdict, prove::Verdict::Proved { .. })
}

/// The worth of a proof that a role knows its goals; in JSON `true`, `false` or `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Option<bool>")]
pub enum Vacuity {
    /// The proof has no content.
    Vacuous,
    /// The proof is meaningful.
    Meaningful,
    /// It is not decided whether the proof is meaningful.
    Open,
}

impl Vacuity {
    /// The worth, from the ways in which matches end for the role; `None` if these are not known.
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

/// The findings that are shown with their reasons: for each role and property the first round after which the role does
/// not know it, with its index in the list.
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
