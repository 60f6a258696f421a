//! The interface of rules that watch a game: states and rounds, in the order in which they are found.

use percept_game::circuit::Lit;
use percept_game::{Game, Ground, JointMove, MoveId, RoleId, State};

use crate::{Case, Evidence, Finding, GaveUp};

/// A reachable state that is visited.
pub struct Occasion<'a> {
    /// The game.
    pub game: &'a Game,
    /// The state that is visited.
    pub state: &'a State,
    /// True if the state is terminal.
    pub is_terminal: bool,
    /// The legal moves of each role; none if the match is over.
    pub legal: &'a [Vec<MoveId>],
    /// Makes the match that leads here.
    pub history: &'a dyn Fn() -> Vec<JointMove>,
    /// True if that match is a shortest one.
    pub is_shortest: bool,
}

impl Occasion<'_> {
    /// The match that leads here, to show something of this state.
    pub fn evidence(&self) -> Evidence {
        Evidence::Match { rounds: (self.history)(), is_shortest: self.is_shortest }
    }

    /// The match that leads here and through one more round.
    pub fn evidence_after(&self, joint: &[MoveId]) -> Evidence {
        let mut rounds = (self.history)();
        rounds.push(joint.to_vec());
        Evidence::Match { rounds, is_shortest: self.is_shortest }
    }

    /// The roles that are not chance.
    pub fn players(&self) -> impl Iterator<Item = RoleId> + '_ {
        self.game.role_ids().filter(|role| !self.game.roles[role.0 as usize].is_chance)
    }
}

/// The extent of the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// True if every reachable state and every joint move in it was visited.
    pub every_state: bool,
    /// The number of states, if all were visited.
    pub states: usize,
    /// The reason why not every state was visited.
    pub gave_up: Option<GaveUp>,
    /// The number of random matches played.
    pub matches: u64,
    /// True if the clock ended a part of the search that had steps left.
    pub by_clock: bool,
}

/// One rule that watches. States may be shown more than once.
pub trait Watch {
    /// Receives a state, before the rounds from it.
    fn state(&mut self, occasion: &Occasion<'_>) {
        let _ = occasion;
    }

    /// Receives a round: the legal moves of all roles, and the next state.
    fn round(&mut self, occasion: &Occasion<'_>, joint: &[MoveId], next: &State) {
        let _ = (occasion, joint, next);
    }

    /// Receives a match that returned to an earlier state, which it first reached after `back_to` rounds.
    fn lasso(&mut self, rounds: &[JointMove], back_to: usize) {
        let _ = (rounds, back_to);
    }

    /// The states that are still searched: each a conjunction of clauses over the literals of the ground game's
    /// circuit.
    fn targets(&self, ground: &Ground) -> Vec<Vec<Vec<Lit>>> {
        let _ = ground;
        Vec::new()
    }

    /// The findings.
    fn finish(self: Box<Self>, case: &Case<'_>, extent: &Extent) -> Vec<Finding>;
}
