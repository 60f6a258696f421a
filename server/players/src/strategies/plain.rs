//! The baselines of general game playing: the first move that the role knows to be legal, and a random one.

use percept_game::MoveId;
use percept_infoset::View;
use rand::Rng;

use super::head::{Head, Look};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};

pub(super) struct Plain<'g> {
    head: Head<'g>,
    at_random: bool,
}

impl<'g> Plain<'g> {
    pub(super) fn first(seat: &'g Seat) -> Plain<'g> {
        Plain { head: Head::new(seat), at_random: false }
    }

    pub(super) fn random(seat: &'g Seat) -> Plain<'g> {
        Plain { head: Head::new(seat), at_random: true }
    }
}

impl Player for Plain<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        match self.head.look(view, clock)? {
            Look::Only(only) => Ok(only),
            Look::Among(moves) if self.at_random => Ok(moves[self.head.rng.random_range(0..moves.len())]),
            Look::Among(moves) => Ok(moves[0]),
        }
    }
}
