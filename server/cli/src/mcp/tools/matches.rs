//! Tools that play matches.

use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Ask, Effort, Words};
use crate::commands::{play, step, test};
use crate::mcp::desk::{Desk, Game, Refusal};
use crate::mcp::short;

/// A match in the arguments of a tool.
#[derive(Deserialize, JsonSchema, Clone, Debug, Default)]
pub(super) struct History {
    /// The rounds of the match: for each, the moves of all roles in their order, such as
    /// `[["noop", "noop", "(deal 1 2)"]]`, or a line as in the `match` of a finding, such as
    /// `["(noop noop (deal 1 2))"]`. POGDDL: an action each, such as `["(shoot p1 c02r05)"]`.
    history: Option<Vec<Round>>,
    /// The path of a trace with the match, instead of `history`.
    trace: Option<String>,
}

/// A round.
#[derive(Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
enum Round {
    Moves(Vec<String>),
    Line(String),
}

impl History {
    /// The match as a file; `None` if there is none.
    ///
    /// # Errors
    /// If both are given, or a path is not allowed.
    pub(super) fn place(&self, desk: &mut Desk) -> Result<Option<PathBuf>, Refusal> {
        match (&self.history, &self.trace) {
            (Some(_), Some(_)) => Err("send `history` or `trace`, not both".to_string()),
            (None, Some(trace)) => desk.existing(trace).map(Some),
            (Some(rounds), None) => desk.file("history.trace", &lines(rounds)?).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// The lines of a trace.
fn lines(rounds: &[Round]) -> Result<String, Refusal> {
    let line = |(at, round): (usize, &Round)| match round {
        Round::Line(line) => Ok(format!("{}\n", line.replace(['\n', '\r'], " "))),
        Round::Moves(moves) => match &moves[..] {
            [] => Err(format!("round {} of `history` has no move: send one for each role", at + 1)),
            // An action of POGDDL stands alone.
            [action] if action.trim_start().starts_with('(') => Ok(format!("{action}\n")),
            moves => Ok(format!("({})\n", moves.join(" "))),
        },
    };
    rounds.iter().enumerate().map(line).collect()
}

/// The arguments of `step`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Step {
    #[serde(flatten)]
    game: Game,
    #[serde(flatten)]
    history: History,
    /// Only what this role knows. Without it: the state, and every role's moves and percepts.
    role: Option<String>,
    #[serde(flatten)]
    effort: Effort,
}

/// The answer of `step`: places of the match, or those of one role.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "for the schema")]
pub(super) enum Stepped {
    Match(step::print::Report),
    Seat(step::print::Seats),
}

impl Ask for Step {
    type Answer = Stepped;
    const NAME: &'static str = "step";
    const TITLE: &'static str = "Step through a match";
    const ABOUT: &'static str = "Plays the moves of `history` and answers with the place after them: the state, the legal \
        moves of every role, what each perceived in the last round, and the goals. With `role`, only what that role \
        knows. Without `history`: the start. `detail: \"full\"` has every round, and boards.";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, _: Duration) -> Result<Words, Refusal> {
        let game = desk.game(&self.game)?;
        let trace = self.history.place(desk)?;
        Ok(Words::json("step").maybe("--role", self.role.as_ref()).game(&game, trace.as_deref()))
    }

    fn shorten(&self, answer: &mut Map<String, Value>) {
        for key in ["places", "seats"] {
            if let Some(places) = short::list(answer, key) {
                // The last place is the answer; the way there is known.
                places.drain(..places.len().saturating_sub(1));
                places.iter_mut().for_each(without_boards);
            }
        }
    }
}

/// Leaves out the boards of a place: a state has the same facts as words. A seat gets them as words instead.
fn without_boards(place: &mut Value) {
    if let Some(state) = place["state"].as_object_mut() {
        state.insert("boards".to_string(), json!([]));
        return;
    }
    let Some(Value::Array(boards)) = place.as_object_mut().and_then(|it| it.insert("boards".to_string(), json!([])))
    else {
        return;
    };
    let cells = |board: &Value| {
        board["cells"].as_array().into_iter().flatten().filter_map(Value::as_array).flatten().cloned().collect()
    };
    for cell in boards.iter().flat_map::<Vec<Value>, _>(cells) {
        let odds = cell["odds"].as_array().cloned().unwrap_or_default();
        for (at, fluent) in cell["fluents"].as_array().into_iter().flatten().enumerate() {
            let (key, fact) = match odds.get(at).filter(|_| cell["share"].is_number()) {
                None => ("certain", fluent.clone()),
                Some(odds) => {
                    ("possible", json!({ "fluent": fluent, "probability": odds["probability"], "error": 0.0 }))
                }
            };
            place[key].as_array_mut().into_iter().for_each(|it| it.push(fact.clone()));
        }
    }
}

/// The arguments of `play`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Play {
    #[serde(flatten)]
    game: Game,
    /// The number of random matches, at most 1,000,000; 100 if it is left out.
    matches: Option<u32>,
    /// True: also the rules and percepts that no match met.
    coverage: Option<bool>,
    /// The seed of the random numbers, to repeat a run.
    seed: Option<u64>,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Play {
    type Answer = play::report::Report;
    const NAME: &'static str = "play";
    const TITLE: &'static str = "Play random matches";
    const ABOUT: &'static str = "Plays random matches: their length, the moves and results of every role, and the faults \
        of a game that is not well-formed, each with a match that shows it: no legal move, no end, no goal, or a role \
        that can never get 100 (`winnability`, which some rules mean to be so).";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        if self.matches.is_some_and(|matches| matches > 1_000_000) {
            return Err("`matches` is too large: send at most 1000000".to_string());
        }
        let words = Words::json("play")
            .maybe("--matches", self.matches.map(|it| it.to_string()))
            .maybe("--seed", self.seed.map(|it| it.to_string()))
            .flag("--coverage", self.coverage == Some(true));
        Ok(words.time(time).game(&desk.game(&self.game)?, None))
    }

    fn shorten(&self, answer: &mut Map<String, Value>) {
        // Only the others are the question.
        let Some(coverage) = answer.get_mut("coverage").and_then(Value::as_object_mut) else { return };
        for (list, count) in [("rules", "fired"), ("percepts", "count")] {
            short::list(coverage, list).into_iter().for_each(|it| it.retain(|one| one[count] == 0));
        }
    }
}

