//! The results of matches, as JSON and as text.

use std::collections::BTreeMap;

use percept_game::Game;
use percept_players::{Ended, Fault, Outcome, Strategy};
use percept_report::speech::Speech;
use percept_report::{names, words};
use serde::Serialize;

use super::guess::Guesses;

/// The most faults that are listed one by one.
const LISTED: usize = 20;

#[derive(Serialize)]
pub(super) struct Answer {
    /// The player of each role, without chance.
    players: BTreeMap<String, String>,
    results: Vec<MatchResult>,
    /// The mean goal of each role, with half the width of its 95 % interval.
    means: BTreeMap<String, Mean>,
    /// The usefulness of the network, with `--beliefs nisg`.
    #[serde(skip_serializing_if = "Option::is_none")]
    guesses: Option<Guesses>,
}

#[derive(Serialize)]
struct MatchResult {
    goals: BTreeMap<String, Option<i64>>,
    rounds: usize,
    ended: &'static str,
    errors: Vec<Error>,
    /// The remarks of players about their play.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    remarks: BTreeMap<String, String>,
    /// The longest time that each role took for an answer, in seconds.
    slowest: BTreeMap<String, f64>,
    moves: Vec<Vec<String>>,
    seconds: f64,
}

#[derive(Serialize)]
struct Error {
    round: usize,
    role: String,
    kind: &'static str,
    detail: String,
    /// The move that was made instead.
    played: Option<String>,
}

#[derive(Serialize, Clone, Copy)]
struct Mean {
    mean: f64,
    interval: f64,
}

pub(super) fn answer(game: &Game, seats: &[Strategy], played: &[Outcome], guesses: Option<Guesses>) -> Answer {
    Answer {
        guesses,
        players: by_role(game, |role| Some(seats[role].name())),
        results: played.iter().map(|outcome| result(game, outcome)).collect(),
        means: by_role(game, |role| mean(played, role)),
    }
}

/// A value for each role except chance.
fn by_role<T>(game: &Game, of: impl Fn(usize) -> Option<T>) -> BTreeMap<String, T> {
    let players = game.roles.iter().enumerate().filter(|(_, role)| !role.is_chance);
    players.filter_map(|(at, role)| Some((role.name.clone(), of(at)?))).collect()
}

fn result(game: &Game, outcome: &Outcome) -> MatchResult {
    let names = |joint: &percept_game::JointMove| {
        game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect()
    };
    MatchResult {
        goals: by_role(game, |role| Some(outcome.goals[role])),
        rounds: outcome.moves.len(),
        ended: ended(outcome.ended),
        errors: outcome.faults.iter().map(|fault| error(game, fault)).collect(),
        remarks: by_role(game, |role| outcome.remarks[role].clone()),
        slowest: by_role(game, |role| Some(outcome.slowest[role].as_secs_f64())),
        moves: outcome.moves.iter().map(names).collect(),
        seconds: outcome.seconds,
    }
}

fn error(game: &Game, fault: &Fault) -> Error {
    Error {
        round: fault.round,
        role: game.roles[fault.role.0 as usize].name.clone(),
        kind: fault.kind.name(),
        detail: fault.detail.clone(),
        played: fault.played.map(|mv| game.rules.move_name(fault.role, mv)),
    }
}

fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Over => "over",
        Ended::Stuck => "stuck",
        Ended::TooLong => "too-long",
        Ended::Cancelled => "cancelled",
    }
}

/// The mean goal of a role over finished matches, with half the width of its 95 % interval.
fn mean(played: &[Outcome], role: usize) -> Option<Mean> {
    let over = played.iter().filter(|outcome| outcome.ended == Ended::Over);
    let goals: Vec<f64> = over.filter_map(|outcome| outcome.goals[role]).map(|goal| goal as f64).collect();
    let count = goals.len() as f64;
    let mean = goals.iter().sum::<f64>() / count;
    let spread = goals.iter().map(|goal| (goal - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (count > 0.0).then(|| Mean { mean, interval: 1.96 * (spread / count).sqrt() })
}

pub(super) fn human(
    game: &Game,
    speech: &Speech,
    seats: &[Strategy],
    played: &[Outcome],
    guesses: Option<&Guesses>,
) -> String {
    let mut lines = Vec::new();
    for (number, outcome) in played.iter().enumerate().take(LISTED) {
        lines.push(format!("match {}: {}", number + 1, outcome_line(game, outcome)));
        lines.extend(outcome.faults.iter().take(LISTED).map(|fault| format!("  {}", fault_line(game, speech, fault))));
        if outcome.faults.len() > LISTED {
            lines.push(format!("  ... and {} more faults (all in --format json)", outcome.faults.len() - LISTED));
        }
    }
    if played.len() > LISTED {
        lines.push(format!("... and {} more matches (all in --format json)", played.len() - LISTED));
    }
    for (at, role) in game.roles.iter().enumerate().filter(|(_, role)| !role.is_chance) {
        let Some(Mean { mean, interval }) = mean(played, at) else { continue };
        let interval = if played.len() > 1 { format!(" ± {interval:.1}") } else { String::new() };
        let remark = played.first().and_then(|outcome| outcome.remarks[at].as_deref());
        let remark = remark.map_or(String::new(), |remark| format!(" ({remark})"));
        lines.push(format!("{}, {}{remark}: {mean:.1}{interval}", role.name, seats[at].name()));
    }
    if let Some(Guesses { role, asked, answered }) = guesses {
        let histories = format!("the network of {role} was asked for histories {asked} times");
        lines.push(format!("{histories}, and found some {answered} times"));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn outcome_line(game: &Game, outcome: &Outcome) -> String {
    let goals = by_role(game, |role| outcome.goals[role]);
    let goals: Vec<String> = goals.iter().map(|(role, goal)| format!("{role} {goal}")).collect();
    let rounds = words::rounds(outcome.moves.len());
    match outcome.ended {
        Ended::Over => format!("{} after {rounds}", goals.join(", ")),
        Ended::Stuck => format!("stopped after {rounds}: a role has no legal move"),
        Ended::TooLong => format!("stopped after {rounds}"),
        Ended::Cancelled => format!("given up after {rounds}"),
    }
}

fn fault_line(game: &Game, speech: &Speech, fault: &Fault) -> String {
    let role = &game.roles[fault.role.0 as usize].name;
    let name = |mv| names::made_by(game, speech, fault.role, mv);
    let played = fault.played.map_or(String::new(), |mv| format!("; {} was played for it", name(mv)));
    let when = if fault.round == 0 { "before round 1".into() } else { format!("round {}", fault.round) };
    format!("{when}: {role}: {} ({}){played}", fault.wording(name), fault.kind.name())
}
