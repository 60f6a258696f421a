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

use percept_game::view::replay;
use percept_game::{Game, JointMove, MoveId};

use crate::csp::gates;
use crate::net::Lit;
use crate::sat::Sat;
use crate::{Budget, Property, View};

/// What a game is asked where nobody says what: of a game that tells a role its moves by definition, not about these.
pub fn asked(game: &Game) -> Vec<Property> {
    let own = (!game.knows_own_moves).then_some(Property::Own);
    Property::ALL.into_iter().chain(own).collect()
}

/// Whether an answer that nobody asked for is not worth a word: that a role knows its own moves goes without saying.
pub fn goes_without_saying(property: Property, is_known: bool) -> bool {
    property == Property::Own && is_known
}

/// What a view tells of the move that the role made in one of its rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// It made this move in every history of the view.
    Made(MoveId),
    /// Two histories differ in it.
    Nothing,
    /// Neither was found within the limits.
    Undecided,
}

impl Told {
    /// The move, where it is known.
    pub fn made(self) -> Option<MoveId> {
        match self {
            Told::Made(mv) => Some(mv),
            Told::Nothing | Told::Undecided => None,
        }
    }
}

/// What a view tells of the own moves in it, round by round, as far as that is found out within the budget's limits and
/// `memory` bytes. Where the language tells a role its own moves, they are in the view.
pub fn told(game: &Game, view: &View, memory: usize, budget: &Budget) -> Vec<Told> {
    if game.knows_own_moves {
        return view.rounds.iter().map(|round| round.own.map_or(Told::Undecided, Told::Made)).collect();
    }
    let mut told = vec![Told::Undecided; view.len()];
    if let Ok(mut sat) = Sat::of_view(game, view, gates(memory), budget) {
        let is_settled = narrow(game, view, &mut sat, &mut told);
        if is_settled.is_none() {
            told.iter_mut().filter(|it| it.made().is_some()).for_each(|it| *it = Told::Undecided);
        }
    }
    told
}

/// Begins with the moves of one history, and gives up those in which another one differs, until none does. `None` where that was
/// not found out.
fn narrow(game: &Game, view: &View, sat: &mut Sat<'_>, told: &mut [Told]) -> Option<()> {
    let own = view.role.0 as usize;
    // Where numbers are followed loosely, what the solver finds may not be a history.
    let history = |sat: &Sat<'_>| Some(sat.history()).filter(|history| replay(game, view, history).is_ok());
    if !sat.possible(&[]).ok()? {
        return None;
    }
    let first = history(sat)?;
    told.iter_mut().zip(&first).for_each(|(told, joint)| *told = Told::Made(joint[own]));
    loop {
        let choices = &sat.unrolled.choices;
        let others = |(round, told): (usize, &Told)| {
            let made = told.made()?;
            Some(choices[round][own].moves.iter().filter(move |(mv, _)| *mv != made).map(|&(_, lit)| lit))
        };
        let others: Vec<Lit> = told.iter().enumerate().filter_map(others).flatten().collect();
        let differs = sat.unrolled.net.or(others);
        if differs == Lit::FALSE || !sat.possible(&[differs]).ok()? {
            return Some(());
        }
        let (other, before) = (history(sat)?, told.to_vec());
        let differs = |(told, joint): &(&mut Told, &JointMove)| told.made().is_some_and(|made| made != joint[own]);
        told.iter_mut().zip(&other).filter(differs).for_each(|(told, _)| *told = Told::Nothing);
        // The history found makes another move in one of the rounds, so this ends.
        (*told != before[..]).then_some(())?;
    }
}
