//! `percept bench table1`: the paper's experiment, beside the figures printed in the paper.
//!
//! Without a file the positions are our own: for each cell of the table a problem from the generator, ten random
//! matches, the first decision after half of each. A file holds positions as lines of JSON: `cell`, `domain`,
//! `problem`, `terminal`, `role`, `round` (moves made), `trace` (the actions), and if known `size` (of the information
//! set) and `reference` with `solutions`, `init_s` and `search_s` (the results of the paper's own program).

pub(super) mod paper;
pub(super) mod positions;
mod print;

use std::time::{Duration, Instant};

use percept_infoset::{Budget, Options, Wanted};
use serde::Serialize;

use crate::args::{BenchTable1, Format};
use crate::commands::infoset::method;
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::output;
use crate::work::Work;
use positions::Position;

/// The paper's protocol, and one with more members in less time.
const PROTOCOLS: [(f64, usize); 2] = [(30.0, 30), (1.0, 1000)];

#[derive(Serialize)]
struct Table {
    /// The results under the first protocol.
    cells: Vec<Cell>,
    runs: Vec<Run>,
}

/// The results under one protocol.
#[derive(Serialize, Clone)]
struct Run {
    /// Seconds and members for each position.
    time_s: f64,
    members: usize,
    cells: Vec<Cell>,
}

/// The sums over the positions of one cell of the table.
#[derive(Serialize, Default, Clone)]
struct Cell {
    cell: String,
    /// The reason why there are no positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    infeasible: Option<String>,
    positions: usize,
    /// Positions in which nothing was found.
    empty: usize,
    /// Positions in which fewer were found than wanted, and it was not proved that there are no more.
    short: usize,
    /// Members found, distinct.
    found: usize,
    /// Positions whose whole set was found, or proved to have its size.
    complete: usize,
    /// The number of positions with a known size that gave a different one.
    wrong: usize,
    /// Seconds, set-up included: the mean and the worst.
    mean_s: f64,
    worst_s: f64,
    /// The same until the first member.
    first_mean_s: f64,
    first_worst_s: f64,
    methods: std::collections::BTreeMap<String, usize>,
    /// The figures printed in the paper for its two algorithms.
    #[serde(skip_serializing_if = "Option::is_none")]
    paper_csp: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paper_dfs: Option<u32>,
    /// The results of the paper's own program in the same positions.
    reference_found: u64,
    reference_s: f64,
}

/// Checks that the name of some cell begins with `prefix`.
fn any<T>(cells: &[T], prefix: &str) -> Result<(), Failure> {
    let message = || format!("no cell's name begins with `{prefix}`; they are r-6-30, b-1-4, g-2-10, ...");
    if cells.is_empty() { Err(Failure::new(message())) } else { Ok(()) }
}

pub(super) fn run(args: &BenchTable1) -> Outcome {
    let protocols: Vec<(f64, usize)> = match (args.time, args.members) {
        (None, None) => PROTOCOLS.to_vec(),
        (time, members) => vec![(time.map_or(30.0, |time| time.as_secs_f64()), members.unwrap_or(30))],
    };
    let work = Work::begin(None);
    let mut runs: Vec<Run> =
        protocols.iter().map(|&(time_s, members)| Run { time_s, members, cells: vec![] }).collect();
    let bench = Bench { args, work: &work };
    match &args.positions {
        Some(path) => {
            let folder = args.games.as_deref().ok_or_else(|| {
                Failure::new("the folder of the games is missing")
                    .note("name the folder of the domains and problems with --games")
            })?;
            let all = positions::of_file(path, &args.cell)?;
            any(&all, &args.cell)?;
            for (cell, lines) in args.part.of(all) {
                bench.cell(&cell, lines.iter().map(|line| positions::read(line, folder)), &mut runs)?;
            }
        }
        None => {
            let all = positions::cells(&args.cell);
            any(&all, &args.cell)?;
            for (cell, game, row, column) in args.part.of(all) {
                work.say(format!("{cell}: playing"));
                match positions::played(game, row, column, args.matches, args.seed, 0.5)? {
                    positions::Cell::Positions(all) => bench.cell(&cell, all.into_iter().map(Ok), &mut runs)?,
                    positions::Cell::Infeasible(why) => {
                        let none = Cell { cell, infeasible: Some(why), ..Cell::default() };
                        runs.iter_mut().for_each(|run| run.cells.push(none.clone()));
                    }
                }
            }
        }
    }
    drop(work);
    let table = Table { cells: runs[0].cells.clone(), runs };
    match args.format {
        Format::Json => output::json("bench-table1", &table),
        Format::Human => output::println(&print::text(&table.runs)),
    }
    let bad = |cell: &Cell| cell.wrong > 0 || cell.empty > 0;
    Ok(if table.runs.iter().any(|run| run.cells.iter().any(bad)) { FOUND } else { OK })
}

