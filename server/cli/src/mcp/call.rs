//! One call of a tool: from its arguments to its answer.

use std::path::PathBuf;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::child::{self, Ended, Task};
use super::desk::{Desk, Refusal};
use super::tools::{self, Call};
use super::{House, short};
use crate::failure::OPEN;

/// The longest error message, in characters.
const MESSAGE: usize = 4_000;
/// The message of a call that was cancelled; no client waits for it.
pub(super) const CANCELLED: &str = "cancelled";

/// An answer.
#[derive(Debug)]
pub(super) struct Answered {
    pub data: Value,
    pub text: String,
}

/// Runs the command of a call. `progress` receives its messages.
///
/// # Errors
/// What is wrong with the arguments, or why the command failed.
pub(super) async fn answered(
    call: &dyn Call,
    roots: Vec<PathBuf>,
    house: &House,
    cancelled: &CancellationToken,
    progress: &mut (dyn FnMut(String) + Send),
) -> Result<Answered, Refusal> {
    let time = call.effort().time(house.time)?;
    let mut desk = Desk::new(roots);
    let words = call.words(&mut desk, time)?;
    let task = Task { words: words.0, place: desk.place(), within: desk.within(), time, memory: house.memory };
    let mut tell = |message: String| progress(desk.without_place(&message));
    let ended = child::run(&task, cancelled, &mut tell).await;
    match ended.map_err(|error| format!("the command could not be run: {error}"))? {
        Some(ended) => answer(call, &mut desk, &ended),
        None => Err(CANCELLED.to_string()),
    }
}

/// The answer of a command that ended.
///
/// # Errors
/// Why there is none.
fn answer(call: &dyn Call, desk: &mut Desk, ended: &Ended) -> Result<Answered, Refusal> {
    let notes: Vec<String> = ended.notes.iter().map(|line| desk.without_place(line)).collect();
    let has_answer = !ended.output.trim().is_empty();
    let Some(outcome) = tools::outcome(ended.code, has_answer) else { return Err(failed(ended, notes)) };
    let output = desk.without_place(&ended.output);
    let mut answer = match call.answer(desk, &Ended { output, notes: notes.clone(), ..*ended }) {
        Ok(answer) => answer,
        Err(_) => return Err(failed(ended, notes)),
    };
    if let Value::Object(map) = &mut answer {
        if !call.effort().is_full() {
            call.shorten(map);
        }
        map.insert("outcome".to_string(), json!(outcome));
        let notes: Vec<&String> = notes.iter().filter(|line| !line.trim().is_empty()).collect();
        if !notes.is_empty() {
            map.insert("notes".to_string(), json!(notes));
        }
    }
    if !call.effort().is_full() {
        short::cut(&mut answer);
    }
    let text = call.text(&answer).unwrap_or_else(|| answer.to_string());
    Ok(Answered { data: answer, text })
}

/// The message of a command without an answer, and what to send instead.
fn failed(ended: &Ended, mut notes: Vec<String>) -> Refusal {
    // Advice about options of the command line.
    notes.retain(|line| !(line.starts_with("  = ") && line.contains("--")));
    let mut message: String = notes.join("\n").chars().take(MESSAGE).collect();
    if message.trim().is_empty() {
        message = match ended.was_late {
            true => "the time was up before there was an answer".to_string(),
            false => format!("the command ended without an answer (exit code {})", ended.code),
        };
    }
    if ended.was_late || ended.code == OPEN {
        message += "\n  = send a longer `time` (seconds, at most 600), or a smaller game";
    }
    message
}
