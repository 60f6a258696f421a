//! The strongest that there is for the game and the clock: the table of the solved game where solving it proves
//! something and fits half of the start clock; else information-set tree search.

use std::sync::Arc;

use percept_game::MoveId;
use percept_infoset::View;

use super::equilibrium::{ByTable, Equilibrium, Otherwise};
use super::ismcts::{Choice, Ismcts};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};

/// A table that loses more than so many points to a best response is not followed.
const GOOD: f64 = 1.0;

pub struct Auto<'g> {
    seat: &'g Seat,
    source: Arc<Equilibrium>,
    chosen: Box<dyn Player + 'g>,
    why: String,
}

impl<'g> Auto<'g> {
    pub fn new(seat: &'g Seat, source: Arc<Equilibrium>) -> Auto<'g> {
        Auto { seat, source, chosen: Box::new(Ismcts::new(seat, Choice::default())), why: "ismcts".into() }
    }
}

impl Player for Auto<'_> {
    fn prepare(&mut self, clock: &Clock) -> Result<(), Trouble> {
        let solved = self.source.of(self.seat, &clock.share(0.5), Otherwise::GiveUp);
        self.why = match solved {
            Some(solved) if solved.has_value && solved.exploitability.is_some_and(|points| points <= GOOD) => {
                let why = format!("equilibrium: the game was solved ({})", solved.about);
                self.chosen = Box::new(ByTable::with(self.seat, self.source.clone(), solved));
                return self.say(why);
            }
            Some(solved) if solved.has_value => {
                format!("ismcts: the solution was not good enough in time ({})", solved.about)
            }
            Some(_) => "ismcts: the roles' goals are not opposed, so no table is safe".into(),
            None => "ismcts: the game was not solved in the time and memory there is".into(),
        };
        Ok(())
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        self.chosen.choose(view, clock)
    }

    fn remark(&self) -> Option<String> {
        let more = self.chosen.remark().filter(|_| self.why.starts_with("ismcts"));
        Some(more.map_or_else(|| self.why.clone(), |more| format!("{}; {more}", self.why)))
    }
}

impl Auto<'_> {
    fn say(&mut self, why: String) -> Result<(), Trouble> {
        self.why = why;
        Ok(())
    }
}
