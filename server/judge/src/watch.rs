//! What rules are shown of a game: states and rounds, in whatever order they are found.

use percept_game::circuit::Lit;
use percept_game::{Game, Ground, JointMove, MoveId, RoleId, State};

use crate::{Case, Evidence, Finding, GaveUp};

/// A reachable state that is looked at.
pub struct Seen<'a> {
    /// What is played.
    pub game: &'a Game,
    /// The state that is visited.
    pub state: &'a State,
    /// Whether matches end there.
    pub is_terminal: bool,
    /// The legal moves of each role; none where the match is over.
    pub legal: &'a [Vec<MoveId>],
    /// Makes the match that leads here.
    pub history: &'a dyn Fn() -> Vec<JointMove>,
    /// Whether that match is a shortest one.
    pub is_shortest: bool,
}

impl Seen<'_> {
    /// The match that leads here, to show something of this state.
    pub fn evidence(&self) -> Evidence {
        Evidence::Match { rounds: (self.history)(), is_shortest: self.is_shortest }
    }

    /// The match that leads here and one round on.
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

/// How much was shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Every reachable state and every joint move in it.
    pub every_state: bool,
    /// How many states that were, if so.
    pub states: usize,
    /// Why it was not every state.
    pub gave_up: Option<GaveUp>,
    /// Random matches played.
    pub matches: u64,
}

/// One rule, looking on. States may be shown more than once.
pub trait Watch {
    /// A state, before anything is shown of the rounds from it.
    fn state(&mut self, seen: &Seen<'_>) {
        let _ = seen;
    }

    /// A round: legal moves of all roles, and the state they lead to.
    fn round(&mut self, seen: &Seen<'_>, joint: &[MoveId], next: &State) {
        let _ = (seen, joint, next);
    }

    /// A match that came back to a state it was in, after so many rounds the first time.
    fn lasso(&mut self, rounds: &[JointMove], back_to: usize) {
        let _ = (rounds, back_to);
    }

    /// States that are still looked for: each a conjunction of clauses over the literals of the ground game's circuit.
    fn targets(&self, ground: &Ground) -> Vec<Vec<Vec<Lit>>> {
        let _ = ground;
        Vec::new()
    }

    /// What is to be said.
    fn finish(self: Box<Self>, case: &Case<'_>, extent: &Extent) -> Vec<Finding>;
}
