//! `percept play`: random matches, and what they say of the game.

mod exhaust;

use std::collections::BTreeMap;

use percept_game::{Game, JointMove, trace};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::args::{Format, Play};
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::load::Loader;
use crate::output;
use crate::work::Work;

#[derive(Serialize)]
struct Report {
    matches: usize,
    /// Matches that were given up at the greatest number of rounds.
    unfinished: usize,
    rounds: Spread,
    /// Joint moves per state.
    branching: Spread,
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

#[derive(Serialize, Default)]
struct Spread {
    min: f64,
    mean: f64,
    max: f64,
}

#[derive(Serialize)]
struct Role {
    role: String,
    chance: bool,
    /// Legal moves per state.
    moves: Spread,
    /// How often each goal value came out.
    goals: BTreeMap<i64, usize>,
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

/// What is counted while playing.
#[derive(Default)]
struct Tally {
    rounds: Counter,
    branching: Counter,
    moves: Vec<Counter>,
    goals: Vec<BTreeMap<i64, usize>>,
    unfinished: usize,
    matches: usize,
    faults: BTreeMap<&'static str, Fault>,
}

#[derive(Default, Clone)]
struct Counter {
    n: u64,
    sum: f64,
    min: f64,
    max: f64,
}

impl Counter {
    fn add(&mut self, value: f64) {
        self.min = if self.n == 0 { value } else { self.min.min(value) };
        self.max = if self.n == 0 { value } else { self.max.max(value) };
        self.n += 1;
        self.sum += value;
    }

