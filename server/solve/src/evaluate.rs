//! The values of given strategies, however many positions they have.

use percept_game::Game;
use percept_infoset::Budget;

use crate::blocks::Blocks;
use crate::respond::{Profile, RespondError, Responses, respond};
use crate::tree::Space;

/// The bytes of positions from which on strategies are evaluated over blocks, if that is possible.
const LARGE: usize = 512 << 20;

impl Profile<'_> {
    /// True if it was found over blocks: then it has too many positions.
    fn is_of_blocks(&self) -> bool {
        matches!(self, Profile::Table(strategy) if !strategy.is_by_entries())
    }

    /// The approximate number of bytes that the strategies take.
    fn bytes(&self) -> usize {
        if let Profile::Table(strategy) = self { strategy.bytes() } else { 0 }
    }
}

/// Like [`respond()`]; if there are too many positions, the values are those over [`Blocks`]. Positions may take the
/// whole space, blocks and strategies together 15/8 of it, as in [`crate::solve()`].
///
/// # Errors
/// Those of [`respond()`] and [`Blocks::build`].
pub fn evaluate(game: &Game, profile: Profile<'_>, space: &Space, budget: &Budget) -> Result<Responses, RespondError> {
    let small = Space { bytes: space.bytes.min(LARGE) };
    if !profile.is_of_blocks() {
        match respond(game, profile, &small, budget) {
            Err(RespondError::TooLarge { .. }) => {}
            found => return found,
        }
    }
    let whole = Space { bytes: (space.bytes / 8 * 15).saturating_sub(profile.bytes()) };
    let without = match Blocks::build(game, &whole, budget) {
        Ok(Some(blocks)) => return blocks.respond(game, profile, &whole, budget),
        Err(error @ RespondError::TooLarge { .. }) => Some(error),
        Err(error @ RespondError::Stopped(_)) => return Err(error),
        _ => None,
    };
    respond(game, profile, space, budget).map_err(|error| match (error, without) {
        (RespondError::TooLarge { .. }, Some(without)) => without,
        (error, _) => error,
    })
}
