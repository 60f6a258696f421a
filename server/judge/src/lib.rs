//! # percept-judge: the behaviour of a game in all its matches
//!
//! In: a [`percept_game::Game`] and its texts. Out: [`Finding`]s, each with a place in the text and with a match that
//! shows it or the reason why it is true in every match; and the [`properties`] of a well-formed game that `percept
//! play` lists. Nothing here is guessed: without a match or a proof within the bounds there is no finding.
//!
//! ```text
//! every state, while the bounds last (exhaust) -> random matches for the rest (matches) -> a solver (solver)
//!        \ all show states and rounds to the rules (watch), which give the solver their targets /
//!  rules: the observations of each, and what never occurred although every state was shown -> findings
//! ```
//!
//! [`coverage`] plays random matches and counts the rules, conditions and percepts that they met.
//!
//! A rule is one file in `rules/` with its page beside it; only the list in `rules/mod.rs` connects it to the rest.
//!
//! Never known here: findings of the text alone (`percept-analysis`), editors, files and folders.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | add a rule to `check` that needs matches | `rules`: one file and one page per rule; it is shown every state and round |
//! | name a cause behind several findings | `causes`: a match is played again with a fluent kept |
//! | judge another property for `play`, or prove an end differently | `properties`, `server/game/src/bound` |
//! | visit more states, or play better matches to judge a game | `exhaust.rs`, `matches.rs` |
//! | count other things over random matches | `coverage.rs` |

#![warn(missing_docs, unreachable_pub)]

mod case;
mod causes;
mod cells;
pub mod coverage;
mod exhaust;
mod finding;
mod matches;
mod mends;
mod probe;
pub mod properties;
pub mod rules;
mod solver;
mod watch;
mod why;

use std::time::{Duration, Instant};

pub use case::Case;
pub use exhaust::{Bounds, Exhausted, GaveUp, Undeclared, exhaust, turn_fluents, turns};
pub use finding::{Evidence, Finding};
use percept_infoset::{Budget, Steps, Stop};
pub use percept_syntax::finding::{FileId, Fix, Place, Rule, Severity};
pub use watch::{Extent, Occasion, Watch};

/// The effort of the judge.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Limits on the visit of every state.
    pub bounds: Bounds,
    /// The number of random matches if not every state was visited, and of rounds in each.
    pub matches: u64,
    /// The most rounds of a match.
    pub rounds: usize,
    /// The seed of the random moves.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { bounds: Bounds::default(), matches: 2_000, rounds: 1_000, seed: 0 }
    }
}

/// The default time for a game.
pub const TIME: Duration = Duration::from_secs(1);

/// Extra time for causes.
const GRACE: Duration = Duration::from_millis(150);

/// The most repairs of one finding: no author reads a longer menu.
const FIXES: usize = 14;

/// The clock ends work that takes this many times as long as planned.
const PATIENCE: u32 = 5;

/// The budget for judging a game that takes this time on a usual machine. It is counted in steps, so that a slow or
/// busy machine finds the same; the clock is the outer limit.
pub fn budget(time: Duration) -> Budget {
    let deadline = Instant::now().checked_add(time.saturating_mul(PATIENCE));
    Budget { deadline, steps: Some(Steps::new(steps(time))), ..Budget::default() }
}

fn steps(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}

/// The findings, and the extent of the search.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The findings, in the order of the rules.
    pub findings: Vec<Finding>,
    /// The extent of the search.
    pub extent: Extent,
}

/// Judges a game: visits every state within the bounds and a part of the time, and plays matches for the rest.
pub fn judge(case: &Case<'_>, options: &Options, budget: &Budget) -> Judgement {
    let mut watches = rules::watches(case, budget);
    // If there are too many states, the beginning of the game has been visited, and matches cover the rest.
    let visit = budget.share(3);
    let visited = exhaust::visit(case.game, &options.bounds, &visit, &mut watches);
    let mut extent = Extent { every_state: visited.is_ok(), ..Extent::default() };
    match visited {
        Ok(states) => extent.states = states,
        Err(gave_up) => {
            extent.gave_up = Some(gave_up);
            extent.by_clock = is_late(&visit);
            let play = budget.share(2);
            matches::play(case.game, options, &play, &mut watches, &mut extent);
            extent.by_clock |= is_late(&play);
            // The rest of the time is for the proofs of the rules at the end.
            let solve = budget.share(2);
            solver::search(case, &solve, &mut watches);
            extent.by_clock |= is_late(&solve);
        }
    }
    let findings = finish(case, watches, &extent);
    let mut findings = causes::told_once(case, findings, &with_grace(budget));
    findings.iter_mut().for_each(|finding| finding.fixes.truncate(FIXES));
    Judgement { findings, extent }
}

/// True if the clock ended a part of the work that has steps left.
fn is_late(part: &Budget) -> bool {
    part.stop() == Some(Stop::OutOfTime)
}

/// A budget with extra time if none is left, because symptoms without their cause are worth little.
fn with_grace(budget: &Budget) -> Budget {
    let deadline = budget.deadline.map(|deadline| deadline.max(Instant::now() + GRACE));
    Budget { deadline, ..budget.with_at_least(steps(GRACE)) }
}

/// Collects the findings of the rules. If the game's own rules exceeded a limit, the observations may be wrong, and
/// that is the only finding.
fn finish(case: &Case<'_>, watches: Vec<Box<dyn Watch + '_>>, extent: &Extent) -> Vec<Finding> {
    if let Some(fault) = case.game.rules.fault() {
        return rules::impossible_number(case, fault).into_iter().collect();
    }
    let mut findings: Vec<Finding> = watches.into_iter().flat_map(|watch| watch.finish(case, extent)).collect();
    // If matches end too early, many things never happen: one cause, one finding.
    if findings.iter().any(|finding| rules::ends_early(finding.rule)) {
        findings.retain(|finding| finding.witness().is_some());
    }
    if findings.iter().any(|finding| finding.rule.name == "two-turns") {
        findings.retain(|finding| finding.rule.name != "action-without-turn");
    }
    findings
}
