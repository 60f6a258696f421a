//! Measurements of `percept bench lsp` for visible views: the boards of a match, a role's beliefs, and repairs.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};

use super::lsp::{Session, percentile};

/// Rounds that are played.
const ROUNDS: usize = 60;
/// The number of rounds with a request for beliefs, spread over the match.
const BELIEFS: usize = 8;
/// Seconds for a repair; the server takes a third of them for the proof that one is needed.
const REPAIR: f64 = 9.0;
/// The limit for the whole measurement.
const LONGEST: Duration = Duration::from_secs(60);

/// The figures of one game. Milliseconds, from the request to the answer; percentiles by nearest rank.
#[derive(Serialize)]
pub(super) struct ViewTimes {
    /// Milliseconds until the first board, with the set-up of the game.
    first_ms: f64,
    /// Rounds that were played at random.
    rounds: usize,
    /// Boards in each state.
    boards: usize,
    /// Milliseconds for one round forward: its state with boards, moves and percepts.
    step_p50_ms: Option<f64>,
    step_worst_ms: Option<f64>,
    /// The time for the first role's beliefs, along the match.
    beliefs_p50_ms: Option<f64>,
    beliefs_worst_ms: Option<f64>,
    /// The time for repairs and their number, if a role lacks some knowledge.
    repair_ms: Option<f64>,
    repairs: Option<usize>,
}

/// Measures the views in a session in which the game is open; `None` if the file is not a game.
pub(super) fn measure(session: &mut Session, uri: &str) -> Option<ViewTimes> {
    let whole = Instant::now();
    let mut ask = |command: &str, argument: Value| -> Option<(Value, Duration)> {
        let begun = Instant::now();
        let answer =
            session.request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))?;
        Some((answer["result"].clone(), begun.elapsed()))
    };
    let (mut step, first) = ask("percept.step", json!({ "uri": uri }))?;
    let roles = step["view"]["roles"].as_array()?.clone();
    let players: Vec<&str> =
        roles.iter().filter(|it| it["chance"] != true).filter_map(|it| it["name"].as_str()).collect();
    let boards = step["view"]["state"]["boards"].as_array().map_or(0, Vec::len);
    let (mut steps, mut history) = (Vec::new(), Vec::new());
    while history.len() < ROUNDS && step["view"]["terminal"] == false && whole.elapsed() < LONGEST / 3 {
        let choose = vec![Value::Null; roles.len()];
        let argument = json!({ "uri": uri, "history": history, "at": history.len(), "choose": choose, "seed": 7 });
        let (next, time) = ask("percept.step", argument)?;
        let rounds = next["view"]["history"].as_array()?;
        if rounds.len() <= history.len() {
            break;
        }
        history = rounds.iter().map(|round| round["moves"].clone()).collect();
        steps.push(time);
        step = next;
    }
    let mut beliefs = Vec::new();
    for part in 1..=BELIEFS.min(history.len()) {
        let at = history.len() * part / BELIEFS.min(history.len());
        if whole.elapsed() > LONGEST / 3 * 2 {
            break;
        }
        let argument = json!({ "uri": uri, "history": history, "at": at, "role": players.first()? });
        let (found, time) = ask("percept.beliefs", argument)?;
        if found["beliefs"].is_array() {
            beliefs.push(time);
        }
    }
    let mut repaired = None;
    for (role, property) in players.iter().flat_map(|role| ["terminal", "goal", "legal"].map(|it| (role, it))) {
        if repaired.is_some() || whole.elapsed() > LONGEST {
            break;
        }
        let argument = json!({ "uri": uri, "role": role, "property": property, "seconds": REPAIR });
        let (found, time) = ask("percept.repair", argument)?;
        repaired = (found["known"] == false).then(|| (time, found["repairs"].as_array().map_or(0, Vec::len)));
    }
    Some(ViewTimes {
        first_ms: percentile(&mut [first], 50)?,
        rounds: history.len(),
        boards,
        step_p50_ms: percentile(&mut steps, 50),
        step_worst_ms: percentile(&mut steps, 100),
        beliefs_p50_ms: percentile(&mut beliefs, 50),
        beliefs_worst_ms: percentile(&mut beliefs, 100),
        repair_ms: repaired.and_then(|(time, _)| percentile(&mut [time], 50)),
        repairs: repaired.map(|(_, count)| count),
    })
}

/// The figures of some files as a table.
pub(super) fn table(rows: &[(&str, &ViewTimes)]) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_string(), |value| format!("{value:.1}"));
    let mut out = format!(
        "{:<28} {:>9} {:>7} {:>7} {:>9} {:>10} {:>11} {:>12} {:>9} {:>8}\n",
        "file",
        "first",
        "rounds",
        "boards",
        "step p50",
        "step worst",
        "beliefs p50",
        "beliefs wrst",
        "repair",
        "repairs"
    );
    for (file, row) in rows {
        out.push_str(&format!(
            "{file:<28} {:>9.1} {:>7} {:>7} {:>9} {:>10} {:>11} {:>12} {:>9} {:>8}\n",
            row.first_ms,
            row.rounds,
            row.boards,
            number(row.step_p50_ms),
            number(row.step_worst_ms),
            number(row.beliefs_p50_ms),
            number(row.beliefs_worst_ms),
            number(row.repair_ms),
            row.repairs.map_or_else(|| "-".to_string(), |count| count.to_string()),
        ));
    }
    out + "milliseconds; first: the game is set up; beliefs of the first role along the match; repair: of the first thing a role does not know\n"
}
