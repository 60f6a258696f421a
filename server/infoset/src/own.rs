//! Whether a role knows its own moves: one notion, for everything that speaks of it.
//!
//! In GDL-II a role knows the moves it makes, by definition of the language ([`Game::knows_own_moves`]). In POGDDL it is told
//! of them by messages, or not. *A role knows its own moves* where its view determines them: of any two histories of the same
//! length that it cannot tell apart, neither of them over before its last round, the move it made in the last round is the
//! same. (So it is in every round, for the beginnings of histories that look alike look alike.) To do nothing, because it is
//! the turn of another role, is a move as well: a role that cannot tell whether it moved does not know its move.
//!
//! This is [`Property::Own`]: what [`crate::observe()`] says of the rounds of a match, and [`crate::prove`] of all matches. What
//! a view tells of the moves in it, once all of it is seen, is [`told`].
//!
//! **Perfect recall** (Kuhn, "Extensive games and the problem of information", 1953) asks for less in one way and more in
//! another: at each of its decisions a role must know what it saw and did at the earlier ones. A role that always knows its
//! own moves and its legal moves has perfect recall, so no tree of `percept-solve` refuses it for having forgotten what it
//! did. It may have perfect recall without knowing its own moves at once: where a message tells them a round later, but before
//! its next decision, or where there is none.

use percept_game::{Game, MoveId};

use crate::csp::{CspError, gates};
use crate::net::Lit;
use crate::sat::Sat;
use crate::{Budget, Property, Stop, View};

/// What a game is asked where nobody says what: of a game that tells a role its moves by definition, not about these.
pub fn asked(game: &Game) -> Vec<Property> {
    let own = (!game.knows_own_moves).then_some(Property::Own);
    Property::ALL.into_iter().chain(own).collect()
}

/// Whether an answer that nobody asked for is not worth a word: that a role knows its own moves goes without saying.
pub fn goes_without_saying(property: Property, is_known: bool) -> bool {
    property == Property::Own && is_known
}

/// The own moves that a view tells: per round the move that the role made in every history of the view. `None` where two
/// histories differ, or where it was not proved in time that none do.
///
/// # Errors
/// Where the unrolled view would exceed `memory` bytes, or the work was cancelled.
pub fn told(game: &Game, view: &View, memory: usize, budget: &Budget) -> Result<Vec<Option<MoveId>>, CspError> {
    if game.knows_own_moves {
        return Ok(view.rounds.iter().map(|round| round.own).collect());
    }
    let own = view.role.0 as usize;
    let mut sat = Sat::of_view(game, view, gates(memory), budget)?;
    let nothing = vec![None; view.len()];
    let found = |stop| if stop == Stop::Cancelled { Err(CspError::from(stop)) } else { Ok(nothing.clone()) };
    match sat.possible(&[]) {
        Ok(true) => {}
        Ok(false) => return Ok(nothing),
        Err(stop) => return found(stop),
    }
    let mut made: Vec<Option<MoveId>> = sat.history().iter().map(|joint| Some(joint[own])).collect();
    loop {
        let choices = &sat.unrolled.choices;
        let others = |(round, mv): (usize, &Option<MoveId>)| {
            let mv = (*mv)?;
            let other = choices[round][own].moves.iter().filter(move |(known, _)| *known != mv);
            Some(other.map(|&(_, lit)| lit).collect::<Vec<Lit>>())
        };
        let others: Vec<Lit> = made.iter().enumerate().filter_map(others).flatten().collect();
        let differs = sat.unrolled.net.or(others);
        if differs == Lit::FALSE {
            return Ok(made);
        }
        match sat.possible(&[differs]) {
            Ok(false) => return Ok(made),
            Ok(true) => {
                let (history, before) = (sat.history(), made.clone());
                made.iter_mut().zip(&history).for_each(|(made, joint)| *made = made.filter(|mv| *mv == joint[own]));
                if made == before {
                    // Cannot be: another move was made in one of the rounds.
                    return Ok(nothing);
                }
            }
            Err(stop) => return found(stop),
        }
    }
}
