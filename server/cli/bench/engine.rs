//! `percept bench engine`: set-up time and random play.

use std::path::{Path, PathBuf};

use percept_game::Game;
use percept_game::pogddl::generate;
use serde::Serialize;

use super::beside::{self, Figures, median};
use super::stopwatch::{Measurement, measure};
use crate::args::{BenchEngine, Format, GameArgs};
use crate::failure::{FAILED, Failure, OK, Outcome};
use crate::limits::is_interrupted;
use crate::load::{self, Loader, title};
use crate::output;
use crate::work::Work;

/// Published figures on one thread, in playouts per second, on a machine like CI's: the prover of ggp-base, and
/// Sancho's propositional network after a set-up of 5 to 18 seconds (percepts ignored; it never sets up chess).
const FIELD: [(&str, f64, Option<f64>); 13] = [
    ("ticTacToe", 970.0, Some(81_731.0)),
    ("connectFour", 90.0, Some(42_740.0)),
    ("breakthrough", 14.0, Some(15_379.0)),
    ("checkers", 4.0, Some(2_954.0)),
    ("reversi", 0.26, Some(775.0)),
    ("chess", 0.06, None),
    ("stratego", 29.0, Some(4_091.0)),
    ("transit", 1_311.0, Some(51_939.0)),
    ("backgammon", 2.2, Some(1_077.0)),
    ("montyhall", 6_210.0, None),
    ("blind_breakthrough_5x5", 126.0, None),
    ("mastermind448", 329.0, None),
    ("vis_pacman3p", 54.0, None),
];

/// Random play by the program of the information-set paper, in steps a second on one core of a machine like CI's, by
/// the names of its problems.
const PAPER: [(&str, f64); 11] = [
    ("gops-2-10", 144_000.0),
    ("gops-6-20", 48_700.0),
    ("gops-10-40", 20_600.0),
    ("gops-10-45", 18_100.0),
    ("battleship-1-4", 146_000.0),
    ("battleship-3-6", 117_000.0),
    ("battleship-5-8", 84_000.0),
    ("battleship-5-10", 69_000.0),
    ("racko-6-30", 56_000.0),
    ("racko-8-40", 36_000.0),
    ("racko-10-60", 19_700.0),
];

/// One game to measure: its name, and the function that makes it.
struct Candidate {
    name: String,
    /// The game's file, if it has one.
    path: PathBuf,
    make: Box<dyn Fn() -> Result<Game, Failure>>,
}

impl Candidate {
    fn file(path: &Path, args: &BenchEngine) -> Candidate {
        let game = GameArgs { game: path.to_path_buf(), domain: None, pogddl_terminal: args.pogddl_terminal };
        let loader = Loader::new(&game, &Work::quiet());
        let name = title(path);
        // The engine needs a game of its own.
        Candidate { name, path: path.to_path_buf(), make: Box::new(move || Ok((*loader.load()?.game).clone())) }
    }

    /// One of the paper's games at one of its sizes, by our own domain; no files are read.
    fn paper(name: &str) -> Result<Candidate, Failure> {
        let mut parts = name.split('-');
        let game = parts.next().unwrap_or_default();
        let sizes: Vec<usize> = parts.filter_map(|size| size.parse().ok()).collect();
        let (domain, problem) = match (game, &sizes[..]) {
            ("racko", &[slots, cards]) => (generate::RACKO, generate::racko(slots, cards)),
            ("battleship", &[ships, size]) => (generate::BATTLESHIP, generate::battleship(ships, size)),
            (_, &[bids, extra, ..]) => (generate::GOPS, generate::gops(bids, extra, true)),
            _ => return Err(Failure::new(format!("{name} is not a game of the paper"))),
        };
        let problem = problem.map_err(|error| Failure::new(error.to_string()))?;
        let path = PathBuf::new();
        Ok(Candidate { name: name.to_string(), path, make: Box::new(move || load::pogddl(domain, &problem)) })
    }
}

