//! A solution in words and as JSON.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use percept_game::Game;
use percept_report::words::{counted, rounds};
use percept_solve::{Deviation, Kind, Point, RoleValue, Solution, exact};
use schemars::JsonSchema;
use serde::Serialize;

/// Goals in the author's units: `(goal - zero) / unit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    pub zero: f64,
    pub unit: f64,
}

impl Units {
    /// True if the units are those of the goals.
    pub(crate) fn plain(&self) -> bool {
        self.zero == 0.0 && self.unit == 1.0
    }

    pub(crate) fn of(&self, goal: f64) -> f64 {
        (goal - self.zero) / self.unit
    }

    /// The distance of two goals.
    pub(crate) fn apart(&self, goals: f64) -> f64 {
        goals / self.unit
    }

    pub(crate) fn exact(&self, goal: &BigRational) -> Option<BigRational> {
        Some((goal - BigRational::from_float(self.zero)?) / BigRational::from_float(self.unit)?)
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// `zero-sum`, `one-player`, `cooperative` or `general`.
    kind: &'static str,
    method: &'static str,
    values: Vec<Valued>,
    exploitability: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    profile: Vec<Deviating>,
    /// The joint play of regret minimization: a coarse correlated equilibrium up to the gains.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    correlated: Vec<Deviating>,
    tree: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<Sampled>,
    iterations: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    curve: Vec<Closing>,
}

#[derive(Serialize, JsonSchema)]
struct Valued {
    role: String,
    low: f64,
    high: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_units: Option<InUnits>,
}

#[derive(Serialize, JsonSchema)]
struct InUnits {
    low: f64,
    high: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Deviating {
    role: String,
    value: f64,
    gain: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_units: Option<DeviatingInUnits>,
}

#[derive(Serialize, JsonSchema)]
struct DeviatingInUnits {
    value: f64,
    gain: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Size {
    rounds: usize,
    histories: f64,
    positions: u64,
    leaves: usize,
    roles: Vec<RoleSize>,
}

#[derive(Serialize, JsonSchema)]
struct RoleSize {
    role: String,
    infosets: usize,
    sequences: usize,
}

#[derive(Serialize, JsonSchema)]
struct Sampled {
    infosets: usize,
    /// Half the width of the 95 % interval of each role's value in `profile`.
    intervals: Vec<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Closing {
    seconds: f64,
    iterations: u64,
    low: f64,
    high: f64,
}

fn kind(solution: &Solution) -> &'static str {
    match solution.kind {
        Kind::ZeroSum(_) => "zero-sum",
        Kind::Alone => "one-player",
        Kind::Together => "cooperative",
        Kind::General => "general",
    }
}

fn name(game: &Game, value: percept_game::RoleId) -> String {
    game.roles[value.0 as usize].name.clone()
}

pub(super) fn answer(game: &Game, solution: &Solution, units: &Units) -> Answer {
    let valued = |it: &RoleValue| Valued {
        role: name(game, it.role),
        low: it.low,
        high: it.high,
        exact: it.exact.as_ref().map(ToString::to_string),
        in_units: (!units.plain()).then(|| InUnits {
            low: units.of(it.low),
            high: units.of(it.high),
            exact: it.exact.as_ref().and_then(|value| units.exact(value)).map(|it| it.to_string()),
        }),
    };
    let size = solution.tree().map(|tree| Size {
        rounds: tree.rounds,
        histories: tree.histories,
        positions: tree.positions,
        leaves: tree.leaves.len(),
        roles: tree
            .players
            .iter()
            .map(|plex| RoleSize {
                role: name(game, plex.role),
                infosets: plex.infosets.len(),
                sequences: plex.sequences(),
            })
            .collect(),
    });
    let deviating = |it: &Deviation| Deviating {
        role: name(game, it.role),
        value: it.value,
        gain: it.gain.is_finite().then_some(it.gain),
        in_units: (!units.plain()).then(|| DeviatingInUnits {
            value: units.of(it.value),
            gain: it.gain.is_finite().then(|| units.apart(it.gain)),
        }),
    };
    let closing = |it: &Point| Closing {
        seconds: it.seconds,
        iterations: it.iterations,
        low: it.bracket.low,
        high: it.bracket.high,
    };
    Answer {
        kind: kind(solution),
        method: solution.method,
        values: solution.values.iter().map(valued).collect(),
        exploitability: solution.exploitability,
        profile: solution.profile.iter().map(deviating).collect(),
        correlated: joint(solution).iter().map(deviating).collect(),
        tree: size,
        sampled: solution
            .sampled()
            .map(|sampled| Sampled { infosets: sampled.infosets(), intervals: sampled.errors.clone() }),
        iterations: solution.iterations,
        seconds: solution.seconds,
        stopped: solution.stopped.map(|stop| stop.to_string()),
        curve: solution.curve.iter().map(closing).collect(),
    }
}

/// The goals of the roles in joint play, and the gain of a role that leaves it.
fn joint(solution: &Solution) -> Vec<Deviation> {
    let Some(correlated) = &solution.correlated else { return Vec::new() };
    let pairs = correlated.values.iter().zip(&correlated.gains).zip(&solution.profile);
    pairs.map(|((&value, &gain), it)| Deviation { role: it.role, value, gain }).collect()
}

/// A number with its significant digits.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.8}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.to_string() }
}

/// A proved value: a short fraction, with its decimal unless it is whole.
fn proved(value: &BigRational) -> String {
    let decimal = number(value.to_f64().unwrap_or(f64::NAN));
    match exact::shown(value) {
        Some(fraction) if value.is_integer() => fraction,
        Some(fraction) => format!("{fraction} = {decimal}"),
        None => decimal,
    }
}

fn value(it: &RoleValue, units: &Units) -> String {
    let shown = |low: f64, high: f64, exact: Option<BigRational>| match exact {
        Some(exact) => proved(&exact),
        None => format!("between {} and {}", number(low), number(high)),
    };
    let goals = shown(it.low, it.high, it.exact.clone());
    if units.plain() {
        return goals;
    }
    let exact = it.exact.as_ref().and_then(|value| units.exact(value));
    format!("{} ({goals} points)", shown(units.of(it.low), units.of(it.high), exact))
}

pub(super) fn human(game: &Game, solution: &Solution, units: &Units) -> String {
    let mut lines = vec![match solution.kind {
        Kind::ZeroSum(_) => "two players against each other: each can guarantee its value".to_string(),
        Kind::Alone if solution.values.len() > 1 => {
            "one player against chance: its value is the best it can expect; that of another role, the worst"
                .to_string()
        }
        Kind::Alone => "one player against chance: the value is its best expectation".to_string(),
        Kind::Together if solution.exploitability.is_none() => {
            "all players have the same goals: the best joint strategy found, and the most that one could reach"
                .to_string()
        }
        Kind::Together => {
            "all players have the same goals: the best joint strategy, agreed before the match".to_string()
        }
        Kind::General if solution.exploitability.is_none() => "samples only: nothing is proved".to_string(),
        Kind::General if solution.values.is_empty() => "no value, because goals are not opposed".to_string(),
        Kind::General if game.roles.iter().filter(|role| !role.is_chance).count() > 2 => {
            "no value: the value that each role can guarantee, even if the others share their knowledge".to_string()
        }
        Kind::General => "no value, because goals are not opposed: the value that each role can guarantee".to_string(),
    }];
    let width = game.roles.iter().map(|role| role.name.chars().count()).max().unwrap_or(0);
    for it in &solution.values {
        lines.push(format!("  {:width$}  {}", name(game, it.role), value(it, units)));
    }
    if !solution.profile.is_empty() {
        lines.push(match solution.sampled() {
            Some(_) if solution.exploitability.is_none() => "with the strategies found, in matches played".to_string(),
            _ => "with the strategies found, and the gain of a role that deviates".to_string(),
        });
        for (at, it) in solution.profile.iter().enumerate() {
            let gain = match solution.sampled() {
                Some(sampled) if solution.exploitability.is_none() => {
                    format!(" ± {}", number(units.apart(sampled.errors[at])))
                }
                _ => format!("  (could gain {})", number(units.apart(it.gain))),
            };
            let points = if units.plain() { String::new() } else { format!(" ({} points)", number(it.value)) };
            lines.push(format!("  {:width$}  {}{gain}{points}", name(game, it.role), number(units.of(it.value))));
        }
    }
    if let Some(correlated) = &solution.correlated {
        lines.push(format!(
            "with joint play drawn from {} (a coarse correlated equilibrium), and the gain of a role that leaves it",
            counted(correlated.iterations as usize, "iteration", "iterations")
        ));
        for it in joint(solution) {
            let points = if units.plain() { String::new() } else { format!(" ({} points)", number(it.value)) };
            let (value, gain) = (number(units.of(it.value)), number(units.apart(it.gain)));
            lines.push(format!("  {:width$}  {value}  (could gain {gain}){points}", name(game, it.role)));
        }
    }
    lines.push(how(solution));
    if let Some(blocks) = solution.blocks() {
        let size = &blocks.size;
        lines.push(format!(
            "no tree: {}, {} with a choice, {} after views with the same future are one, at most {}",
            counted(size.states, "state", "states"),
            counted(size.infosets.iter().sum::<f64>() as usize, "information set", "information sets"),
            size.distinct.iter().sum::<usize>(),
            rounds(size.rounds)
        ));
    }
    if let Some(tree) = solution.tree() {
        lines.push(format!(
            "tree: {}, {}, {} with a choice, at most {}",
            counted(tree.positions as usize, "position", "positions"),
            counted(tree.leaves.len(), "leaf", "leaves"),
            counted(tree.infosets(), "information set", "information sets"),
            rounds(tree.rounds)
        ));
    }
    lines.join("\n") + "\n"
}

/// The method, and the quality of the answer.
fn how(solution: &Solution) -> String {
    let mut text = format!("method {}", solution.method);
    if solution.iterations > 0 {
        text += &format!(", {} iterations", solution.iterations);
    }
    text += &format!(", {:.2} s", solution.seconds);
    match solution.exploitability {
        Some(0.0) => text += ", exact",
        Some(exploitability) => text += &format!("; exploitability {exploitability:.2e} points"),
        None => {}
    }
    if let Some(stop) = solution.stopped {
        text += &format!("; stopped early: {stop}");
    }
    text
}
