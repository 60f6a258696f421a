//! A person in a match, from the manager's side.

use std::sync::Arc;

use percept_game::Game;
use percept_players::{Clock, Person, Sight};
use percept_report::board::Layout;

use crate::place::{Follows, Place, Question};
use crate::wire;

/// A person who plays one match at its place.
pub(crate) struct Chair {
    pub place: Arc<Place>,
    pub layout: Arc<Layout>,
    /// The number of the match.
    pub number: u64,
}

impl Person for Chair {
    fn choose(&self, game: &Game, sight: &Sight, _: &Clock) -> Option<usize> {
        let shown = wire::seat(game, &self.layout, sight, false);
        let moves: Vec<String> = sight.moves.iter().map(ToString::to_string).collect();
        if moves.len() < 2 {
            self.place.show(shown, Follows::Beginning);
            // Without a move that the role knows, the manager moves for it.
            return (!moves.is_empty()).then_some(0);
        }
        self.place.ask(Question { number: self.number, round: sight.round, moves }, shown)
    }

    fn over(&self, game: &Game, sight: &Sight) {
        self.place.show(wire::seat(game, &self.layout, sight, true), Follows::Beginning);
    }
}
