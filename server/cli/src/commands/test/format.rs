//! The format of `expected.toml`: an author's expectations of a game. Its page for users is `docs/testing.md`; its
//! schema, `docs/schemas/expected.schema.json`, is made from these types.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

/// The JSON schema of the format; a test holds it to the types below.
pub(super) const SCHEMA: &str = include_str!("../../../../../docs/schemas/expected.schema.json");

/// The expected results of a game.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// A description, or a POGDDL problem; like all paths here it begins at the folder of this file.
    pub game: String,
    /// The same game in another notation, or in other sizes: all expectations must hold there, too.
    #[serde(default)]
    pub also: Vec<String>,
    /// The faults that `percept play` finds, such as `termination`. Default: none.
    #[serde(default)]
    pub faults: Vec<String>,
    /// Expectations about places of a match: `percept step`.
    #[serde(default)]
    pub step: Vec<Step>,
    /// Information sets: `percept infoset`.
    #[serde(default)]
    pub infoset: Vec<Infoset>,
    /// Verdicts along a match: `percept observe`.
    #[serde(default)]
    pub observe: Vec<Observe>,
    /// Verdicts for every match: `percept prove`.
    #[serde(default)]
    pub prove: Vec<Prove>,
    /// Questions of your own: `percept prove --query`.
    #[serde(default)]
    pub query: Vec<Query>,
    /// Expected values of the game: `percept solve`.
    #[serde(default)]
    pub solve: Vec<Solve>,
}

/// Expectations about one place of a match. Omitted fields are not checked.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// A file with the match.
    pub trace: String,
    /// The number of rounds played; default: all of the trace.
    pub round: Option<usize>,
    /// Facts that hold.
    #[serde(default)]
    pub holds: BTreeSet<String>,
    /// Facts that do not hold.
    #[serde(default)]
    pub lacks: BTreeSet<String>,
    /// All legal moves of each named role.
    #[serde(default)]
    pub legal: BTreeMap<String, BTreeSet<String>>,
    /// All percepts of each named role in the round that led here.
    #[serde(default)]
    pub percepts: BTreeMap<String, BTreeSet<String>>,
    /// True if the match is over.
    pub terminal: Option<bool>,
    /// The goal of each named role.
    #[serde(default)]
    pub goals: BTreeMap<String, i64>,
}

/// An information set.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Infoset {
    /// A file with the match, or with the role's view of it.
    pub trace: String,
    /// The role of the information set.
    pub role: String,
    /// The number of rounds played; default: all of the trace.
    pub round: Option<usize>,
    /// The number of histories in the set, in quotes: it can have many digits.
    pub histories: Option<String>,
    /// The number of distinct states at their ends.
    pub states: Option<u64>,
    /// Its members, each by the moves made in it; `noop` is left out.
    pub members: Option<BTreeSet<Vec<String>>>,
}

/// Verdicts along a match.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Observe {
    /// A file with the match.
    pub trace: String,
    /// The role whose knowledge is judged.
    pub role: String,
    /// True if the end of the match is announced to players.
    #[serde(default)]
    pub announce_end: bool,
    /// The rounds after which each property is not known; after all others it must be known.
    pub unknown: Unknown,
}

/// Rounds after which a property is not known.
#[derive(Deserialize, JsonSchema, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Unknown {
    /// The role's legal moves.
    pub legal: BTreeSet<u64>,
    /// The rounds after which it knows whether the match is over.
    pub terminal: BTreeSet<u64>,
    /// The role's goal, when it is over.
    pub goal: BTreeSet<u64>,
    /// The role's own move of that round (POGDDL).
    pub own: BTreeSet<u64>,
}

/// Verdicts for every match: `proved`, `open`, `refuted 3` (by a shortest pair of matches of three rounds), or
/// `refuted` (by some pair).
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prove {
    /// The role whose knowledge is judged.
    pub role: String,
    /// The verdict about its legal moves.
    pub legal: Option<String>,
    /// The expectation about the end of the match.
    pub terminal: Option<String>,
    /// The expectation about the role's goal at the end.
    pub goal: Option<String>,
    /// The verdict about its own moves.
    pub own: Option<String>,
}

/// A question in the language of `docs/queries.md`.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    /// The question, such as `(always (implies terminal (knows white (goal white ?v))))`.
    pub ask: String,
    /// `holds`, `fails` or `open`.
    pub verdict: String,
}

/// Expected values of a game, given as (goal - zero) / unit.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solve {
    /// The goal that counts as nothing. Default: 0.
    #[serde(default)]
    pub zero: f64,
    /// The points of a unit. Default: 1.
    #[serde(default = "one")]
    pub unit: f64,
    /// For each role, a value that is a proved fraction, such as `"-1/18"`.
    #[serde(default)]
    pub exact: BTreeMap<String, String>,
    /// For each role, a lower bound of the value that it can secure.
    #[serde(default)]
    pub low: BTreeMap<String, f64>,
    /// For each role, an upper bound of the value that it can secure.
    #[serde(default)]
    pub high: BTreeMap<String, f64>,
}

fn one() -> f64 {
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_the_pages_is_that_of_the_types() {
        let schema = serde_json::to_string_pretty(&schemars::schema_for!(Expected)).expect("a schema is JSON");
        expect_test::expect_file!["../../../../../docs/schemas/expected.schema.json"].assert_eq(&(schema + "\n"));
    }
}