/// The arguments of `test`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Test {
    /// A folder with games and their `expected.toml`, or such a file.
    path: Option<String>,
    /// The text of an `expected.toml`, for the game in `text` or at `game`.
    expected: Option<String>,
    /// The text of the game, if `expected` is given.
    text: Option<String>,
    /// Only expectations whose name contains this.
    only: Option<String>,
    #[serde(flatten)]
    effort: Effort,
}

impl Ask for Test {
    type Answer = test::report::Report;
    const NAME: &'static str = "test";
    const TITLE: &'static str = "Test a game's expectations";
    const ABOUT: &'static str = "Compares games with what their authors expect of them, in `expected.toml` (see the \
        resource percept://docs/testing). Send the `path` of a folder, or `expected` and the game's `text`: then its \
        line `game` is of no account.";

    fn effort(&self) -> Effort {
        self.effort
    }

    fn words(&self, desk: &mut Desk, time: Duration) -> Result<Words, Refusal> {
        let path = match (&self.path, &self.expected, &self.text) {
            (Some(path), None, None) => desk.existing(path)?,
            (None, Some(expected), Some(text)) => {
                let game = Game { text: Some(text.clone()), ..Game::default() };
                let file = desk.game(&game)?.file;
                let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                desk.file("expected.toml", &about(expected, &name))?
            }
            _ => return Err("send `path`, or `expected` with the `text` of its game".to_string()),
        };
        Ok(Words::json("test").maybe("--only", self.only.as_ref()).time(time).paths([path.as_path()]))
    }

    fn shorten(&self, answer: &mut Map<String, Value>) {
        let Some(tests) = short::list(answer, "tests") else { return };
        if tests.iter().any(|it| it["outcome"] == "failed") {
            tests.retain(|it| it["outcome"] == "failed");
        }
    }
}

/// Expectations about a game of this name.
fn about(expected: &str, name: &str) -> String {
    let is_game =
        |line: &&str| line.trim_start().strip_prefix("game").is_some_and(|it| it.trim_start().starts_with('='));
    let rest: Vec<&str> = expected.lines().filter(|line| !is_game(line)).collect();
    format!("game = \"{name}\"\n{}\n", rest.join("\n"))
}
