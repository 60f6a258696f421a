//! Members by repeated solving. Random polarities steer the solver, and blocking clauses keep the members distinct. An
//! unsatisfiable rest proves that there are no more. The distribution of the members is not specified.

use percept_game::Game;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Sat;
use crate::{
    Budget, Stop,
    csp::{CspError, gates},
    member::{Member, Members},
    net::Lit,
};
use percept_game::view::View;

pub(crate) struct Listing<'a> {
    game: &'a Game,
    view: &'a View,
    sat: Sat<'a>,
    rng: Xoshiro256PlusPlus,
    complete: bool,
    stopped: Option<Stop>,
}

impl<'a> Listing<'a> {
    /// # Errors
    /// Fails if the network would be too large.
    pub(crate) fn new(
        game: &'a Game,
        view: &'a View,
        memory: usize,
        seed: u64,
        budget: &Budget,
    ) -> Result<Listing<'a>, CspError> {
        let sat = Sat::of_view(game, view, gates(memory), budget)?;
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Listing { game, view, sat, rng, complete: false, stopped: None })
    }

    /// Assumes a random move for every open choice, and gives up the assumptions that contradict.
    fn solve(&mut self) -> Result<bool, Stop> {
        let mut wishes: Vec<Lit> = Vec::new();
        for choice in self.sat.unrolled.choices.iter().flatten().filter(|choice| choice.moves.len() > 1) {
            wishes.push(choice.moves[self.rng.random_range(0..choice.moves.len())].1);
        }
        while !wishes.is_empty() {
            if self.sat.possible(&wishes)? {
                return Ok(true);
            }
            let mut blamed: Vec<bool> = wishes.iter().map(|&lit| self.sat.blamed(lit)).collect();
            if !blamed.contains(&true) {
                break;
            }
            // Giving up one at a time would need a call for each; giving up half of them keeps the calls few.
            for (index, flag) in blamed.iter_mut().filter(|flag| **flag).enumerate() {
                *flag = index == 0 || self.rng.random();
            }
            let mut flags = blamed.into_iter();
            wishes.retain(|_| !flags.next().unwrap_or(true));
        }
        self.sat.possible(&[])
    }

    fn block(&mut self, member: &[Vec<percept_game::MoveId>]) {
        let mut clause = Vec::new();
        for (joint, roles) in member.iter().zip(&self.sat.unrolled.choices) {
            for (mv, choice) in joint.iter().zip(roles).filter(|(_, choice)| choice.moves.len() > 1) {
                clause.extend(choice.moves.iter().filter(|(other, _)| other == mv).map(|&(_, lit)| !lit));
            }
        }
        // An empty clause ends the search: there is only one history.
        self.sat.require_any(&if clause.is_empty() { vec![Lit::FALSE] } else { clause });
    }
}

impl Iterator for Listing<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        while !self.complete && self.stopped.is_none() {
            match self.solve() {
                Err(stop) => self.stopped = Some(stop),
                Ok(false) => self.complete = true,
                Ok(true) => {
                    let history = self.sat.history();
                    self.block(&history);
                    if let Some(member) = Member::checked(self.game, self.view, history) {
                        return Some(member);
                    }
                }
            }
        }
        None
    }
}

impl Members for Listing<'_> {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    fn complete(&self) -> bool {
        self.complete
    }
}
