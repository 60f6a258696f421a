//! A role's knowledge of its own moves: one notion, used by everything that refers to it.
//!
//! In GDL-II a role knows the moves it makes, by definition of the language ([`Game::knows_own_moves`]). In POGDDL it
//! may learn them by messages, or not. *A role knows its own moves* if its view determines them. That is: take any two
//! histories of the same length that the role cannot distinguish, neither of them over before its last round; then the
//! role made the same move in the last round of both. (The same then holds for every round, because the beginnings of
//! indistinguishable histories are indistinguishable.) Doing nothing, because it is the turn of another role, is also a
//! move: a role that does not know if it moved does not know its move.
//!
//! This is [`Property::Own`]. [`crate::observe()`] judges it for the rounds of a match, and [`crate::prove`] for all
//! matches. [`disclosures`] determines the own moves in a complete view.
//!
//! **Perfect recall** (Kuhn, "Extensive games and the problem of information", 1953) demands less in one way and more
//! in another: at each of its decisions, a role must know its observations and moves at the earlier ones. A role that
//! always knows its own moves and its legal moves has perfect recall, so no tree of `percept-solve` rejects it because
//! it forgot its moves. A role may have perfect recall without knowing its own moves at once: if a message reports them
//! a round later, but before its next decision, or if it has no further decision.

use percept_game::view::replay;
use percept_game::{Game, JointMove, MoveId};

use crate::csp::gates;
use crate::net::Lit;
use crate::sat::Sat;
use crate::{Budget, Property, View};

/// The properties checked in a game by default: own moves are left out if the role knows its moves by definition.
pub fn properties(game: &Game) -> Vec<Property> {
    let own = (!game.knows_own_moves).then_some(Property::Own);
    Property::ALL.into_iter().chain(own).collect()
}

/// True if an answer to a question that the user did not ask is not reported: that a role knows its own moves is
/// expected.
pub fn goes_without_saying(property: Property, is_known: bool) -> bool {
    property == Property::Own && is_known
}

/// The information in a view about the move that the role made in one of its rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disclosure {
    /// The role made this move in every history of the view.
    Made(MoveId),
    /// Two histories differ in the move.
    Nothing,
    /// Neither was proved within the limits.
    Undecided,
}

impl Disclosure {
    /// Returns the move, if it is known.
    pub fn made(self) -> Option<MoveId> {
        match self {
            Disclosure::Made(mv) => Some(mv),
            Disclosure::Nothing | Disclosure::Undecided => None,
        }
    }
}

/// Determines the own moves in a view, round by round, within the budget's limits and `memory` bytes. If the language
/// gives a role its own moves, they are in the view.
pub fn disclosures(game: &Game, view: &View, memory: usize, budget: &Budget) -> Vec<Disclosure> {
    if game.knows_own_moves {
        return view.rounds.iter().map(|round| round.own.map_or(Disclosure::Undecided, Disclosure::Made)).collect();
    }
    let mut disclosures = vec![Disclosure::Undecided; view.len()];
    if let Ok(mut sat) = Sat::of_view(game, view, gates(memory), budget) {
        let is_settled = narrow(game, view, &mut sat, &mut disclosures);
        if is_settled.is_none() {
            disclosures.iter_mut().filter(|it| it.made().is_some()).for_each(|it| *it = Disclosure::Undecided);
        }
    }
    disclosures
}

/// Begins with the moves of one history, and gives up those in which another history differs, until none differs.
/// `None` if this could not be completed.
fn narrow(game: &Game, view: &View, sat: &mut Sat<'_>, disclosures: &mut [Disclosure]) -> Option<()> {
    let own = view.role.0 as usize;
    // If numbers are followed loosely, the solver's answer may not be a history.
    let history = |sat: &Sat<'_>| Some(sat.history()).filter(|history| replay(game, view, history).is_ok());
    if !sat.possible(&[]).ok()? {
        return None;
    }
    let first = history(sat)?;
    disclosures.iter_mut().zip(&first).for_each(|(disclosures, joint)| *disclosures = Disclosure::Made(joint[own]));
    loop {
        let choices = &sat.unrolled.choices;
        let others = |(round, disclosures): (usize, &Disclosure)| {
            let made = disclosures.made()?;
            Some(choices[round][own].moves.iter().filter(move |(mv, _)| *mv != made).map(|&(_, lit)| lit))
        };
        let others: Vec<Lit> = disclosures.iter().enumerate().filter_map(others).flatten().collect();
        let differs = sat.unrolled.net.or(others);
        if differs == Lit::FALSE || !sat.possible(&[differs]).ok()? {
            return Some(());
        }
        let (other, before) = (history(sat)?, disclosures.to_vec());
        let differs = |(disclosures, joint): &(&mut Disclosure, &JointMove)| {
            disclosures.made().is_some_and(|made| made != joint[own])
        };
        disclosures
            .iter_mut()
            .zip(&other)
            .filter(differs)
            .for_each(|(disclosures, _)| *disclosures = Disclosure::Nothing);
        // The new history makes another move in one of the rounds, so the loop ends.
        (*disclosures != before[..]).then_some(())?;
    }
}
