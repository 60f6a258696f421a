//! The loop of regret minimization between two players, with its limits, its curve and its checkpoints.

use std::time::Instant;

use percept_game::RoleId;
use percept_infoset::{Budget, Stop};

use crate::cfr::{Bracket, Pair};
use crate::options::{Options, Point};
use crate::tree::BuildError;

/// The seconds between two times at which the state of regret minimization is kept.
const KEPT_EVERY: u64 = 60;

/// Minimizes regrets until one of the limits is reached. At least one point of the curve is new. `of`: the role of the
/// first player.
pub(crate) fn minimize(
    pair: &mut Pair<'_>,
    of: RoleId,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Result<(Vec<Point>, Option<Stop>), BuildError> {
    let keep = options.checkpoint.as_ref();
    if let Some(kept) = keep.and_then(|it| it.kept.as_ref()) {
        pair.load(kept).ok_or(BuildError::Checkpoint)?;
    }
    let mut curve = Vec::new();
    let mut stopped = None;
    let is_done = |pair: &Pair<'_>| options.iterations.is_some_and(|most| pair.iterations as u64 >= most);
    let mut look = pair.iterations + 1;
    let mut kept = Instant::now();
    if is_done(pair) {
        note(&mut curve, begin, pair.iterations as u64, (Some(of), pair.bracket()), options);
    }
    while !is_done(pair) {
        pair.iterate();
        stopped = if pair.is_slow() || pair.iterations.is_multiple_of(64) { budget.stop() } else { None };
        if pair.iterations < look && !is_done(pair) && stopped.is_none() {
            continue;
        }
        look = pair.iterations + (pair.iterations / 8).max(1);
        let point = note(&mut curve, begin, pair.iterations as u64, (Some(of), pair.bracket()), options);
        if let Some(keep) = keep.filter(|_| kept.elapsed().as_secs() >= KEPT_EVERY) {
            (keep.keep)(pair.save());
            kept = Instant::now();
        }
        if stopped.is_some() || point.bracket.exploitability() <= options.target {
            break;
        }
    }
    if let Some(keep) = keep {
        (keep.keep)(pair.save());
    }
    Ok((curve, stopped))
}

/// Adds a point to the curve, and tells the listener. `of` and `bracket` are those of the point.
pub(crate) fn note(
    curve: &mut Vec<Point>,
    begin: Instant,
    iterations: u64,
    (of, bracket): (Option<RoleId>, Bracket),
    options: &Options,
) -> Point {
    let point = Point { seconds: begin.elapsed().as_secs_f64(), iterations, bracket, of };
    curve.push(point);
    if let Some(watch) = &options.watch {
        watch(&point);
    }
    point
}
