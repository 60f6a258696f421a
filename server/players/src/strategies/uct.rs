//! UCT for any number of players: Kocsis and Szepesvári, Bandit based Monte-Carlo planning, ECML 2006; Sturtevant, An
//! analysis of UCT in multi-player games, ICGA 2008 (each role maximizes its own goal).
//!
//! Choices that the papers leave open: Roles that move at once pick independently. The constant is 0.7 for goals scaled
//! to those met so far. The player makes the move tried most often. Under hidden information, every simulation starts
//! at a member of the belief and goes on as if every role saw it: below the first move, nodes are states. The player's
//! first move, however, is one node for all members, so the player does not assume that it knows the current state. It
//! does not take into account that it will not know later states either.

use percept_game::MoveId;
use percept_infoset::View;

use super::head::{Head, Look};
use super::search::{Eyes, Pick, Search};
use crate::belief::{cumulative, pick};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};

pub(super) struct Uct<'g> {
    head: Head<'g>,
    search: Search<'g>,
}

impl<'g> Uct<'g> {
    pub(super) fn new(seat: &'g Seat) -> Uct<'g> {
        Uct::picking(seat, Pick::Confidence)
    }

    pub(super) fn picking(seat: &'g Seat, pick: Pick) -> Uct<'g> {
        let head = Head::new(seat);
        Uct { search: Search::new(seat.game(), Eyes::All, pick, head.rng.clone()), head }
    }
}

impl Player for Uct<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        let moves = match self.head.look(view, clock)? {
            Look::Only(only) => return Ok(only),
            Look::Among(moves) => moves,
        };
        self.search.make_room();
        let members = self.head.belief.members();
        // If the state is known, the node is that of the state, so that earlier simulations count.
        let root = (members.len() > 1).then(|| (self.head.role, !members[0].place.keys[self.head.role.0 as usize]));
        let sums = cumulative(members);
        let mut done = 0;
        let rng = &mut self.head.rng;
        self.search.run(clock, &mut done, root, &mut || &members[pick(&sums, rng)].place);
        let key = root.map_or_else(|| crate::simulation::state_key(&members[0].place.state), |(_, key)| key);
        let node = self.search.tree().find(self.head.role, key);
        let visits = |mv: MoveId| {
            let arm = node.and_then(|node| node.arms.iter().find(|arm| arm.mv == mv));
            arm.map_or(0.0, |arm| f64::from(arm.visits) + 1e-6 * arm.mean())
        };
        let values: Vec<(MoveId, f64)> = moves.iter().map(|&mv| (mv, visits(mv))).collect();
        self.head.best(values.into_iter()).ok_or(Trouble::Lost)
    }

    fn simulations(&self) -> u64 {
        self.search.simulations
    }
}
