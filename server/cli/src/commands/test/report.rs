//! The results of expectations, as JSON.

use percept_report::place::Position;
use percept_syntax::lines::LineIndex;
use schemars::JsonSchema;
use serde::Serialize;

use super::Tested;
use super::place::Places;
use super::run::Ran;
use crate::commands::test::human::command;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    passed: usize,
    failed: usize,
    tests: Vec<Test>,
}

#[derive(Serialize, JsonSchema)]
struct Test {
    file: String,
    /// Lines and columns from 1, columns in characters.
    line: usize,
    column: usize,
    game: String,
    name: String,
    /// `passed` or `failed`.
    outcome: &'static str,
    seconds: f64,
    /// The command that shows the answer.
    command: String,
    differences: Vec<Differing>,
    /// The reason why nothing could be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Differing {
    key: String,
    line: usize,
    column: usize,
    expected: String,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

pub(super) fn report(tested: &[Tested]) -> Report {
    let tests: Vec<Test> = tested.iter().flat_map(of).collect();
    let passed = tests.iter().filter(|test| test.outcome == "passed").count();
    Report { passed, failed: tests.len() - passed, tests }
}

fn of(tested: &Tested) -> Vec<Test> {
    let lines = LineIndex::new(&tested.suite.text);
    let places = Places::new(&tested.suite.text);
    let at = |ran: &Ran, keys: &[String]| Position::new(&lines, places.of(&ran.case, keys).start as u32);
    let test = |ran: &Ran| {
        let Position { line, column } = at(ran, &[]);
        let differences = ran.outcome.as_ref().map_or(&[][..], Vec::as_slice).iter().map(|it| {
            let Position { line, column } = at(ran, &it.keys);
            let (expected, found) = (it.expected.to_string(), it.found.to_string());
            Differing { key: it.keys.join("."), line, column, expected, found, note: it.note.clone() }
        });
        Test {
            file: tested.suite.path.display().to_string(),
            line,
            column,
            game: ran.case.game.clone(),
            name: ran.case.name.clone(),
            outcome: if ran.passed() { "passed" } else { "failed" },
            seconds: ran.seconds,
            command: command(ran),
            differences: differences.collect(),
            error: ran.outcome.as_ref().err().cloned(),
        }
    };
    tested.ran.iter().map(test).collect()
}