pub(super) fn run(args: &BenchEngine) -> Outcome {
    let candidates = match &args.files[..] {
        [] => PAPER.iter().map(|(name, _)| Candidate::paper(name)).collect::<Result<Vec<_>, _>>()?,
        files => files.iter().map(|path| Candidate::file(path, args)).collect(),
    };
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    if args.format == Format::Human {
        output::println(&format!(
            "{:<28} {:>7} {:>9} {:>13} {:>13} {:>9} {:>8}   {}",
            "game", "threads", "set-up s", "playouts/s", "states/s", "MB", "engine", "beside the field, one thread"
        ));
    }
    if args.beside.is_some() && !beside::pin() {
        output::say("note: there is no `taskset` here, so the programs are not kept on one core");
    }
    let alone = [1];
    let numbers = if args.beside.is_some() { &alone[..] } else { &args.threads[..] };
    let mut failed = false;
    for candidate in &candidates {
        if is_interrupted() {
            break;
        }
        for &threads in numbers {
            let threads = if threads == 0 { all } else { threads };
            let (measured, other) = match in_turns(candidate, threads, args) {
                Ok(measured) => measured,
                // A game that cannot be played does not stop the measurement of the others.
                Err(failure) => {
                    failure.print();
                    failed = true;
                    break;
                }
            };
            match args.format {
                Format::Json => output::json_line(&line(&measured, other)),
                Format::Human => output::println(&format!(
                    "{:<28} {threads:>7} {:>9.3} {:>13.1} {:>13.0} {:>9.0} {:>8}   {}",
                    measured.game,
                    measured.setup_s,
                    measured.playouts_per_s,
                    measured.states_per_s,
                    measured.peak_bytes.unwrap_or(0) as f64 / 1e6,
                    measured.engine,
                    if threads == 1 { field(&measured) } else { String::new() }
                )),
            }
            if let (Some(other), Format::Human) = (other, args.format) {
                output::println(&format!(
                    "{:<28} {threads:>7} {:>9} {:>13.1} {:>13.0} {:>9} {:>8}   ours {:.2} times its matches, {:.2} times its states",
                    "  the program beside",
                    "",
                    other.playouts_per_s,
                    other.states_per_s,
                    "",
                    "",
                    measured.playouts_per_s / other.playouts_per_s,
                    measured.states_per_s / other.states_per_s
                ));
            }
        }
    }
    Ok(if failed { FAILED } else { OK })
}

/// Measures a game, in turn with the program beside it if there is one.
fn in_turns(game: &Candidate, threads: usize, args: &BenchEngine) -> Result<(Measurement, Option<Figures>), Failure> {
    let Some(command) = &args.beside else {
        return Ok((measure(&game.name, threads, args.time, &game.make)?, None));
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..args.turns {
        ours.push(measure(&game.name, threads, args.time, &game.make)?);
        theirs.push(beside::run(command, &game.path, args.time)?);
    }
    let ours = median(ours, |it| it.states_per_s).expect("at least one turn");
    Ok((ours, median(theirs, |it| it.states_per_s)))
}

/// One measurement as one line of JSON, with the paper's figure if there is one.
fn line(measured: &Measurement, beside: Option<Figures>) -> String {
    #[derive(Serialize)]
    struct Line<'m> {
        #[serde(flatten)]
        measured: &'m Measurement,
        #[serde(skip_serializing_if = "Option::is_none")]
        paper_states_per_s: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        beside: Option<Figures>,
    }
    let line = Line { measured, beside, paper_states_per_s: paper(&measured.game) };
    let value: serde_json::Value =
        serde_json::from_str(&output::json_text("bench-engine", &line)).expect("our own JSON is read again");
    value.to_string()
}

/// The figure of the paper's program for a problem; published files are named `racko-8.40`.
fn paper(game: &str) -> Option<f64> {
    let name = game.to_ascii_lowercase().replace('.', "-");
    PAPER.iter().find(|(other, _)| *other == name).map(|&(_, steps)| steps)
}

fn field(measured: &Measurement) -> String {
    if let Some(steps) = paper(&measured.game) {
        return format!("the paper's program {:.1} times ({steps:.0} states/s)", measured.states_per_s / steps);
    }
    // `tic-tac-toe` is called `ticTacToe` in the published figures.
    let game = measured.game.replace('-', "");
    let of_this = |(name, ..): &&(&str, f64, Option<f64>)| name.eq_ignore_ascii_case(&game);
    let Some((_, prover, propnet)) = FIELD.iter().find(of_this) else { return String::new() };
    let times = |figure: f64| format!("{figure}/s (ours {:.1} times)", measured.playouts_per_s / figure);
    let propnet = propnet.map_or("no figure".into(), times);
    format!("ggp-base {}, Sancho {propnet}", times(*prover))
}
