//! The common parts of all players that search: belief, dice, and a check if there is more than one move.

use percept_game::{Game, MoveId, RoleId};
use percept_infoset::View;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::belief::Belief;
use crate::clock::Clock;
use crate::player::{Seat, Trouble};

pub(super) struct Head<'g> {
    pub game: &'g Game,
    pub role: RoleId,
    pub belief: Belief<'g>,
    pub rng: Xoshiro256PlusPlus,
}

/// The moves to choose from.
pub(super) enum Look {
    /// The only legal move.
    Only(MoveId),
    /// There are several moves.
    Among(Vec<MoveId>),
}

impl<'g> Head<'g> {
    pub(super) fn new(seat: &'g Seat) -> Head<'g> {
        Head {
            game: seat.game(),
            role: seat.role,
            belief: Belief::new(seat.game(), seat.role, seat.seed).guessing(seat.briefing.guess.clone()),
            rng: Xoshiro256PlusPlus::seed_from_u64(seat.seed),
        }
    }

    /// Adds the new rounds to the belief, and returns the moves to choose from.
    pub(super) fn look(&mut self, view: &View, clock: &Clock) -> Result<Look, Trouble> {
        self.belief.observe(view, false, clock);
        let moves = self.belief.moves();
        match moves[..] {
            [] if self.belief.is_behind() || clock.is_over() => Err(Trouble::Hurried),
            [] => Err(Trouble::Lost),
            [only] => Ok(Look::Only(only)),
            _ => Ok(Look::Among(moves)),
        }
    }

    /// The move with the greatest value; a random one if several have it.
    pub(super) fn best(&mut self, values: impl Iterator<Item = (MoveId, f64)>) -> Option<MoveId> {
        let (mut best, mut greatest, mut ties) = (None, f64::NEG_INFINITY, 0u32);
        for (mv, value) in values {
            if best.is_none() || value > greatest + 1e-9 {
                (best, greatest, ties) = (Some(mv), value, 1);
            } else if value > greatest - 1e-9 {
                ties += 1;
                if self.rng.random_range(0..ties) == 0 {
                    best = Some(mv);
                }
            }
        }
        best
    }
}
