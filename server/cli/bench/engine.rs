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

/// The paper's games at its sizes.
const PAPER: [&str; 11] = [
    "gops-2-10",
    "gops-6-20",
    "gops-10-40",
    "gops-10-45",
    "battleship-1-4",
    "battleship-3-6",
    "battleship-5-8",
    "battleship-5-10",
    "racko-6-30",
    "racko-8-40",
    "racko-10-60",
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
        [] => PAPER.iter().map(|name| Candidate::paper(name)).collect::<Result<Vec<_>, _>>()?,
        files => files.iter().map(|path| Candidate::file(path, args)).collect(),
    };
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    if args.format == Format::Human {
        output::println(&format!(
            "{:<28} {:>7} {:>9} {:>13} {:>13} {:>9} {:>8}",
            "game", "threads", "set-up s", "playouts/s", "states/s", "MB", "engine"
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
                    "{:<28} {threads:>7} {:>9.3} {:>13.1} {:>13.0} {:>9.0} {:>8}{}",
                    measured.game,
                    measured.setup_s,
                    measured.playouts_per_s,
                    measured.states_per_s,
                    measured.peak_bytes.unwrap_or(0) as f64 / 1e6,
                    measured.engine,
                    measured.given_up.as_ref().map_or(String::new(), |why| format!("   {why}"))
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

/// One measurement as one line of JSON.
fn line(measured: &Measurement, beside: Option<Figures>) -> String {
    #[derive(Serialize)]
    struct Line<'m> {
        #[serde(flatten)]
        measured: &'m Measurement,
        #[serde(skip_serializing_if = "Option::is_none")]
        beside: Option<Figures>,
    }
    let line = Line { measured, beside };
    let value: serde_json::Value =
        serde_json::from_str(&output::json_text("bench-engine", &line)).expect("our own JSON is read again");
    value.to_string()
}
