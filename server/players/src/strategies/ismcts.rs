//! Information-set tree search with many observers: Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree
//! Search, IEEE TCIAIG 4(2), 2012 (MO-ISMCTS), in a game of simultaneous moves.
//!
//! Every role has nodes of its own, told apart by what it knows; a simulation starts at a member of the belief and all
//! roles walk their own nodes. A player therefore knows that it will not know later what it is not told, and that others
//! do not know what they are not told. Chosen where the paper leaves it open: a member is drawn by its probability, not
//! uniformly; at the root of the others' trees stand all their views that the belief holds; the constant is 0.7 for
//! goals scaled to what was met; the move made is the one that was tried most.

use percept_game::MoveId;
use percept_infoset::View;

use super::head::{Head, Look};
use super::search::{Eyes, Pick, Search};
use crate::belief::{cumulative, pick};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};

pub struct Ismcts<'g> {
    head: Head<'g>,
    search: Search<'g>,
    simulations: u64,
}

impl<'g> Ismcts<'g> {
    pub fn new(seat: &'g Seat) -> Ismcts<'g> {
        let head = Head::new(seat);
        Ismcts { search: Search::new(seat.game(), Eyes::Own, Pick::Confidence, head.rng.clone()), head, simulations: 0 }
    }
}

impl Player for Ismcts<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        let moves = match self.head.look(view, clock)? {
            Look::Only(only) => return Ok(only),
            Look::Among(moves) => moves,
        };
        self.search.tree.make_room();
        let members = self.head.belief.members();
        let sums = cumulative(members);
        let mut done = 0;
        while clock.goes_on(done) {
            let at = pick(&sums, &mut self.head.rng);
            self.search.simulate(&members[at].place, None);
            done += 1;
        }
        self.simulations += done;
        let node = self.search.tree.find(self.head.role, members[0].place.keys[self.head.role.0 as usize]);
        let visits = |mv: MoveId| {
            let arm = node.and_then(|node| node.arms.iter().find(|arm| arm.mv == mv));
            arm.map_or(0.0, |arm| f64::from(arm.visits) + 1e-6 * arm.mean())
        };
        let values: Vec<(MoveId, f64)> = moves.iter().map(|&mv| (mv, visits(mv))).collect();
        self.head.best(values.into_iter()).ok_or(Trouble::Lost)
    }

    fn remark(&self) -> Option<String> {
        Some(format!("{} simulated matches, {} nodes", self.simulations, self.search.tree.len()))
    }
}
