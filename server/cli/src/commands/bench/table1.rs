//! `percept bench table1`: the paper's experiment, from a file of its positions.
//!
//! A position is one line of JSON: `cell`, `domain`, `problem`, `terminal`, `role`, `round` (moves made), `trace` (the
//! actions), and where they are known `size` (of the information set) and `reference` with `solutions`, `init_s` and
//! `search_s` (what the paper's own program did there).

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use percept_game::trace::{self, Trace};
use percept_infoset::{Control, Options, Wanted};
use serde::{Deserialize, Serialize};

use crate::args::{BenchTable1, Format, GameArgs, Terminal};
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::load::Loader;
use crate::output;
use crate::work::Work;

#[derive(Deserialize)]
struct Position {
    cell: String,
    domain: String,
    problem: String,
    terminal: Option<String>,
    role: String,
    round: usize,
    trace: Vec<String>,
    size: Option<u64>,
    reference: Option<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    solutions: Option<u64>,
    init_s: Option<f64>,
    search_s: Option<f64>,
}

#[derive(Serialize)]
struct Table {
    cells: Vec<Cell>,
}

/// The sums over the positions of one cell of the table.
#[derive(Serialize, Default)]
struct Cell {
    cell: String,
    positions: usize,
    /// Positions in which nothing was found.
    empty: usize,
    /// Members found, distinct.
    found: usize,
    /// Positions whose whole set was found, or proved to have its size.
    complete: usize,
    /// Of those with a known size, how many came out different.
    wrong: usize,
    /// Seconds, set-up included: the mean and the worst.
    mean_s: f64,
    worst_s: f64,
    methods: BTreeMap<String, usize>,
    /// What the paper's own program did in the same positions.
    reference_found: u64,
    reference_s: f64,
}

pub fn run(args: &BenchTable1) -> Outcome {
    let text =
        std::fs::read_to_string(&args.positions).map_err(|error| Failure::io("read", &args.positions, &error))?;
    let work = Work::begin(None);
    let mut cells: Vec<Cell> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let position: Position = serde_json::from_str(line).map_err(|error| {
            Failure::new(format!("{}:{}: this is no position: {error}", args.positions.display(), index + 1))
        })?;
        if !position.cell.starts_with(&args.cell) {
            continue;
        }
        if work.is_cancelled() {
            break;
        }
        work.say(format!("{} position {}", position.cell, index + 1));
        if cells.last().is_none_or(|last| last.cell != position.cell) {
            cells.push(Cell { cell: position.cell.clone(), ..Cell::default() });
        }
        let cell = cells.last_mut().expect("one was just made");
        one(args, &position, cell, &work)?;
    }
    drop(work);
    for cell in &mut cells {
        cell.mean_s /= cell.positions.max(1) as f64;
        cell.reference_s /= cell.positions.max(1) as f64;
    }
    let table = Table { cells };
    match args.format {
        Format::Json => output::json("bench-table1", &table),
        Format::Human => print(&table),
    }
    let bad = table.cells.iter().any(|cell| cell.wrong > 0 || cell.empty > 0);
    Ok(if bad { FOUND } else { OK })
}

fn one(args: &BenchTable1, position: &Position, cell: &mut Cell, work: &Work) -> Result<(), Failure> {
    let start = Instant::now();
    let find = |name: &str| {
        let places = [args.games.join(name), args.games.join("problems").join(name)];
        places
            .into_iter()
            .find(|path| path.is_file())
            .ok_or_else(|| Failure::new(format!("{name} is neither in {0} nor in {0}/problems", args.games.display())))
    };
    let terminal = match position.terminal.as_deref() {
        Some("payoff") => Some(Terminal::Payoff),
        _ => Some(Terminal::NoMoves),
    };
    let game =
        GameArgs { game: find(&position.problem)?, domain: Some(find(&position.domain)?), pogddl_terminal: terminal };
    let loaded = Loader::new(&game).load()?;
    let rounds = match trace::read(&loaded.game, position.trace.join("\n").as_bytes()) {
        Ok(Trace::Match(rounds)) => rounds,
        Ok(Trace::View(_)) => return Err(Failure::new(format!("{}: the trace is a view", position.cell))),
        Err(error) => return Err(Failure::new(format!("{}: {error}", position.cell))),
    };
    let view = trace::view_of(&loaded.game, &rounds, loaded.role(&position.role)?, position.round);
    let options = Options {
        method: super::super::infoset::method(args.method, false)?,
        wanted: Wanted::All,
        limit: args.members,
        seed: args.seed,
        ..Options::default()
    };
    let deadline = Instant::now().checked_add(args.time);
    let control = Control { deadline, cancel: Some(work.cancel.clone()), progress: None, ..Control::default() };
    let found = percept_infoset::infoset(&loaded.game, &super::super::infoset::convert(&view), &options, &control);
    let seconds = start.elapsed();
    cell.positions += 1;
    cell.mean_s += seconds.as_secs_f64();
    cell.worst_s = cell.worst_s.max(seconds.as_secs_f64());
    match found {
        Ok(report) => {
            cell.found += report.members.len();
            cell.empty += usize::from(report.members.is_empty());
            cell.complete += usize::from(report.complete);
            let differs = |size: u64| report.complete && report.histories.to_string() != size.to_string();
            cell.wrong += usize::from(position.size.is_some_and(differs));
            *cell.methods.entry(report.method.to_string()).or_default() += 1;
        }
        Err(_) => cell.empty += 1,
    }
    if let Some(reference) = &position.reference {
        cell.reference_found += reference.solutions.unwrap_or(0);
        cell.reference_s += reference.init_s.unwrap_or(0.0) + reference.search_s.unwrap_or(0.0);
    }
    Ok(())
}

fn print(table: &Table) {
    let time = |seconds: f64| format!("{:.3}", Duration::from_secs_f64(seconds).as_secs_f64());
    let mut lines = vec![
        format!("{:<12} {:>9} | {:^41} | {:^20}", "", "", "ours", "the paper's program"),
        format!(
            "{:<12} {:>9} | {:>7} {:>6} {:>9} {:>7} {:>8} | {:>9} {:>10}",
            "cell", "positions", "members", "empty", "complete", "mean s", "worst s", "members", "mean s"
        ),
    ];
    for cell in &table.cells {
        lines.push(format!(
            "{:<12} {:>9} | {:>7} {:>6} {:>9} {:>7} {:>8} | {:>9} {:>10}{}",
            cell.cell,
            cell.positions,
            cell.found,
            cell.empty,
            cell.complete,
            time(cell.mean_s),
            time(cell.worst_s),
            cell.reference_found,
            time(cell.reference_s),
            if cell.wrong > 0 { format!("  {} sizes differ", cell.wrong) } else { String::new() }
        ));
    }
    output::println(&lines.join("\n"));
}
