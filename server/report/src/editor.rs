//! Answers for editors only: explanations, the atoms that can be explained, repairs, the coverage of random matches,
//! and matches played from a seat. The language server fills these in; the types of its clients are generated from
//! their schema.

use crate::{signs, words};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::atoms::{self, What};
use crate::place::{InEditor, Span};
use crate::repair::Given;
use crate::seat::Seat;
use crate::speech::Phrases;

/// The reason that no game could be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The error message.
    pub message: String,
    /// The place of the error.
    pub location: Option<InEditor>,
}

/// The atoms that can be explained at one point of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Askable {
    /// The atoms; those that hold come first.
    pub atoms: Vec<Atom>,
}

/// Something that holds or does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Atom {
    /// The atom as it appears in a list.
    pub says: String,
    /// True if the atom holds at that point.
    pub holds: bool,
    /// The question that returns its explanation.
    pub question: Question,
}

/// The atom to explain: one of the first four fields, with the role of a percept or a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// A fluent of the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fluent: Option<String>,
    /// A percept of the last round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percept: Option<String>,
    /// A move that is legal or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#move: Option<String>,
    /// Anything else, in KIF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atom: Option<String>,
    /// The role of the percept or the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The number of rounds before that point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

impl Question {
    /// The question about an atom as it was typed: in the words of the list, or as the rules write it.
    pub fn typed(atoms: &[atoms::Atom], typed: &str) -> Question {
        let is_meant =
            |it: &&atoms::Atom| it.says == typed || it.says.ends_with(&format!(": {typed}")) || it.name == typed;
        match atoms.iter().find(is_meant) {
            Some(atom) => Atom::from(atom.clone()).question,
            None => Question { atom: Some(typed.to_owned()), ..Question::default() },
        }
    }
}

impl From<atoms::Atom> for Atom {
    fn from(it: atoms::Atom) -> Atom {
        let none = Question::default();
        let question = match it.what {
            What::Fluent => Question { fluent: Some(it.name), ..none },
            What::Percept(role) => Question { percept: Some(it.name), role: Some(role), ..none },
            What::Move(role) => Question { r#move: Some(it.name), role: Some(role), ..none },
            What::Other => Question { atom: Some(it.name), ..none },
        };
        Atom { says: it.says, holds: it.holds, question }
    }
}

/// The explanation why an atom holds at one point of a match, or why it does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WhyAnswer {
    /// The number of rounds before that point.
    pub round: usize,
    /// For a fluent that holds: the round since which it has held; 0 means the initial state.
    pub since: Option<usize>,
    /// The explanation.
    pub why: Explanation,
}

/// The support of an atom: in GDL reasons and failures, in POGDDL parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Explanation {
    /// The atom in KIF.
    pub atom: String,
    /// True if the atom holds.
    pub holds: bool,
    /// For POGDDL: the support, down to facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<Part>>,
    /// For GDL: the rule instances that make the atom true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    /// For GDL: the rules that could have made the atom true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<Vec<Failure>>,
}

/// A condition, an effect or a fact of POGDDL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Part {
    /// The statement in words.
    pub says: String,
    /// True if the part holds.
    pub holds: bool,
    /// The place in the text.
    pub location: Option<InEditor>,
    /// The parts that this part depends on.
    pub parts: Vec<Part>,
}

/// A rule instance that makes an atom true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reason {
    /// The place of the statement.
    pub rule: InEditor,
    /// The text of the statement.
    pub text: String,
    /// The variables with their values.
    pub bindings: Vec<(String, String)>,
    /// The conditions that hold in this instance.
    pub support: Vec<Support>,
}

/// A condition that holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Support {
    /// With its variables replaced.
    pub literal: String,
    /// The place in the text.
    pub location: InEditor,
    /// The explanation, if rules define the atom.
    pub why: Option<Explanation>,
}

/// A rule that could have made an atom true, and did not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failure {
    /// The place of the statement.
    pub rule: InEditor,
    /// The text of the statement.
    pub text: String,
    /// The variables and their values in the attempt that got furthest.
    pub bindings: Vec<(String, String)>,
    /// Conditions that did not hold; the first one stopped the attempt.
    pub failed: Vec<Failed>,
}

/// A condition that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failed {
    /// With its variables replaced.
    pub literal: String,
    /// The place in the text.
    pub location: InEditor,
}

/// Lines that give a role the knowledge that it lacks.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Repairs {
    /// The role that lacks the knowledge.
    pub role: String,
    /// The property that the role does not know.
    pub property: String,
    /// True if the role already knows the property; `null` if that is not decided.
    pub known: Option<bool>,
    /// The repairs; the one that reveals least comes first.
    pub repairs: Vec<Repair>,
}

