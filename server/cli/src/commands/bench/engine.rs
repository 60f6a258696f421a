//! `percept bench engine`: set-up time and random play.

use percept_game::bench::measure;

use crate::args::{BenchEngine, Format, GameArgs};
use crate::failure::{Failure, OK, Outcome};
use crate::load::Loader;
use crate::output;

/// What the field reaches on one thread, in playouts a second, on a machine like CI's: the prover of ggp-base, and
/// Sancho's propositional network after its set-up.
const FIELD: [(&str, f64, f64); 5] = [
    ("ticTacToe", 970.0, 81_731.0),
    ("connectFour", 90.0, 42_740.0),
    ("breakthrough", 14.0, 15_379.0),
    ("checkers", 4.0, 2_954.0),
    ("reversi", 0.26, 775.0),
];

pub fn run(args: &BenchEngine) -> Outcome {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    if args.format == Format::Human {
        output::println(&format!(
            "{:<28} {:>7} {:>9} {:>13} {:>13} {:>9} {:>8}   {}",
            "game", "threads", "set-up s", "playouts/s", "states/s", "MB", "engine", "beside the field, one thread"
        ));
    }
    for path in &args.files {
        let game = GameArgs { game: path.clone(), domain: None, pogddl_terminal: args.pogddl_terminal };
        let loader = Loader::new(&game);
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for &threads in &args.threads {
            let threads = if threads == 0 { all } else { threads };
            let measured = measure(&name, threads, args.time, || {
                // A game that nobody else holds: the engine wants it for itself.
                let loaded = loader.load()?;
                Ok::<_, Failure>((*loaded.game).clone())
            })?;
            match args.format {
                Format::Json => output::println(&line(&measured)),
                Format::Human => output::println(&format!(
                    "{:<28} {threads:>7} {:>9.3} {:>13.1} {:>13.0} {:>9.0} {:>8}   {}",
                    measured.game,
                    measured.setup_s,
                    measured.playouts_per_s,
                    measured.states_per_s,
                    measured.peak_bytes.unwrap_or(0) as f64 / 1e6,
                    measured.engine,
                    if threads == 1 { beside(&measured.game, measured.playouts_per_s) } else { String::new() }
                )),
            }
        }
    }
    Ok(OK)
}

/// One measurement as one line of JSON.
fn line(measured: &percept_game::bench::Measurement) -> String {
    let value: serde_json::Value =
        serde_json::from_str(&output::json_text("bench-engine", measured)).expect("our own JSON is read again");
    value.to_string()
}

fn beside(game: &str, playouts: f64) -> String {
    match FIELD.iter().find(|(name, ..)| name.eq_ignore_ascii_case(game)) {
        Some((_, prover, propnet)) => {
            format!("ggp-base {:.0} times, Sancho {:.1} times", playouts / prover, playouts / propnet)
        }
        None => String::new(),
    }
}
