//! A finding of the judge, independent of its rule.

use std::ops::{Deref, DerefMut};

use percept_game::JointMove;
use percept_syntax::finding::{Diagnostic, Place, Rule};
use percept_syntax::words;

/// The evidence that a finding is true.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// A match after whose last round the finding is true.
    Match {
        /// The joint moves of the match.
        rounds: Vec<JointMove>,
        /// True if no shorter match shows it.
        is_shortest: bool,
    },
    /// A match that goes on for ever: its last state equals the one after round `back_to`.
    Lasso {
        /// The joint moves of the first match.
        rounds: Vec<JointMove>,
        /// The round after which the state is the same as at the end.
        back_to: usize,
    },
    /// Two matches that look the same to a role; after their last rounds the finding is true.
    Alike {
        /// The name of the role.
        role: String,
        /// The joint moves of the first match.
        rounds: Vec<JointMove>,
        /// The joint moves of the other match.
        other: Vec<JointMove>,
        /// True if no shorter matches show it.
        is_shortest: bool,
    },
    /// The finding is true in all of these reachable states.
    EveryState(usize),
    /// The finding follows from the rules, for the reason in this sentence.
    Proof(String),
}

/// A finding about the game, with its evidence.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule or fact to blame, with the message.
    pub diagnostic: Diagnostic,
    /// The evidence.
    pub evidence: Evidence,
    /// A place, and the rules of the text that report the same cause if they have a finding inside it.
    pub told_by: Option<(Place, &'static [&'static str])>,
}

impl Deref for Finding {
    type Target = Diagnostic;

    fn deref(&self) -> &Diagnostic {
        &self.diagnostic
    }
}

impl DerefMut for Finding {
    fn deref_mut(&mut self) -> &mut Diagnostic {
        &mut self.diagnostic
    }
}

impl Finding {
    /// A finding at a place, with its evidence.
    pub fn new(rule: &'static Rule, place: Place, message: impl Into<String>, evidence: Evidence) -> Finding {
        let diagnostic = Diagnostic::new(rule, place.file, place.range, message);
        Finding { diagnostic, evidence, told_by: None }
    }

    /// The same finding with a related place.
    pub fn related(self, place: Place, message: impl Into<String>) -> Finding {
        Finding { diagnostic: self.diagnostic.related(place.file, place.range, message), ..self }
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

    /// The evidence as a line for the reader.
    pub fn because(&self) -> String {
        match &self.evidence {
            Evidence::Match { rounds, .. } if rounds.is_empty() => "when the match begins".to_string(),
            Evidence::Match { rounds, is_shortest } => match (rounds.len(), is_shortest) {
                (1, _) => "after this round".to_string(),
                (count, true) => format!("after these {count} rounds; no shorter match shows it"),
                (count, false) => format!("after these {count} rounds"),
            },
            Evidence::Lasso { rounds, back_to } => {
                format!("the state after round {} is the same as after round {back_to}", rounds.len())
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
