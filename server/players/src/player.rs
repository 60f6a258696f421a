//! The interface of players.

use percept_game::{Game, MoveId, RoleId};
use percept_infoset::View;

use crate::briefing::Briefing;
use crate::clock::{Clock, Clocks};

/// The data a player receives before a match: the description, its role, the clocks. Nothing in it can hold a state of
/// the match; the game is only the rules.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The game and its text.
    pub briefing: Briefing,
    /// The role it plays.
    pub role: RoleId,
    /// The clocks of its answers.
    pub clocks: Clocks,
    /// The match's identifier.
    pub id: String,
    /// The seed of the player's random choices.
    pub seed: u64,
}

impl Seat {
    /// Returns the rules.
    pub fn game(&self) -> &Game {
        &self.briefing.game
    }

    /// Returns the name of the role.
    pub fn role_name(&self) -> &str {
        &self.game().roles[self.role.0 as usize].name
    }
}

/// The reason why a player has no answer. The manager then moves for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The player gave an answer that is not a move.
    #[error("answered `{0}`, which is not a move")]
    Nonsense(String),
    /// The player gave an answer that cannot be read; the text is the whole message.
    #[error("{0}")]
    Unreadable(String),
    /// The player could not be reached.
    #[error("{0}")]
    Unreachable(String),
    /// The player found no match that fits its percepts.
    #[error("found no match that fits its percepts")]
    Lost,
    /// The player had no time to search for a match that fits its percepts.
    #[error("had no time to determine its legal moves")]
    Hurried,
    /// The player did not answer in time.
    #[error("did not answer in time")]
    Late,
    /// It no longer plays.
    #[error("{0}")]
    Died(String),
}

/// A player of one match. It lives in a thread of its own.
///
/// None of its arguments leads to the state of the match or to another role's moves: it gets a [`Seat`] when it is
/// made, and a [`View`] with every question.
pub trait Player {
    /// Gets ready before the first round.
    ///
    /// # Errors
    /// Returns the reason if it cannot play; the manager still asks it for moves.
    fn prepare(&mut self, clock: &Clock) -> Result<(), Trouble> {
        let _ = clock;
        Ok(())
    }

    /// Chooses a move. `view` holds one round more than at the last call, or several if the match goes on after an
    /// interruption. The own move of a round is the executed one, whatever the answer was.
    ///
    /// # Errors
    /// Returns the reason if it has no move.
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble>;

    /// Called if the match is over, or was given up.
    fn end(&mut self, view: &View) {
        let _ = view;
    }

    /// Returns the number of matches simulated so far; zero for players that simulate none.
    fn simulations(&self) -> u64 {
        0
    }

    /// Returns the player's remark on its play, such as the strategy it picked and the reason.
    fn remark(&self) -> Option<String> {
        None
    }
}
