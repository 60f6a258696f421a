//! `percept bench solve`: the speed of regret minimization, and the time until it is near an equilibrium.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use percept_infoset::Budget;
use percept_solve::cfr::{Pair, Variant};
use percept_solve::tree::{Space, build};
use percept_solve::zero_sum::{Payoffs, opposed};
use serde::Serialize;

use crate::args::{BenchSolve, Format, GameArgs};
use crate::failure::{Failure, OK, Outcome};
use crate::load::{Loader, title};
use crate::output;
use crate::work::Work;

/// A game of the shipped library: file, points of a unit, and the iterations per second of OpenSpiel 2.0.2's CFR+ in
/// C++ on its own game of that kind (measured from its PyPI wheel on one core; the median if it varied).
const GAMES: [(&str, f64, f64); 6] = [
    ("kuhn-poker/kuhn-poker.kif", 25.0, 20_000.0),
    ("leduc-poker/leduc-poker.kif", 3.0, 30.0),
    ("liars-dice/liars-dice.kif", 50.0, 69.0),
    ("liars-dice/liars-dice-6.kif", 50.0, 1.8),
    ("goofspiel/goofspiel-4.kif", 50.0, 9.7),
    ("goofspiel/goofspiel-5-descending.kif", 6.0, 10.2),
];

#[derive(Serialize)]
struct Table {
    target: f64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    /// Seconds from the rules to the tree.
    setup_s: f64,
    positions: u64,
    infosets: usize,
    method: &'static str,
    iterations_per_s: f64,
    /// Seconds until the exploitability reached the target, without its checks; `null` if the time ran out first.
    target_s: Option<f64>,
    target_iterations: Option<usize>,
    /// The published figure of CFR+.
    openspiel_iterations_per_s: Option<f64>,
}

pub(super) fn run(args: &BenchSolve) -> Outcome {
    let work = Work::begin(None);
    let budget = work.budget();
    let games: Vec<(PathBuf, f64, Option<f64>)> = match args.files.is_empty() {
        true => {
            let games = super::library()?;
            GAMES.iter().map(|&(file, unit, openspiel)| (games.join(file), unit, Some(openspiel))).collect()
        }
        false => args.files.iter().map(|path| (path.clone(), 1.0, None)).collect(),
    };
    let mut table = Table { target: args.target, rows: Vec::new() };
    if args.format == Format::Human {
        output::println(&format!(
            "{:26} {:>8} {:>9} {:>8} {:>7} {:>12} {:>12} {:>12}",
            "game",
            "setup s",
            "positions",
            "infosets",
            "method",
            "iterations/s",
            format!("s to {:.0e}", args.target),
            "OpenSpiel/s"
        ));
    }
    for (path, unit, openspiel) in games {
        measure(&path, unit, openspiel, args, &budget, &mut table.rows)?;
        if work.is_cancelled() {
            break;
        }
    }
    drop(work);
    if args.format == Format::Json {
        output::json("bench-solve", &table);
    }
    Ok(OK)
}

fn measure(
    path: &Path,
    unit: f64,
    openspiel: Option<f64>,
    args: &BenchSolve,
    budget: &Budget,
    rows: &mut Vec<Row>,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let game = GameArgs { game: path.to_path_buf(), domain: None, pogddl_terminal: None };
    let loaded = Loader::new(&game, &Work::quiet()).load()?;
    let tree = build(&loaded.game, &Space::default(), budget).map_err(crate::commands::solve::failure)?;
    let name = title(path);
    if tree.players.len() != 2 || opposed(&tree, 0, 1).is_none() {
        return Err(Failure::new(format!("{name} is not a game of two players against each other")));
    }
    let payoffs = Payoffs::new(&tree, 0, 1, &|goals| goals[0]);
    let setup_s = begin.elapsed().as_secs_f64();
    for variant in Variant::ALL {
        let mut pair = Pair::new(&tree.players[0], &tree.players[1], &payoffs, variant);
        let (mut spent, mut look, mut reached) = (Duration::ZERO, 1, None);
        while spent < args.time && budget.stop().is_none() {
            let begin = Instant::now();
            while pair.iterations < look {
                pair.iterate();
            }
            spent += begin.elapsed();
            if reached.is_none() && pair.bracket().exploitability() / unit <= args.target {
                reached = Some((spent.as_secs_f64(), pair.iterations));
            }
            look = pair.iterations + (pair.iterations / 20).clamp(1, 10_000);
        }
        let row = Row {
            game: name.clone(),
            setup_s,
            positions: tree.positions,
            infosets: tree.infosets(),
            method: variant.name(),
            iterations_per_s: pair.iterations as f64 / spent.as_secs_f64(),
            target_s: reached.map(|(seconds, _)| seconds),
            target_iterations: reached.map(|(_, iterations)| iterations),
            openspiel_iterations_per_s: openspiel.filter(|_| variant == Variant::Plus),
        };
        if args.format == Format::Human {
            output::json_line(&line(&row));
        }
        rows.push(row);
    }
    Ok(())
}

fn line(row: &Row) -> String {
    let Row { game, setup_s, positions, infosets, method, .. } = row;
    let seconds = row.target_s.map_or("-".to_string(), |seconds| format!("{seconds:.4}"));
    let openspiel = row.openspiel_iterations_per_s.map_or(String::new(), |it| format!("{it}"));
    format!(
        "{game:26} {setup_s:>8.3} {positions:>9} {infosets:>8} {method:>7} {:>12.0} {seconds:>12} {openspiel:>12}",
        row.iterations_per_s
    )
}
