//! What editors alone ask: why something holds, what can be asked so, what to tell a role, what random matches have met,
//! and a match that is played from a seat. The language server fills these in; its clients' types are made from their schema.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::askable::{self, What};
use crate::place::{InEditor, Span};
use crate::seat::Seat;

/// Why there is no game to work on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// At which place.
    pub location: Option<InEditor>,
}

/// What can be asked for its reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Askable {
    /// What holds comes first.
    pub atoms: Vec<Atom>,
}

/// Something that holds or does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Atom {
    /// For a list.
    pub says: String,
    /// Whether it holds there.
    pub holds: bool,
    /// How to ask for its reasons.
    pub question: Question,
}

/// What is asked: one of the first four, and whose, for a percept or a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
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
    /// Whose percept or move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// After how many rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

impl From<askable::Atom> for Atom {
    fn from(it: askable::Atom) -> Atom {
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

/// Why something holds at a place of a match, or does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Why {
    /// After how many rounds the state is that was asked.
    pub round: usize,
    /// Of a fluent that holds: the round from which on it has held all the time; 0: from the start.
    pub since: Option<usize>,
    /// The reasons.
    pub why: Explanation,
}

/// What an atom rests on: in GDL reasons and failures, in POGDDL parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Explanation {
    /// In KIF.
    pub atom: String,
    /// Whether it holds.
    pub holds: bool,
    /// Of POGDDL: what it rests on, down to facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<Part>>,
    /// Of GDL: rule instances that make it true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    /// Of GDL: rules that could have made it true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<Vec<Failure>>,
}

/// A condition, an effect or a fact of POGDDL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Part {
    /// In words.
    pub says: String,
    /// Whether it holds.
    pub holds: bool,
    /// Where the text says so.
    pub location: Option<InEditor>,
    /// What it rests on.
    pub parts: Vec<Part>,
}

/// A rule instance that makes an atom true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reason {
    /// The statement.
    pub rule: InEditor,
    /// Its text.
    pub text: String,
    /// Variables with their values.
    pub bindings: Vec<(String, String)>,
    /// The conditions it rests on.
    pub support: Vec<Support>,
}

/// A condition that holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Support {
    /// With its variables replaced.
    pub literal: String,
    /// Where it is written.
    pub location: InEditor,
    /// Why, where rules say so.
    pub why: Option<Explanation>,
}

/// A rule that could have made an atom true, and did not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failure {
    /// The statement.
    pub rule: InEditor,
    /// Its text.
    pub text: String,
    /// Variables with their values, where the rule got furthest.
    pub bindings: Vec<(String, String)>,
    /// Conditions that did not hold; the first is where it got stuck.
    pub failed: Vec<Failed>,
}

/// A condition that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failed {
    /// With its variables replaced.
    pub literal: String,
    /// Where it is written.
    pub location: InEditor,
}

/// Lines that make a role know what it does not know now.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Repairs {
    /// Whose knowledge.
    pub role: String,
    /// Of what.
    pub property: String,
    /// Whether the role knows it anyhow; `null` where that was not found out.
    pub known: Option<bool>,
    /// What tells least comes first.
    pub repairs: Vec<Repair>,
}

/// One way to tell the role.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Repair {
    /// What is told, in words.
    pub says: String,
    /// All lines that are inserted.
    pub text: String,
    /// By how much the role's information set shrinks; `null` where that was not found out.
    pub bits: Option<f64>,
    /// By how much the game is worth more to the role then; `null` where that was not found out.
    pub worth: Option<f64>,
    /// By what it was proved.
    pub method: &'static str,
    /// How to insert them.
    pub edits: Vec<Edit>,
}

/// A text that takes the place of a range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// The document.
    pub uri: String,
    /// What is replaced.
    pub range: Span,
    /// By what.
    pub new_text: String,
}

/// What random matches have met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Coverage {
    /// How many were played.
    pub matches: u64,
    /// The rounds of all of them.
    pub rounds: u64,
    /// Why rules could not be counted.
    pub lacking: Option<&'static str>,
    /// Rules, in POGDDL actions.
    pub rules: Vec<CoveredRule>,
    /// Percepts of all roles.
    pub percepts: Vec<CoveredPercept>,
}

/// A rule or an action, and how often it was met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CoveredRule {
    /// All of it.
    pub location: InEditor,
    /// The part to mark.
    pub head: Span,
    /// In how many rounds it fired.
    pub fired: u64,
    /// Where it never did: the condition that never held where those before it did.
    pub stuck: Option<Span>,
}

/// A percept, and how often it was met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CoveredPercept {
    /// Whose.
    pub role: String,
    /// As the rules write it.
    pub name: String,
    /// In how many rounds.
    pub count: u64,
}

/// A match against other players, seen from one seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sitting {
    /// What it is called.
    pub r#match: String,
    /// Whose seat.
    pub role: String,
    /// By role: the strategy of its player.
    pub players: IndexMap<String, String>,
    /// Who is to move.
    pub turn: Turn,
    /// The legal moves, where it is the person's turn.
    pub moves: Vec<String>,
    /// What the role knows.
    pub seat: Option<Seat>,
    /// No rule says `sees`, so everybody sees every move.
    pub all_seen: bool,
    /// The game's texts have changed since it began.
    pub changed: bool,
    /// Of a match that has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<SittingRecord>,
}

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
    /// The person.
    You,
    /// Somebody else.
    Others,
    /// The match has ended.
    Nobody,
}

/// How a match went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SittingRecord {
    /// `over`, `stuck`, `too-long` or `given-up`.
    pub ended: &'static str,
    /// The same in words.
    pub why: &'static str,
    /// Per round, a move of each role.
    pub history: Vec<Vec<String>>,
    /// By role: the goal; `null` where the rules give none, or several.
    pub goals: IndexMap<String, Option<i64>>,
    /// What players did wrong.
    pub errors: Vec<Fault>,
    /// By role: what its player says of how it played.
    pub remarks: IndexMap<String, Option<String>>,
}

/// Something that a player did wrong; it cost a random move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fault {
    /// From 1.
    pub round: usize,
    /// Whose player.
    pub role: String,
    /// `timeout`, ...
    pub kind: &'static str,
    /// In words.
    pub detail: String,
    /// What was played instead.
    pub played: Option<String>,
}
