//! Constraint search on the unrolled match. It completes the paper's idea: a variable per unknown move, and propagation
//! between the rounds.
//!
//! 1. `Unrolled`: the match as one network, with the view put in.
//! 2. [`engine`]: three-valued propagation in both directions.
//! 3. [`probe`]: the consequences of each single option, and the options that exclude each other.
//! 4. [`sampler`]: weighted or exactly uniform members without search; [`listing`]: all of them, by search.

mod bound;
pub(crate) mod engine;
mod listing;
mod probe;
pub(crate) mod problem;
pub mod sampler;
mod support;
mod sweep;

use std::time::{Duration, Instant};

use percept_game::{Game, Limit, TooLarge};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{Budget, Stop, member::Member, unroll::Unrolled};
use percept_game::view::View;
use probe::Compatible;
use problem::Problem;
use sampler::{Draws, Sampler};

/// The most options; the matrix of more options would not fit the memory.
const MOST_OPTIONS: usize = 30_000;

/// The longest time for probing; it also takes half the remaining time at most.
const LONGEST_PROBING: Duration = Duration::from_secs(10);

/// Histories replayed between two checks of the clock.
const REPLAYED: usize = 32;

/// The number of gates that fit `memory` bytes: a gate takes about a hundred in the network and the engine together.
pub(crate) fn gates(memory: usize) -> usize {
    memory / 100
}

/// The reason why the view could not be made a constraint problem.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CspError {
    /// A round is too large for its budget.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The budget was spent.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// A view, ready to be sampled or listed.
pub struct Csp<'a> {
    game: &'a Game,
    view: &'a View,
    /// `None` if the information set is empty.
    probed: Option<(Problem, Compatible)>,
}

impl<'a> Csp<'a> {
    /// Unrolls and probes a view. `memory` is in bytes.
    ///
    /// # Errors
    /// Fails if the network or its matrix would be too large, or on interruption.
    pub fn new(game: &'a Game, view: &'a View, memory: usize, budget: &Budget) -> Result<Csp<'a>, CspError> {
        let mut unrolled = Unrolled::new(game, view.role, gates(memory));
        for seen in &view.rounds {
            budget.check()?;
            budget.report("rounds unrolled", unrolled.rounds(), Some(view.len()));
            unrolled.advance(seen, Some(budget))?;
        }
        let problem = Problem::of(&unrolled);
        drop(unrolled);
        Csp::of_problem(game, view, problem, memory, budget)
    }

    /// Probes the problem of a view.
    ///
    /// # Errors
    /// Fails if the matrix would be too large, or on interruption.
    pub(crate) fn of_problem(
        game: &'a Game,
        view: &'a View,
        problem: Problem,
        memory: usize,
        budget: &Budget,
    ) -> Result<Csp<'a>, CspError> {
        let Some(problem) = probe::propagated(problem) else {
            return Ok(Csp { game, view, probed: None });
        };
        if problem.option_count() > MOST_OPTIONS || Compatible::bytes(&problem) > memory / 2 {
            let what = format!("the matrix of {} open moves", problem.option_count());
            return Err(TooLarge { what, limit: Limit::Nodes(MOST_OPTIONS) }.into());
        }
        let now = Instant::now();
        let left = budget.deadline.map_or(LONGEST_PROBING, |deadline| deadline.saturating_duration_since(now) / 2);
        Ok(Csp { game, view, probed: probe::probed(problem, now + left.min(LONGEST_PROBING), budget)? })
    }

    /// Returns the stage graph; `None` if probing has shown that the information set is empty.
    pub fn problem(&self) -> Option<&Problem> {
        self.probed.as_ref().map(|(problem, _)| problem)
    }

    /// Returns a sampler of the members; `None` if there are none.
    pub fn sampler(&self) -> Option<Sampler<'_>> {
        self.probed.as_ref().map(|(problem, matrix)| Sampler::new(problem, matrix))
    }

    /// Returns a listing of all members.
    pub fn listing(&self, budget: Budget) -> Option<listing::Listing<'_>> {
        self.problem().map(|problem| listing::Listing::new(self.game, self.view, problem, budget))
    }

    /// Simulates the drawn histories again, in the order of the draws, as far as time allows: at least the first few.
    /// There are fewer only if the network is not faithful.
    pub fn members(&self, draws: &Draws, budget: &Budget) -> Vec<Member> {
        let Some(problem) = self.problem() else {
            return vec![];
        };
        let width = problem.groups.len();
        let options = |index: usize| &draws.options[index * width..(index + 1) * width];
        // In a small set the same history is drawn again and again.
        let mut first: FxHashMap<&[u16], usize> = FxHashMap::default();
        let mut different = Vec::new();
        let which: Vec<usize> = (0..draws.ln_weights.len())
            .map(|index| {
                *first.entry(options(index)).or_insert_with(|| {
                    different.push(index);
                    different.len() - 1
                })
            })
            .collect();
        let replayed = |&index: &usize| {
            let history = problem.history(|group| options(index)[group] as usize);
            Member::checked(self.game, self.view, history)
        };
        let mut members: Vec<Option<Member>> = Vec::new();
        for part in different.chunks(REPLAYED) {
            if !members.is_empty() && budget.stop().is_some() {
                break;
            }
            members.par_extend(part.par_iter().map(replayed));
        }
        // Stops at the first draw that was not replayed.
        let looked_at =
            which.iter().zip(&draws.ln_weights).map_while(|(&at, &ln_weight)| Some((members.get(at)?, ln_weight)));
        let member = |(member, ln_weight): (&Option<Member>, f64)| Some(Member { ln_weight, ..member.clone()? });
        looked_at.filter_map(member).collect()
    }
}
