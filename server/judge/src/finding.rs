//! A judgement, whatever rule it came from.

use percept_game::JointMove;
use percept_syntax::{TextRange, words};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Information,
    /// Hardly meant.
    Warning,
    /// Certainly wrong.
    Error,
}

/// A rule about what happens in matches: one constant per rule, in the rule's own file.
#[derive(Debug)]
pub struct Rule {
    /// Stable kebab-case name: `role-without-move`.
    pub name: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// The page of the rule book, Markdown: what, why, a bad and a good example, the source.
    pub page: &'static str,
}

/// A place in one of the texts that a game came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// 0: the description, or the domain; 1: the problem.
    pub file: usize,
    /// Where in that text.
    pub range: TextRange,
}

/// What shows that a finding is true.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A match after whose last round it is so; of such matches the shortest where `is_shortest`.
    Match {
        /// Its joint moves.
        rounds: Vec<JointMove>,
        /// Whether no shorter match shows it.
        is_shortest: bool,
    },
    /// A match that goes on for ever: its last state is the one after round `back_to` again.
    Lasso {
        /// Its joint moves.
        rounds: Vec<JointMove>,
        /// The round after which everything was as it is at the end.
        back_to: usize,
    },
    /// Two matches that look the same to a role, after whose last rounds it is so.
    Alike {
        /// Whose name this is.
        role: String,
        /// The joint moves of one of them.
        rounds: Vec<JointMove>,
        /// Those of the other.
        other: Vec<JointMove>,
        /// Whether no shorter matches show it.
        is_shortest: bool,
    },
    /// It is so in every one of these reachable states.
    EveryState(usize),
    /// It follows from the rules, in a sentence.
    Proof(String),
}

/// Something found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which rule found it.
    pub rule: &'static Rule,
    /// How grave it is.
    pub severity: Severity,
    /// The rule or fact to blame.
    pub place: Place,
    /// What is wrong and what to do about it.
    pub message: String,
    /// Other places that matter, each with a short word.
    pub related: Vec<(Place, String)>,
    /// What shows it.
    pub evidence: Evidence,
    /// Rules of the text that tell the same cause where they find something inside this place.
    pub told_by: Option<(Place, &'static [&'static str])>,
}

impl Finding {
    /// At a place, with what shows it.
    pub fn new(rule: &'static Rule, place: Place, message: impl Into<String>, evidence: Evidence) -> Finding {
        Finding {
            rule,
            severity: rule.severity,
            place,
            message: message.into(),
            related: Vec::new(),
            evidence,
            told_by: None,
        }
    }

    /// With a place that belongs to it.
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Finding {
        self.related.push((place, message.into()));
        self
    }

    /// The match that shows it.
    pub fn witness(&self) -> Option<&[JointMove]> {
        match &self.evidence {
            Evidence::Match { rounds, .. } | Evidence::Lasso { rounds, .. } | Evidence::Alike { rounds, .. } => {
                Some(rounds)
            }
            Evidence::EveryState(_) | Evidence::Proof(_) => None,
        }
    }

    /// What a reader is told of the evidence, in a line.
    pub fn because(&self) -> String {
        match &self.evidence {
            Evidence::Match { rounds, .. } if rounds.is_empty() => "when the match begins".to_string(),
            Evidence::Match { rounds, is_shortest } => match (rounds.len(), is_shortest) {
                (1, _) => "after this round".to_string(),
                (count, true) => format!("after these {count} rounds; no shorter match shows it"),
                (count, false) => format!("after these {count} rounds"),
            },
            Evidence::Lasso { rounds, back_to } => {
                format!("the state after round {} is the one after round {back_to} again", rounds.len())
            }
            Evidence::Alike { role, rounds, is_shortest, .. } => {
                let shortest = if *is_shortest { "; no shorter matches show it" } else { "" };
                format!("two matches of {} look the same to `{role}`{shortest}", words::rounds(rounds.len()))
            }
            Evidence::Proof(reason) => reason.clone(),
            Evidence::EveryState(1) => "so it is in the only state that can be reached".to_string(),
            Evidence::EveryState(states) => format!("so it is in all {states} states that can be reached"),
        }
    }
}
