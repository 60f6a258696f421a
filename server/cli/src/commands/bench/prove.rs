//! `percept bench prove`: for every game, role and property what is proved or refuted, how, and in what time.

use std::path::Path;
use std::time::Instant;

use percept_infoset::Property;
use percept_infoset::prove::{Options, Prover, Verdict, is_real};
use serde::Serialize;

use crate::args::{BenchProve, Format, GameArgs};
use crate::commands::prove::report::Entry;
use crate::failure::{FAILED, Failure, OK, Outcome};
use crate::load::Loader;
use crate::output;
use crate::work::Work;

#[derive(Serialize)]
struct Table {
    rows: Vec<Row>,
    /// Games that could not be loaded, and why.
    failures: Vec<(String, String)>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    #[serde(flatten)]
    entry: Entry,
    /// Of a refutation: whether its pair was replayed.
    replays: Option<bool>,
}

pub fn run(args: &BenchProve) -> Outcome {
    let work = Work::begin(None);
    let mut table = Table { rows: Vec::new(), failures: Vec::new() };
    if args.format == Format::Human {
        output::println(&format!(
            "{:32} {:12} {:8} {:20} {:10} {:>8}",
            "game", "role", "property", "verdict", "method", "seconds"
        ));
    }
    for path in &args.files {
        if work.is_cancelled() {
            break;
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Err(failure) = game(path, &name, args, &work, &mut table.rows) {
            work.say("");
            if args.format == Format::Human {
                output::println(&format!("{name:32} cannot be loaded: {}", failure.summary()));
            }
            table.failures.push((name, failure.summary()));
        }
    }
    drop(work);
    if args.format == Format::Json {
        output::json("bench-prove", &table);
    }
    let wrong = table.rows.iter().any(|row| row.replays == Some(false));
    Ok(if wrong || !table.failures.is_empty() { FAILED } else { OK })
}

fn game(path: &Path, name: &str, args: &BenchProve, work: &Work, rows: &mut Vec<Row>) -> Result<(), Failure> {
    let game = GameArgs { game: path.to_path_buf(), domain: None, pogddl_terminal: args.pogddl_terminal };
    let loaded = Loader::new(&game).within(Instant::now(), Some(args.time)).load()?;
    let game = &*loaded.game;
    let options = Options { announce_end: args.announce_end, ..Options::default() };
    let mut prover = Prover::new(game);
    for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
        for property in Property::ALL {
            let mut control = work.control_saying(&format!("{name}, {}", game.roles[role.0 as usize].name));
            control.deadline = Instant::now().checked_add(args.time);
            let finding = prover.prove(role, property, &options, &control);
            let replays = match &finding.verdict {
                Verdict::Refuted { pair, .. } => Some(is_real(game, role, property, pair)),
                _ => None,
            };
            let row = Row { game: name.to_owned(), entry: Entry::new(game, &finding), replays };
            if args.format == Format::Human {
                output::println(&line(&row));
            }
            rows.push(row);
        }
    }
    Ok(())
}

fn line(row: &Row) -> String {
    let Row { game, entry, .. } = row;
    let verdict = match (entry.verdict, entry.depth) {
        ("refuted", Some(depth)) => format!("refuted at {depth}"),
        ("open", Some(depth)) => format!("open, holds to {depth}"),
        (verdict, _) => verdict.to_owned(),
    };
    let lie = if row.replays == Some(false) { " (the pair does not replay)" } else { "" };
    let method = entry.method.unwrap_or("");
    format!("{game:32} {:12} {:8} {verdict:20} {method:10} {:8.2}{lie}", entry.role, entry.property, entry.seconds)
}