/// Lines that let one or more roles perceive what they lack.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Repair {
    /// The information that the roles receive, in words.
    pub says: String,
    /// The information that the repair reveals, measured, in words.
    pub measures: String,
    /// All lines that are inserted.
    pub text: String,
    /// The most that the repair reveals to one of the roles: the reduction of its information set, in bits; `null` if
    /// it was not computed.
    pub bits: Option<f64>,
    /// The increase in the role's value of the game, if the repair is for one role; `null` if it was not computed.
    pub worth: Option<f64>,
    /// The measures for each role.
    pub gives: Vec<Given>,
    /// The method of the proof.
    pub method: &'static str,
    /// The edits that insert the lines.
    pub edits: Vec<Edit>,
}

/// A text that replaces a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// The URI of the document.
    pub uri: String,
    /// The range to replace.
    pub range: Span,
    /// The new text.
    pub new_text: String,
}

/// The coverage of random matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Coverage {
    /// The number of matches played.
    pub matches: u64,
    /// The number of rounds in all matches together.
    pub rounds: u64,
    /// The reason why rules could not be counted.
    pub lacking: Option<&'static str>,
    /// The result in a sentence: `200 random matches: all 28 rules fired, all 6 percepts came`.
    pub says: String,
    /// The rules; in POGDDL the actions.
    pub rules: Vec<CoveredRule>,
    /// The percepts of all roles.
    pub percepts: Vec<CoveredPercept>,
}

impl Coverage {
    /// Coverage with its sentence.
    pub fn new(
        matches: u64,
        rounds: u64,
        lacking: Option<&'static str>,
        rules: Vec<CoveredRule>,
        percepts: Vec<CoveredPercept>,
    ) -> Coverage {
        /// The number of percepts that are named.
        const NAMED: usize = 5;
        let dead = rules.iter().filter(|it| it.fired == 0).count();
        let silent: Vec<&CoveredPercept> = percepts.iter().filter(|it| it.count == 0).collect();
        let mut says = format!(
            "{}: {}, {}",
            words::counted(usize::try_from(matches).unwrap_or(usize::MAX), "random match", "random matches"),
            signs::share(dead, rules.len(), ["rule", "rules"], "fired"),
            signs::share(silent.len(), percepts.len(), ["percept", "percepts"], "came"),
        );
        if !silent.is_empty() {
            let names: Vec<String> = silent.iter().take(NAMED).map(|it| format!("{} {}", it.role, it.name)).collect();
            let more = if silent.len() > NAMED { ", ..." } else { "" };
            says += &format!(" ({}{more})", names.join(", "));
        }
        Coverage { matches, rounds, lacking, says, rules, percepts }
    }
}

/// A rule or an action, with the number of rounds in which it fired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CoveredRule {
    /// The whole rule or action.
    pub location: InEditor,
    /// The part to mark.
    pub head: Span,
    /// The number of rounds in which the rule fired.
    pub fired: u64,
    /// For a rule that never held: the condition that never held when the conditions before it did.
    pub stuck: Option<Span>,
}

/// A percept, with the number of rounds in which it occurred.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CoveredPercept {
    /// The role of the atom.
    pub role: String,
    /// The atom as the rules write it.
    pub name: String,
    /// The number of rounds in which it occurred.
    pub count: u64,
}

/// A match against other players, seen from one seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sitting {
    /// The identifier of the match.
    pub r#match: String,
    /// The role of the seat.
    pub role: String,
    /// For each role, the strategy of its player.
    pub players: IndexMap<String, String>,
    /// The player to move.
    pub turn: Turn,
    /// The legal moves, if it is the person's turn.
    pub moves: Vec<String>,
    /// The role's knowledge.
    pub seat: Option<Seat>,
    /// True if no rule has `sees`, so that every role sees every move.
    pub all_seen: bool,
    /// True if the game's texts have changed since the match began.
    pub changed: bool,
    /// The record of a match that has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<SittingRecord>,
}

/// The player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
    /// The person's turn.
    You,
    /// Another player's turn.
    Others,
    /// The match has ended.
    Nobody,
}

/// The record of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SittingRecord {
    /// `over`, `stuck`, `too-long` or `given-up`.
    pub ended: &'static str,
    /// The end of the match in words.
    pub why: &'static str,
    /// For each round, a move of each role.
    pub history: Vec<Vec<String>>,
    /// The goal of each role; `null` if the rules give none or several.
    pub goals: IndexMap<String, Option<i64>>,
    /// The faults of players.
    pub errors: Vec<Fault>,
    /// For each role, the remark of its player on the match.
    pub remarks: IndexMap<String, Option<String>>,
    /// The words of moves to which the rules' comments give some.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    pub says: Phrases,
}

/// A fault of a player: a random move was made instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fault {
    /// The round, from 1.
    pub round: usize,
    /// The role of the player.
    pub role: String,
    /// The kind of fault, such as `timeout`.
    pub kind: &'static str,
    /// The fault in words.
    pub detail: String,
    /// The move played instead.
    pub played: Option<String>,
}
