//! `percept play`: random matches, and what they say of the game.

mod exhaust;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use percept_game::play::{Limits, RoleSummary, Summary, play_match};
use percept_game::{Game, JointMove, trace};
use serde::Serialize;

use crate::args::{Format, Play};
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::load::Loader;
use crate::output;
use crate::work::Work;

#[derive(Serialize)]
struct Report {
    matches: u64,
    /// Matches that were given up, at the greatest number of rounds or because a role had no move.
    unfinished: u64,
    rounds: Rounds,
    roles: Vec<Role>,
    /// What no right game does, each with a match that shows it.
    faults: Vec<Fault>,
    /// What holds in every match, where the state space is small enough to visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    every_match: Option<EveryMatch>,
    seconds: f64,
}

#[derive(Serialize)]
struct EveryMatch {
    states: usize,
    /// Rounds of the longest match; absent where a match can go on for ever.
    longest: Option<usize>,
    /// Whether no role's goal value ever falls.
    monotone: bool,
    /// Per role (not chance) the best goal value that some match ends with.
    best: BTreeMap<String, Option<i64>>,
}

/// Lengths of matches.
#[derive(Serialize, Default)]
struct Rounds {
    min: u32,
    mean: f64,
    max: u32,
}

/// Legal moves per round.
#[derive(Serialize)]
struct Moves {
    mean: f64,
    most: u32,
}

#[derive(Serialize)]
struct Role {
    role: String,
    chance: bool,
    moves: Moves,
    /// How often each goal value came out.
    goals: BTreeMap<i64, u64>,
    mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    interval: Option<f64>,
}

/// A break of the rules for well-formed games.
#[derive(Serialize, Clone)]
struct Fault {
    /// `playability`, `termination` or `goals`.
    property: &'static str,
    message: String,
    /// The match that shows it, a joint move a line.
    r#match: Vec<String>,
}

