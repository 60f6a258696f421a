//! `percept bench prove`: for every game, role and property the verdict, its method and its time.

use std::path::Path;
use std::time::Instant;

use percept_game::plain::{self, pogddl::Range};
use percept_game::{Game, RoleId};
use percept_infoset::prove::certificate::{self, Certificate};
use percept_infoset::prove::{Argument, Options, Prover, Verdict, is_real};
use percept_infoset::{Budget, Property};
use percept_report::place::InFile;
use percept_report::speech::Speech;
use percept_report::verdict::{GameAnswer, GameVerdict};
use serde::Serialize;

use crate::args::{BenchProve, Format, GameArgs};
use crate::failure::{FAILED, Failure, OK, Outcome};
use crate::load::{Loaded, Loader};
use crate::output;
use crate::work::Work;

#[derive(Serialize)]
struct Table {
    rows: Vec<Row>,
    /// Games that could not be loaded, each with the reason.
    failures: Vec<(String, String)>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    #[serde(flatten)]
    verdict: GameVerdict<InFile>,
    /// For a refutation: true if its pair was replayed.
    replays: Option<bool>,
    /// For a proof, if requested: the result for its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    certified: Option<Certified>,
}

/// A certificate, written and followed on the plain rules.
#[derive(Serialize)]
struct Certified {
    /// The times for writing and checking, and the size of the file; `None` if it was not written.
    #[serde(flatten)]
    written: Option<Written>,
    /// The reason why it was not written or is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// True if a certificate was written and refused.
    is_refused: bool,
}

#[derive(Serialize)]
struct Written {
    write_seconds: f64,
    check_seconds: f64,
    bytes: usize,
}

pub(super) fn run(args: &BenchProve) -> Outcome {
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
        output::json_versioned("bench-prove", 2, &table);
    }
    let is_wrong = |row: &Row| {
        let is_refused = row.certified.as_ref().is_some_and(|certified| certified.is_refused);
        row.replays == Some(false) || is_refused || !row.verdict.refused.is_empty()
    };
    let wrong = table.rows.iter().any(is_wrong);
    Ok(if wrong || !table.failures.is_empty() { FAILED } else { OK })
}

fn game(path: &Path, name: &str, args: &BenchProve, work: &Work, rows: &mut Vec<Row>) -> Result<(), Failure> {
    let game = GameArgs { game: path.to_path_buf(), domain: None, pogddl_terminal: args.pogddl_terminal };
    let loaded = Loader::new(&game, &Work::piece(Instant::now(), args.time)).load()?;
    let game = &*loaded.game;
    let options = Options { announce_end: args.announce_end, ..Options::default() };
    let mut prover = Prover::new(game);
    let numbers = plain::ranges(game);
    for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
        for property in Property::ALL {
            let mut budget = work.control_saying(&format!("{name}, {}", game.roles[role.0 as usize].name));
            budget.deadline = Instant::now().checked_add(args.time);
            let finding = prover.prove(role, property, &options, &budget);
            let replays = match &finding.verdict {
                Verdict::Refuted { pair, .. } => Some(is_real(game, role, property, pair)),
                _ => None,
            };
            let certified = match &finding.verdict {
                Verdict::Proved { argument: Some(argument), .. } if args.certify => {
                    let budget = Budget { deadline: Instant::now().checked_add(args.certify_time), ..budget };
                    let question = (role, property, args.announce_end);
                    // The plain game that a reader of certificates would make, or the reason why there is none.
                    let floor = loaded.plain(&numbers, property, &budget);
                    Some(match floor {
                        Ok(floor) => certify(&loaded, (&floor, &numbers), question, argument, &budget),
                        Err(why) => Certified { written: None, why: Some(why.summary()), is_refused: false },
                    })
                }
                _ => None,
            };
            let row = Row {
                game: name.to_owned(),
                verdict: GameVerdict::new(game, &Speech::default(), &finding),
                replays,
                certified,
            };
            if args.format == Format::Human {
                output::json_line(&line(&row));
            }
            rows.push(row);
        }
    }
    Ok(())
}

/// Writes a proof as a certificate, and checks it as a reader would.
fn certify(
    loaded: &Loaded,
    (floor, numbers): (&Game, &[Range]),
    (role, property, announce_end): (RoleId, Property, bool),
    argument: &Argument,
    budget: &Budget,
) -> Certified {
    let begin = Instant::now();
    let written = certificate::write(&loaded.game, (floor, numbers), role, property, announce_end, argument, budget);
    let write_seconds = begin.elapsed().as_secs_f64();
    let written = match written {
        Ok(written) => written,
        Err(why) => return Certified { written: None, why: Some(why.to_string()), is_refused: false },
    };
    let text = serde_json::to_string(&written).expect("our own structures have string keys and finite numbers");
    let begin = Instant::now();
    let read: Result<Certificate, _> = serde_json::from_str(&text);
    let checked = read.map_err(|error| error.to_string()).and_then(|read| {
        certificate::check(floor, &read, &Budget { deadline: None, ..budget.clone() }).map_err(|why| why.to_string())
    });
    let sizes = Written { write_seconds, check_seconds: begin.elapsed().as_secs_f64(), bytes: text.len() };
    Certified { written: Some(sizes), is_refused: checked.is_err(), why: checked.err() }
}

fn line(row: &Row) -> String {
    let Row { game, verdict: GameVerdict { role, property, verdict, depth, method, seconds, .. }, .. } = row;
    let depth = depth.unwrap_or(0);
    let verdict = match verdict {
        GameAnswer::Refuted => format!("refuted at {depth}"),
        GameAnswer::Open => format!("open, holds to {depth}"),
        GameAnswer::Proved => "proved".to_owned(),
    };
    let lie = if row.replays == Some(false) { " (the pair does not replay)" } else { "" };
    let method = method.unwrap_or("");
    let proved = match (row.verdict.checked, &row.verdict.unchecked) {
        (Some(true), _) => format!("  checked in {:.2}", row.verdict.check_seconds),
        (_, Some(why)) => format!("  unchecked: {why}"),
        _ => String::new(),
    };
    let refused: String = row.verdict.refused.iter().map(|it| format!("  REFUSED {}: {}", it.method, it.why)).collect();
    let certified =
        row.certified.as_ref().map_or_else(String::new, |certified| match (&certified.written, &certified.why) {
            (Some(it), None) => format!(
                "  certified: {:.1} MB, written in {:.2}, followed in {:.2}",
                it.bytes as f64 / 1e6,
                it.write_seconds,
                it.check_seconds
            ),
            (Some(_), Some(why)) => format!("  CERTIFICATE REFUSED: {why}"),
            (None, why) => format!("  no certificate: {}", why.as_deref().unwrap_or_default()),
        });
    let property = property.name();
    format!("{game:32} {role:12} {property:8} {verdict:20} {method:10} {seconds:8.2}{lie}{proved}{refused}{certified}")
}