struct Bench<'a> {
    args: &'a BenchTable1,
    work: &'a Work,
}

impl Bench<'_> {
    /// All protocols in all positions of a cell.
    fn cell(
        &self,
        name: &str,
        positions: impl Iterator<Item = Result<Position, Failure>>,
        runs: &mut [Run],
    ) -> Result<(), Failure> {
        let (csp, dfs) = paper::TABLE.iter().find_map(|block| block.cells_of(name)).unzip();
        let new = Cell { cell: name.to_string(), paper_csp: csp, paper_dfs: dfs, ..Cell::default() };
        let mut cells = vec![new; runs.len()];
        for (index, position) in positions.enumerate() {
            if self.work.is_cancelled() {
                break;
            }
            let position = position?;
            self.work.say(format!("{name} position {}", index + 1));
            for (cell, run) in cells.iter_mut().zip(&*runs) {
                self.one(&position, run, cell)?;
            }
        }
        for (mut cell, run) in cells.into_iter().zip(runs) {
            let positions = cell.positions.max(1) as f64;
            cell.mean_s /= positions;
            cell.first_mean_s /= positions;
            cell.reference_s /= positions;
            run.cells.push(cell);
        }
        Ok(())
    }

    /// Finds members of one information set, and measures the time.
    fn find(&self, position: &Position, members: usize, time: Duration) -> Result<SearchResult, Failure> {
        let start = Instant::now();
        let options = Options {
            method: method(self.args.method, false)?,
            wanted: Wanted::All,
            limit: members,
            seed: self.args.seed,
            ..Options::default()
        };
        let deadline = start.checked_add(time);
        let budget = Budget { deadline, cancel: Some(self.work.cancel.clone()), progress: None, ..Budget::default() };
        let report = percept_infoset::infoset(&position.game, &position.view, &options, &budget).ok();
        Ok(SearchResult { report, seconds: position.load_s + start.elapsed().as_secs_f64() })
    }

    fn one(&self, position: &Position, run: &Run, cell: &mut Cell) -> Result<(), Failure> {
        let time = Duration::from_secs_f64(run.time_s);
        let first = self.find(position, 1, time)?.seconds;
        let SearchResult { report, seconds } = self.find(position, run.members, time)?;
        cell.positions += 1;
        cell.mean_s += seconds;
        cell.worst_s = cell.worst_s.max(seconds);
        cell.first_mean_s += first;
        cell.first_worst_s = cell.first_worst_s.max(first);
        match report {
            Some(report) => {
                cell.found += report.members.len();
                cell.empty += usize::from(report.members.is_empty());
                cell.short += usize::from(!report.complete && report.members.len() < run.members);
                cell.complete += usize::from(report.complete);
                let differs = |size: u64| report.complete && report.histories.to_string() != size.to_string();
                cell.wrong += usize::from(position.size.is_some_and(differs));
                *cell.methods.entry(report.method.to_string()).or_default() += 1;
            }
            None => {
                cell.empty += 1;
                cell.short += 1;
            }
        }
        if let Some(reference) = &position.reference {
            cell.reference_found += reference.solutions.unwrap_or(0);
            cell.reference_s += reference.init_s.unwrap_or(0.0) + reference.search_s.unwrap_or(0.0);
        }
        Ok(())
    }
}

/// The result of one search, set-up included in the time.
struct SearchResult {
    report: Option<percept_infoset::Report>,
    seconds: f64,
}
