//! `percept bench sampler`: the speed and the quality of random members of large information sets.
//!
//! For each cell of the paper's table, random matches are played up to the first decision after a share of the match;
//! there one thread draws weighted and exactly uniform members. Every draw is checked against the whole network of the
//! view; the first ones are re-simulated.

use std::time::{Duration, Instant};

use percept_infoset::csp::{Csp, CspError, sampler::Sampler, sampler::Tally, sampler::Worker};
use percept_infoset::{Budget, DEFAULT_MEMORY};
use serde::Serialize;

use super::table1::positions::{self, Cell, Position};
use crate::args::{BenchSampler, Format};
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::output;
use crate::work::Work;

#[derive(Serialize)]
struct Answer {
    positions: Vec<Measured>,
    /// The peak memory of the whole process.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Measured {
    cell: String,
    /// The number of rounds played.
    round: usize,
    /// Seconds to read the rules; to unroll and probe the view; until the first members are re-simulated, all included.
    load_s: f64,
    setup_s: f64,
    first_s: f64,
    /// Members a second on one thread.
    weighted_per_s: f64,
    uniform_per_s: f64,
    /// The share of the weighted draws that independent uniform draws would be worth, and of the attempts that end in a
    /// uniform member.
    effective: f64,
    accepted: f64,
    /// The estimated number of histories with its standard error.
    estimate: f64,
    standard_error: f64,
}

pub(super) fn run(args: &BenchSampler) -> Outcome {
    let work = Work::begin(None);
    let mut measured = Vec::new();
    for name in &args.cells {
        let all = positions::cells(name);
        let Some((cell, game, row, column)) = all.iter().find(|(cell, ..)| cell == name) else {
            return Err(Failure::new(format!("there is no cell `{name}`; they are r-6-30, b-1-4, g-2-10, ...")));
        };
        for &share in &args.share {
            if work.is_cancelled() {
                break;
            }
            work.say(format!("{cell} after {share} of a match"));
            let position = match positions::played(*game, *row, *column, 1, args.seed, share)? {
                Cell::Positions(mut all) => all.remove(0),
                Cell::Infeasible(why) => return Err(Failure::new(why)),
            };
            measured.extend(measure(cell, &position, args.time)?);
        }
    }
    drop(work);
    let answer = Answer { positions: measured, peak_bytes: crate::limits::peak() };
    match args.format {
        Format::Json => output::json("bench-sampler", &answer),
        Format::Human => print(&answer),
    }
    let slow = answer.positions.is_empty();
    Ok(if slow { FOUND } else { OK })
}

fn measure(cell: &str, position: &Position, time: Duration) -> Result<Option<Measured>, Failure> {
    let start = Instant::now();
    let failed = |error: CspError| Failure::new(format!("{cell}: {error}"));
    let csp = Csp::new(&position.game, &position.view, DEFAULT_MEMORY, &Budget::default()).map_err(failed)?;
    let setup_s = start.elapsed().as_secs_f64();
    let Some(sampler) = csp.sampler() else { return Ok(None) };
    let mut first = sampler.draw(1, false, 100, &Budget::default());
    first.shorten(100);
    if csp.members(&first, &Budget::default()).len() != first.ln_weights.len() {
        return Err(Failure::new(format!("{cell}: a draw is not a member")));
    }
    let first_s = position.load_s + start.elapsed().as_secs_f64();
    let (weighted_per_s, mut tally) = rate(&sampler, false, time);
    let (uniform_per_s, more) = rate(&sampler, true, time);
    tally.add(&more);
    let estimate = sampler.estimate(&tally);
    Ok(Some(Measured {
        cell: cell.to_string(),
        round: position.view.len(),
        load_s: position.load_s,
        setup_s,
        first_s,
        weighted_per_s,
        uniform_per_s,
        effective: tally.effective(),
        accepted: tally.acceptance(),
        estimate: estimate.mean,
        standard_error: estimate.standard_error,
    }))
}

/// Members a second on this thread alone.
fn rate(sampler: &Sampler<'_>, uniform: bool, time: Duration) -> (f64, Tally) {
    let mut worker = Worker::new(sampler);
    let (mut found, mut tally) = (0, Tally::default());
    let start = Instant::now();
    let mut chunk = 0;
    while start.elapsed() < time {
        let draws = worker.chunk(2 + u64::from(uniform), chunk, uniform);
        chunk += 1;
        found += draws.ln_weights.len();
        tally.add(&draws.tally);
    }
    (found as f64 / start.elapsed().as_secs_f64(), tally)
}

fn print(answer: &Answer) {
    let mut lines = vec![format!(
        "{:<8} {:>6} {:>9} {:>9} {:>12} {:>12} {:>6} {:>9}  {}",
        "cell", "round", "set-up s", "first s", "weighted/s", "uniform/s", "worth", "accepted", "histories"
    )];
    for it in &answer.positions {
        lines.push(format!(
            "{:<8} {:>6} {:>9.3} {:>9.3} {:>12.0} {:>12.0} {:>6.3} {:>9.3}  {:.5e} ± {:.1e}",
            it.cell,
            it.round,
            it.setup_s,
            it.first_s,
            it.weighted_per_s,
            it.uniform_per_s,
            it.effective,
            it.accepted,
            it.estimate,
            it.standard_error
        ));
    }
    lines.push(
        "One thread. Set-up: unroll and probe the view; first: a hundred members re-simulated, rules read.".to_string(),
    );
    if let Some(bytes) = answer.peak_bytes {
        lines.push(format!("peak memory {:.0} MB", bytes as f64 / 1e6));
    }
    output::println(&lines.join("\n"));
}
