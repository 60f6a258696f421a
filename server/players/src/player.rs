//! What a player is.

use percept_game::{Game, MoveId, RoleId};
use percept_infoset::View;

use crate::briefing::Briefing;
use crate::clock::{Clock, Clocks};

/// What a player is told before a match: the description, its role, the clocks. Nothing in it can hold a state of the
/// match; the game is the rules.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The game and its text.
    pub briefing: Briefing,
    /// Whom it plays.
    pub role: RoleId,
    /// For its answers.
    pub clocks: Clocks,
    /// The match's identifier.
    pub id: String,
    /// For whatever the player does at random.
    pub seed: u64,
}

impl Seat {
    /// The rules.
    pub fn game(&self) -> &Game {
        &self.briefing.game
    }

    /// The name of the role.
    pub fn role_name(&self) -> &str {
        &self.game().roles[self.role.0 as usize].name
    }
}

/// Why a player has no answer. The manager moves for it then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It answered something that is not a move.
    #[error("answered `{0}`, which is not a move")]
    Nonsense(String),
    /// It answered something that cannot be read; said as a whole.
    #[error("{0}")]
    Unreadable(String),
    /// It could not be asked.
    #[error("{0}")]
    Unreachable(String),
    /// It found no match that fits what it was told.
    #[error("found no match that fits what it was told")]
    Lost,
    /// It had no time to look for a match that fits what it was told.
    #[error("had no time to find out what it may do")]
    Hurried,
    /// It did not answer in time.
    #[error("did not answer in time")]
    Late,
    /// It does not play any more.
    #[error("{0}")]
    Died(String),
}

/// A player of one match. It lives in a thread of its own.
///
/// Nothing it is handed leads to the state of the match or to another role's moves: a [`Seat`] when it is made, a
/// [`View`] with every question.
pub trait Player {
    /// Gets ready before the first round.
    ///
    /// # Errors
    /// Why it cannot play; it is asked all the same.
    fn prepare(&mut self, clock: &Clock) -> Result<(), Trouble> {
        let _ = clock;
        Ok(())
    }

    /// Chooses a move. `view` holds a round more than at the last call, for which the own move is the one that was
    /// executed, whatever was answered.
    ///
    /// # Errors
    /// Why there is no answer.
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble>;

    /// The match is over, or was given up.
    fn end(&mut self, view: &View) {
        let _ = view;
    }

    /// How many matches it has simulated so far; zero for players that simulate none.
    fn simulations(&self) -> u64 {
        0
    }

    /// What the player wants known of how it plays, such as which strategy it picked and why.
    fn remark(&self) -> Option<String> {
        None
    }
}
