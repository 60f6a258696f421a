//! `percept solve --evaluate`: the values of given strategies, and the gain of each role that leaves them.

use std::path::Path;

use percept_game::Game;
use percept_report::words::{counted, rounds};
use percept_solve::evaluate;
use percept_solve::respond::{Profile, RespondError, Response, Responses};
use serde::Serialize;

use super::report::{Units, number};
use super::space;
use crate::args::Format;
use crate::failure::{Failure, OK, Outcome};
use crate::followed::Followed;
use crate::load::Loaded;
use crate::output;
use crate::work::Work;

/// The name of the strategies that need no file.
const UNIFORM: &str = "uniform";

pub(super) fn run(loaded: &Loaded, strategies: &Path, units: &Units, format: Format, work: Work) -> Outcome {
    let game = &loaded.game;
    let table = match strategies.to_str() {
        Some(UNIFORM) => None,
        _ => Some(Followed::read(game, strategies)?),
    };
    work.say("collecting the states");
    let profile = table.as_ref().map_or(Profile::Uniform, |table| Profile::Table(table.strategy()));
    let found = evaluate(game, profile, &space(), &work.budget()).map_err(failure)?;
    drop(work);
    loaded.sound()?;
    match format {
        Format::Json => output::json("evaluate", &answer(game, &found, units)),
        Format::Human => output::print(&human(game, &found, units)),
    }
    Ok(OK)
}

fn failure(error: RespondError) -> Failure {
    let message = error.to_string();
    match error {
        RespondError::TooLarge { .. } => Failure::open(message).note(super::MORE_MEMORY),
        RespondError::Stopped(_) => Failure::open(message).note(super::more()),
        RespondError::Endless(_) => {
            Failure::new(message).note("`percept prove --property termination` shows such a match")
        }
        _ => Failure::new(message),
    }
}

#[derive(Serialize)]
struct Answer {
    roles: Vec<Evaluated>,
    states: usize,
    steps: usize,
    rounds: usize,
    /// True if information sets that the strategies do not reach are counted, too.
    without_positions: bool,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

#[derive(Serialize)]
struct Evaluated {
    role: String,
    #[serde(flatten)]
    numbers: Numbers,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_units: Option<Numbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secures: Option<Secured>,
    infosets: u64,
    forced: u64,
    positions: usize,
    seconds: f64,
}

/// The bounds of what a role can secure.
#[derive(Serialize)]
struct Secured {
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct Numbers {
    value: f64,
    best: f64,
    gain: f64,
}

fn numbers(it: &Response, units: &Units) -> Numbers {
    Numbers { value: units.of(it.value), best: units.of(it.best), gain: units.apart(it.gain()) }
}

fn answer(game: &Game, found: &Responses, units: &Units) -> Answer {
    let bounds = found.bounds();
    let evaluated = |(at, it): (usize, &Response)| Evaluated {
        role: game.roles[it.role.0 as usize].name.clone(),
        numbers: numbers(it, &Units { zero: 0.0, unit: 1.0 }),
        in_units: (!units.plain()).then(|| numbers(it, units)),
        secures: bounds.map(|bounds| Secured { low: bounds[at].0, high: bounds[at].1 }),
        infosets: it.infosets,
        forced: it.forced,
        positions: it.positions,
        seconds: it.seconds,
    };
    Answer {
        roles: found.roles.iter().enumerate().map(evaluated).collect(),
        states: found.states,
        steps: found.steps,
        rounds: found.rounds,
        without_positions: found.distinct.is_some(),
        seconds: found.seconds,
        stopped: found.stopped.map(|stop| stop.to_string()),
    }
}

fn human(game: &Game, found: &Responses, units: &Units) -> String {
    let name = |it: &Response| game.roles[it.role.0 as usize].name.clone();
    let mut rows = vec![["role", "value", "best response", "gain", "information sets"].map(String::from)];
    for it in &found.roles {
        let Numbers { value, best, gain } = numbers(it, units);
        let forced = if it.forced == 0 { String::new() } else { format!(", and {} with one move", it.forced) };
        let infosets = format!("{}{forced}", it.infosets);
        rows.push([name(it), number(value), number(best), number(gain), infosets]);
    }
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; 4] = std::array::from_fn(width);
    let [role, value, best, gain] = widths;
    let mut lines = vec!["the value of the given strategies to each role, and that of a best response".to_string()];
    lines.extend(rows.iter().map(|row| {
        format!("  {:role$}  {:>value$}  {:>best$}  {:>gain$}  {}", row[0], row[1], row[2], row[3], row[4])
    }));
    if let Some(bounds) = found.bounds() {
        let (low, high) = bounds[0];
        lines.push(format!(
            "so {} can secure between {} and {}; exploitability {:.2e}",
            name(&found.roles[0]),
            number(units.of(low)),
            number(units.of(high)),
            units.apart(high - low) / 2.0
        ));
    }
    lines.push(format!(
        "{}, {}, at most {}, {:.2} s",
        counted(found.states, "state", "states"),
        counted(found.steps, "joint move", "joint moves"),
        rounds(found.rounds),
        found.seconds
    ));
    if let Some(distinct) = found.distinct {
        lines.push(format!(
            "no positions: all information sets are counted, reached or not; {distinct} after views with the same future are one"
        ));
    }
    if let Some(stop) = found.stopped {
        lines.push(format!("stopped early: {stop}; the other roles were not evaluated"));
    }
    lines.join("\n") + "\n"
}