    fn spread(&self) -> Spread {
        let mean = if self.n == 0 { 0.0 } else { self.sum / self.n as f64 };
        Spread { min: self.min, mean, max: self.max }
    }
}

pub fn run(args: &Play) -> Outcome {
    let loaded = Loader::new(&args.game).load()?;
    let game = &*loaded.game;
    let work = Work::begin(args.work.time);
    let start = std::time::Instant::now();
    let roles = game.roles.len();
    let mut tally =
        Tally { moves: vec![Counter::default(); roles], goals: vec![BTreeMap::new(); roles], ..Tally::default() };
    let mut first = None;
    for index in 0..args.matches {
        if work.is_over() {
            break;
        }
        work.say(format!("match {} of {}", index + 1, args.matches));
        // Each match has its own stream, so that match i is the same however many are played.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.work.seed.wrapping_add(index as u64));
        let rounds = play(game, args.max_rounds, &mut rng, &mut tally, &work);
        first.get_or_insert(rounds);
    }
    if let (Some(path), Some(rounds)) = (&args.save_trace, &first) {
        let text = trace::write_trace(game, rounds);
        std::fs::write(path, text).map_err(|error| Failure::io("write", path, &error))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    work.say("visiting every state");
    let every_match = exhaust::exhaust(game, &work).map(|found| every_match(game, found, &mut tally));
    drop(work);
    let report = report(game, tally, every_match, seconds);
    match args.format {
        Format::Json => output::json("play", &report),
        Format::Human => print(&report),
    }
    Ok(if report.faults.is_empty() { OK } else { FOUND })
}

/// Plays one match at random and counts what happens.
fn play(game: &Game, max_rounds: usize, rng: &mut impl Rng, tally: &mut Tally, work: &Work) -> Vec<JointMove> {
    let rules = &game.rules;
    let mut state = rules.initial();
    let mut rounds: Vec<JointMove> = Vec::new();
    tally.matches += 1;
    while !rules.terminal(&state) {
        if rounds.len() >= max_rounds || work.is_cancelled() {
            tally.unfinished += 1;
            if rounds.len() >= max_rounds {
                let message = format!("a match was not over after {max_rounds} rounds");
                tally.fault("termination", message, game, &[]);
            }
            return rounds;
        }
        let mut joint = JointMove::new();
        let mut product = 1.0;
        for role in game.role_ids() {
            let legal = rules.legal(&state, role);
            if legal.is_empty() {
                let name = &game.roles[role.0 as usize].name;
                let message =
                    format!("{name} has no legal move after round {}, though the match is not over", rounds.len());
                tally.fault("playability", message, game, &rounds);
                tally.unfinished += 1;
                return rounds;
            }
            tally.moves[role.0 as usize].add(legal.len() as f64);
            product *= legal.len() as f64;
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        tally.branching.add(product);
        state = rules.next(&state, &joint);
        rounds.push(joint);
    }
    tally.rounds.add(rounds.len() as f64);
    for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
        let goals = rules.goals(&state, role);
        if let [goal] = goals[..] {
            *tally.goals[role.0 as usize].entry(goal).or_default() += 1;
        } else {
            let name = &game.roles[role.0 as usize].name;
            let found =
                if goals.is_empty() { "no goal value".to_string() } else { format!("the goal values {goals:?}") };
            tally.fault("goals", format!("{name} has {found} at the end of a match"), game, &rounds);
        }
    }
    rounds
}

impl Tally {
    fn fault(&mut self, property: &'static str, message: String, game: &Game, rounds: &[JointMove]) {
        self.faults.entry(property).or_insert_with(|| {
            let text = trace::write_trace(game, rounds);
            let lines = text.lines().filter(|line| !line.starts_with(';')).map(String::from).collect();
            Fault { property, message, r#match: lines }
        });
    }
}

/// What holds in every match; what is wrong there joins the faults.
fn every_match(game: &Game, found: exhaust::Exhausted, tally: &mut Tally) -> EveryMatch {
    let name = |role: percept_game::RoleId| &game.roles[role.0 as usize].name;
    if let Some((role, history)) = &found.stuck {
        let message = format!("{} has no legal move, though the match is not over", name(*role));
        tally.fault("playability", message, game, history);
    }
    if let Some((role, goals, history)) = &found.goals {
        let message = format!("{} has the goal values {goals:?} at the end of a match, instead of one", name(*role));
        tally.fault("goals", message, game, history);
    }
    if found.longest.is_none() {
        tally.fault("termination", "a match can come back to a state and go on for ever".to_string(), game, &[]);
    }
    let players = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    EveryMatch {
        states: found.states,
        longest: found.longest,
        monotone: found.falling.is_none(),
        best: players.map(|role| (name(role).clone(), found.best[role.0 as usize])).collect(),
    }
}

fn report(game: &Game, tally: Tally, every_match: Option<EveryMatch>, seconds: f64) -> Report {
    let role = |((role, moves), goals): ((&percept_game::Role, &Counter), BTreeMap<i64, usize>)| {
        let n: usize = goals.values().sum();
        let mean =
            (n > 0).then(|| goals.iter().map(|(&goal, &count)| goal as f64 * count as f64).sum::<f64>() / n as f64);
        let interval = mean.filter(|_| n > 1).map(|mean| {
            let squares = goals.iter().map(|(&goal, &count)| (goal as f64 - mean).powi(2) * count as f64).sum::<f64>();
            1.96 * (squares / (n - 1) as f64 / n as f64).sqrt()
        });
        Role { role: role.name.clone(), chance: role.is_chance, moves: moves.spread(), goals, mean, interval }
    };
    Report {
        matches: tally.matches,
        unfinished: tally.unfinished,
        rounds: tally.rounds.spread(),
        branching: tally.branching.spread(),
        roles: game.roles.iter().zip(&tally.moves).zip(tally.goals).map(role).collect(),
        faults: tally.faults.into_values().collect(),
        every_match,
        seconds,
    }
}

fn print(report: &Report) {
    let spread = |it: &Spread| format!("{:.0} to {:.0}, {:.1} on average", it.min, it.max, it.mean);
    let mut lines = vec![
        format!("{} random matches in {:.2} s", report.matches, report.seconds),
        format!("rounds: {}", spread(&report.rounds)),
        format!("joint moves per state: {}", spread(&report.branching)),
    ];
    if report.unfinished > 0 {
        lines.push(format!("not finished: {}", report.unfinished));
    }
    for role in &report.roles {
        let mut line = format!("{}: {} moves per state", role.role, spread(&role.moves));
        if let Some(mean) = role.mean {
            line += &format!("; result {mean:.1}");
            if let Some(interval) = role.interval {
                line += &format!(" ± {interval:.1}");
            }
            let total: usize = role.goals.values().sum();
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
