//! A person in a match, from the manager's side.

use std::sync::Arc;
use std::time::{Duration, Instant};

use percept_game::Game;
use percept_players::{Absence, Clock, Person, Sight};

use crate::lines::Thought;
use crate::place::{Follows, Place, Question, Reply};
use crate::table::Table;
use crate::wire::{self, Message, Turn};

/// A person who plays one match at its place.
pub(crate) struct Chair {
    pub table: Arc<Table>,
    pub place: Arc<Place>,
    /// The index of the player.
    pub player: usize,
    /// The number of the match.
    pub number: u64,
    /// The time for each move.
    pub clock: Option<Duration>,
}

impl Person for Chair {
    fn choose(&self, game: &Game, sight: &Sight, _: &Clock) -> Result<usize, Absence> {
        let moves: Vec<String> = sight.moves.iter().map(ToString::to_string).collect();
        let has_left = self.place.has_left();
        let turn = if has_left || moves.len() < 2 { Turn::Others } else { Turn::You };
        let shown = wire::seat(game, self.table.layout(), sight, turn);
        if has_left || moves.len() < 2 {
            self.place.show(shown, Follows::Beginning);
            return match (has_left, moves.is_empty()) {
                (true, _) => Err(Absence::Replaced),
                // Without a move that the role knows, the manager moves for it.
                (false, true) => Err(Absence::Left),
                (false, false) => Ok(0),
            };
        }
        let (begin, count) = (Instant::now(), moves.len());
        let question = Question { number: self.number, round: sight.round, moves };
        let reply = self.place.ask(question, shown, self.clock, Message::Late { round: sight.round }.shown());
        let late = reply == Reply::Late;
        if late || matches!(reply, Reply::Chosen(_)) {
            let seconds = (begin.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
            self.table.thought(Thought { player: self.player, seconds, moves: count, late });
        }
        match reply {
            Reply::Chosen(at) => Ok(at),
            Reply::Late => Err(Absence::Late),
            Reply::Left => Err(Absence::Replaced),
            Reply::Closed => Err(Absence::Left),
        }
    }

    fn over(&self, game: &Game, sight: &Sight) {
        self.place.show(wire::seat(game, self.table.layout(), sight, Turn::Over), Follows::Beginning);
    }

    fn crashed(&self) {
        self.table.fail();
    }
}