/// Faults by property: the first of each kind is enough.
#[derive(Default)]
struct Faults(BTreeMap<&'static str, Fault>);

pub fn run(args: &Play) -> Outcome {
    let loaded = Loader::new(&args.game).load()?;
    let game = &*loaded.game;
    let work = Work::begin(args.work.time);
    let start = Instant::now();
    let limits = Limits {
        seed: args.work.seed,
        max_rounds: u32::try_from(args.max_rounds).unwrap_or(u32::MAX),
        deadline: work.deadline,
    };
    let done = AtomicU64::new(0);
    let progress = |ended: u64| {
        let done = done.fetch_add(ended, Ordering::Relaxed) + ended;
        work.say(format!("{done} of {} matches", args.matches));
        !work.is_over()
    };
    let summary = percept_game::play::play(game, args.matches as u64, &limits, &progress);
    if let Some(path) = &args.save_trace {
        let (_, rounds) = play_match(game, 0, &limits);
        let text = trace::write_trace(game, &rounds);
        std::fs::write(path, text).map_err(|error| Failure::io("write", path, &error))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let mut faults = Faults::default();
    faults.of_matches(game, &summary, &limits, work.is_over());
    work.say("visiting every state");
    let every_match = exhaust::exhaust(game, &work).map(|found| every_match(game, found, &mut faults));
    drop(work);
    let report = report(game, &summary, faults, every_match, seconds);
    match args.format {
        Format::Json => output::json("play", &report),
        Format::Human => print(&report),
    }
    Ok(if report.faults.is_empty() { OK } else { FOUND })
}

impl Faults {
    fn fault(&mut self, property: &'static str, message: String, game: &Game, rounds: &[JointMove]) {
        self.0.entry(property).or_insert_with(|| {
            let text = trace::write_trace(game, rounds);
            let lines = text.lines().filter(|line| !line.starts_with(';')).map(String::from).collect();
            Fault { property, message, r#match: lines }
        });
    }

    /// What random matches show.
    fn of_matches(&mut self, game: &Game, summary: &Summary, limits: &Limits, cut_short: bool) {
        /// Matches that are played again to find one with a fault.
        const LOOKED_AT: u64 = 1_000;
        if let Some(number) = summary.first_stuck {
            let (record, rounds) = play_match(game, number, limits);
            let message =
                format!("a role has no legal move after round {}, though the match is not over", record.rounds);
            self.fault("playability", message, game, &rounds);
        }
        if summary.unfinished > 0 && !cut_short {
            let message = format!("{} matches were not over after {} rounds", summary.unfinished, limits.max_rounds);
            self.fault("termination", message, game, &[]);
        }
        for (index, role) in summary.roles.iter().enumerate().filter(|(index, _)| !game.roles[*index].is_chance) {
            if role.without_result + role.several_results == 0 {
                continue;
            }
            let wrong = (0..summary.matches.min(LOOKED_AT)).map(|number| play_match(game, number, limits));
            let wrong = wrong.into_iter().find(|(record, _)| record.terminal && record.goals[index].len() != 1);
            let (found, rounds) = match wrong {
                Some((record, rounds)) if !record.goals[index].is_empty() => {
                    (format!("the goal values {:?}", record.goals[index]), rounds)
                }
                Some((_, rounds)) => ("no goal value".to_string(), rounds),
                None => ("no single goal value".to_string(), Vec::new()),
            };
            self.fault("goals", format!("{} has {found} at the end of a match", role.role), game, &rounds);
        }
    }
}

/// What holds in every match; what is wrong there joins the faults.
fn every_match(game: &Game, found: exhaust::Exhausted, faults: &mut Faults) -> EveryMatch {
    let name = |role: percept_game::RoleId| &game.roles[role.0 as usize].name;
    if let Some((role, history)) = &found.stuck {
        let message = format!("{} has no legal move, though the match is not over", name(*role));
        faults.fault("playability", message, game, history);
    }
    if let Some((role, goals, history)) = &found.goals {
        let message = format!("{} has the goal values {goals:?} at the end of a match, instead of one", name(*role));
        faults.fault("goals", message, game, history);
    }
    if found.longest.is_none() {
        faults.fault("termination", "a match can come back to a state and go on for ever".to_string(), game, &[]);
    }
    let players = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    EveryMatch {
        states: found.states,
        longest: found.longest,
        monotone: found.falling.is_none(),
        best: players.map(|role| (name(role).clone(), found.best[role.0 as usize])).collect(),
    }
}

fn report(game: &Game, summary: &Summary, faults: Faults, every_match: Option<EveryMatch>, seconds: f64) -> Report {
    let role = |(index, (role, summed)): (usize, (&percept_game::Role, &RoleSummary))| Role {
        role: role.name.clone(),
        chance: role.is_chance,
        moves: Moves { mean: summary.branching(index), most: summed.most_legal_moves },
        goals: if role.is_chance { BTreeMap::new() } else { summed.results.clone() },
        mean: summed.mean().filter(|_| !role.is_chance).map(|it| it.mean),
        interval: summed.mean().filter(|_| !role.is_chance).map(|it| it.half_width),
    };
    let lengths = summary.lengths();
    Report {
        matches: summary.matches,
        unfinished: summary.unfinished + summary.stuck,
        rounds: lengths.map_or(Rounds::default(), |it| Rounds {
            min: it.shortest,
            mean: it.mean.mean,
            max: it.longest,
        }),
        roles: game.roles.iter().zip(&summary.roles).enumerate().map(role).collect(),
        faults: faults.0.into_values().collect(),
        every_match,
        seconds,
    }
}

fn print(report: &Report) {
    let rounds = &report.rounds;
    let mut lines = vec![
        format!("{} random matches in {:.2} s", report.matches, report.seconds),
        format!("rounds: {} to {}, {:.1} on average", rounds.min, rounds.max, rounds.mean),
    ];
    if report.unfinished > 0 {
        lines.push(format!("not finished: {}", report.unfinished));
    }
    for role in &report.roles {
        let moves = &role.moves;
        let mut line = format!("{}: {:.1} legal moves a round, at most {}", role.role, moves.mean, moves.most);
        if let Some(mean) = role.mean {
            line += &format!("; result {mean:.1}");
            if let Some(interval) = role.interval {
                line += &format!(" ± {interval:.1}");
            }
            let total: u64 = role.goals.values().sum();
            let goals: Vec<String> = role
                .goals
                .iter()
                .rev()
                .map(|(goal, n)| format!("{goal}: {:.0} %", 100.0 * *n as f64 / total as f64))
                .collect();
            line += &format!(" ({})", goals.join(", "));
        }
        lines.push(line);
    }
    if let Some(every) = &report.every_match {
        let length = every.longest.map_or("some without end".to_string(), |n| format!("the longest {n} rounds"));
        let best: Vec<String> = every
            .best
            .iter()
            .map(|(role, best)| format!("{role} {}", best.map_or("nothing".to_string(), |best| best.to_string())))
            .collect();
        lines.push(format!("every match, over {} states: {length}; at best {}", every.states, best.join(", ")));
    } else {
        lines.push("too many states to visit all: what follows is by play".to_string());
    }
    for fault in &report.faults {
        lines.push(format!("{}: {}", fault.property, fault.message));
        lines.extend(fault.r#match.iter().take(50).map(|line| format!("  {line}")));
    }
    if report.faults.is_empty() && report.every_match.is_some() {
        lines.push("in every match everybody has a legal move until it ends, and one goal value then".to_string());
    } else if report.faults.is_empty() && report.unfinished == 0 {
        lines.push("every match ended, with a legal move for everybody before and one goal value each".to_string());
    }
    output::println(&lines.join("\n"));
}
