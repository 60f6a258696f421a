//! The view as clauses for CaDiCaL: proofs that no history has a property, and histories that have it.

mod listing;
mod witness;

pub(crate) use listing::Listing;
pub(crate) use witness::by_sat;

use std::time::Instant;

use percept_game::{Game, JointMove, MoveId, TooLarge};

use crate::{
    Budget, Stop,
    clauses::Clauses,
    csp::{CspError, gates},
    net::Lit,
    unroll::{Properties, Unrolled},
};
use percept_game::view::View;

/// An unrolled view in a solver; grows by rounds.
pub(crate) struct Sat<'a> {
    pub unrolled: Unrolled<'a>,
    view: &'a View,
    clauses: Clauses,
    budget: Budget,
    /// The limits of the next question.
    limited: Budget,
}

impl<'a> Sat<'a> {
    /// Starts before the first round. `most` is the greatest number of gates.
    pub(crate) fn new(game: &'a Game, view: &'a View, most: usize, budget: &Budget) -> Sat<'a> {
        Sat {
            unrolled: Unrolled::new(game, view.role, most),
            view,
            clauses: Clauses::new(budget),
            budget: budget.clone(),
            limited: budget.clone(),
        }
    }

    /// Unrolls the whole view.
    ///
    /// # Errors
    /// Fails if the network would exceed `most`.
    pub(crate) fn of_view(game: &'a Game, view: &'a View, most: usize, budget: &Budget) -> Result<Sat<'a>, CspError> {
        let mut sat = Sat::new(game, view, most, budget);
        while sat.unrolled.rounds() < view.len() {
            budget.check()?;
            sat.advance()?;
        }
        Ok(sat)
    }

    /// Adds the next round and the view's constraints on it.
    ///
    /// # Errors
    /// Fails if the network would exceed `most`, or takes too long.
    pub(crate) fn advance(&mut self) -> Result<(), TooLarge> {
        let count = self.unrolled.required.len();
        self.unrolled.advance(&self.view.rounds[self.unrolled.rounds()], Some(&self.budget))?;
        let net = &self.unrolled.net;
        for choice in self.unrolled.choices.last().into_iter().flatten().filter(|choice| choice.moves.len() > 1) {
            let options: Vec<Lit> = choice.moves.iter().map(|&(_, lit)| lit).collect();
            self.clauses.exactly_one(net, &options);
        }
        for &(_, lit) in &self.unrolled.required[count..] {
            self.clauses.add(net, [lit]);
        }
        Ok(())
    }

    /// Returns the properties that the view's role should know after the rounds so far.
    ///
    /// # Errors
    /// Fails as [`Sat::advance`] does.
    pub(crate) fn properties(&mut self) -> Result<Properties, TooLarge> {
        self.unrolled.properties(Some(&self.budget))
    }

    /// True if every number of a plain game stays in its range after the rounds so far. Always true of games that claim
    /// no ranges.
    ///
    /// # Errors
    /// Fails when interrupted.
    fn stays_inside(&mut self) -> Result<bool, Stop> {
        let Some(outside) = self.unrolled.game().rules.outside() else { return Ok(true) };
        let lit = self.unrolled.stage().0[outside.0 as usize];
        Ok(lit == Lit::FALSE || !self.possible(&[lit])?)
    }

    /// Sets the time at which all further questions are given up. The budget's deadline also applies.
    pub(crate) fn limit(&mut self, deadline: Option<Instant>) {
        self.limited = deadline.map_or_else(|| self.budget.clone(), |deadline| self.budget.until(deadline));
        self.clauses.limit(&self.limited);
    }

    /// Adds a clause over literals of the network.
    pub(crate) fn require_any(&mut self, lits: &[Lit]) {
        self.clauses.add(&self.unrolled.net, lits.iter().copied());
    }

    /// True if there is a history in which all `assumed` literals hold, too.
    ///
    /// # Errors
    /// Fails when interrupted.
    pub(crate) fn possible(&mut self, assumed: &[Lit]) -> Result<bool, Stop> {
        self.limited.check()?;
        let answer = self.clauses.solve(&self.unrolled.net, assumed);
        answer.ok_or_else(|| self.limited.stop().unwrap_or(Stop::OutOfTime))
    }

    /// After an impossible query: true if this assumption took part in the contradiction.
    fn blamed(&mut self, lit: Lit) -> bool {
        self.clauses.blamed(&self.unrolled.net, lit)
    }

    /// After a possible query: true if a literal of the network that was part of a query holds in the history found.
    pub(crate) fn holds(&self, lit: Lit) -> bool {
        self.clauses.value(lit)
    }

    /// After a possible query: the history found, as far as it was unrolled.
    pub(crate) fn history(&self) -> Vec<JointMove> {
        let mv = |choice: &crate::unroll::Choice| match choice.moves[..] {
            [(mv, _)] => mv,
            _ => choice.moves.iter().find(|&&(_, lit)| self.clauses.value(lit)).map_or(MoveId::NOOP, |&(mv, _)| mv),
        };
        self.unrolled.choices.iter().map(|roles| roles.iter().map(mv).collect()).collect()
    }
}

/// Returns the first round (from 1) whose percepts no history explains, if there is one.
///
/// # Errors
/// Fails when interrupted, or if the network would be too large.
pub fn impossible_round(game: &Game, view: &View, memory: usize, budget: &Budget) -> Result<Option<usize>, CspError> {
    let mut sat = Sat::new(game, view, gates(memory), budget);
    for round in 1..=view.len() {
        budget.check()?;
        sat.advance()?;
        if !sat.possible(&[])? {
            return Ok(Some(round));
        }
    }
    Ok(None)
}
