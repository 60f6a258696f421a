//! A match as one role lives through it. Each round adds to the role's knowledge; results that stay valid are kept.
//!
//! The states of the exact filter and the unrolled network grow by a round. Only probing is repeated for each question,
//! because it looks at all rounds at once.

use std::time::{Duration, Instant};

use percept_game::{Game, RoleId};

use crate::{
    Budget, Stop,
    csp::{Csp, CspError, gates, problem::Problem},
    exact::Filter,
    infoset::{Options, Report, by_dfs, by_probed, from_filter},
    unroll::Unrolled,
};
use percept_game::view::{Round, View};

/// The longest time the exact filter may take for one round. Beyond it, or beyond 1/`FILTER_SHARE` of the memory, the
/// filter is given up for the rest of the match.
const FILTER_TIME: Duration = Duration::from_millis(100);
const FILTER_SHARE: usize = 4;

/// The information set of one role along a match in progress.
///
/// ```no_run
/// # use percept_infoset::{Budget, Follow, Options, Round};
/// # fn next_round() -> Option<Round> { None }
/// # fn example(game: &percept_game::Game) -> Result<(), Box<dyn std::error::Error>> {
/// let mut follow = Follow::new(game, percept_game::RoleId(0), 400 << 20);
/// while let Some(seen) = next_round() {
///     follow.extend(seen, &Budget::default())?;
///     let report = follow.infoset(&Options { limit: 100, ..Options::default() }, &Budget::default())?;
/// }
/// # Ok(()) }
/// ```
pub struct Follow<'a> {
    game: &'a Game,
    view: View,
    memory: usize,
    /// `None` once there were too many states.
    filter: Option<Filter<'a>>,
    /// `None` once the network was too large.
    unrolled: Option<Unrolled<'a>>,
}

impl<'a> Follow<'a> {
    /// Starts before the first round. `memory` is in bytes.
    pub fn new(game: &'a Game, role: RoleId, memory: usize) -> Follow<'a> {
        Follow {
            game,
            view: View { role, rounds: vec![] },
            memory,
            filter: Some(Filter::new(game, memory / FILTER_SHARE)),
            unrolled: Some(Unrolled::new(game, role, gates(memory - memory / FILTER_SHARE))),
        }
    }

    /// Returns everything the role has seen so far.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Adds a round: the role's own move (if the role knows it) and its percepts.
    ///
    /// # Errors
    /// Fails if cancelled; the round is then not added.
    pub fn extend(&mut self, seen: Round, budget: &Budget) -> Result<(), Stop> {
        budget.check()?;
        self.view.rounds.push(seen);
        if let Some(filter) = &mut self.filter {
            let slice = budget.until(Instant::now() + FILTER_TIME);
            if filter.advance(&self.view, &slice, None).is_err() {
                self.filter = None;
            }
        }
        if let (Some(unrolled), Some(seen)) = (&mut self.unrolled, self.view.rounds.last())
            && unrolled.advance(seen, None).is_err()
        {
            self.unrolled = None;
        }
        Ok(())
    }

    /// Returns members of the information set so far, found by the best method ([`crate::Method::Auto`]). The method in
    /// `options` is ignored.
    ///
    /// # Errors
    /// Fails as [`crate::infoset()`] does.
    pub fn infoset(&self, options: &Options, budget: &Budget) -> Result<Report, CspError> {
        let start = Instant::now();
        let mut report = match (&self.filter, &self.unrolled) {
            (Some(filter), _) => {
                let report = from_filter(self.game, &self.view, options, budget, filter);
                Report { why: "there are few states".into(), ..report }
            }
            (None, Some(unrolled)) => {
                let problem = Problem::of(unrolled);
                match Csp::of_problem(self.game, &self.view, problem, self.memory, budget) {
                    Ok(csp) => by_probed(self.game, &self.view, &csp, options, budget)?,
                    Err(CspError::TooLarge(_)) => by_dfs(self.game, &self.view, options, budget),
                    Err(stopped) => return Err(stopped),
                }
            }
            (None, None) => by_dfs(self.game, &self.view, options, budget),
        };
        report.seconds = start.elapsed().as_secs_f64();
        Ok(report)
    }
}
