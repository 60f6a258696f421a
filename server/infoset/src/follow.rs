//! A match as one role lives through it: each round adds to what is known, nothing is computed again that stays true.
//!
//! The states of the exact filter and the unrolled network grow by a round. What is made anew for each question is the
//! probing, which looks at all rounds at once.

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

/// The exact filter may take so long for one round, and so much of the memory, before it is given up for the rest of
/// the match.
const FILTER_TIME: Duration = Duration::from_millis(100);
const FILTER_SHARE: usize = 4;

/// The information set of one role along a match that goes on.
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
    /// Before the first round. `memory`: bytes.
    pub fn new(game: &'a Game, role: RoleId, memory: usize) -> Follow<'a> {
        Follow {
            game,
            view: View { role, rounds: vec![] },
            memory,
            filter: Some(Filter::new(game, memory / FILTER_SHARE)),
            unrolled: Some(Unrolled::new(game, role, gates(memory - memory / FILTER_SHARE))),
        }
    }

    /// All that the role has seen so far.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Adds a round: the role's own move (where it knows it) and its percepts.
    ///
    /// # Errors
    /// When cancelled; the round is then not added.
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

    /// Members of the information set so far, by whatever method is best ([`crate::Method::Auto`]; the method asked for
    /// in `options` does not count).
    ///
    /// # Errors
    /// As [`crate::infoset()`].
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
