//! Hypothetical states: Genesereth and Thielscher, *General Game Playing*, chapter 17.7. Elements of the information
//! set are drawn. Each is played as if it were the known state (here by [`super::uct`]'s search, as any player of
//! complete information would do), and the evidence for each move is summed over them.
//!
//! It never asks for information and never hides any: in every element every role knows everything already. Choices
//! that the chapter leaves open: There are at most 32 elements, weighted by how often they were drawn, with equal time
//! for each. The evidence for a move is its share of the simulations, which grows with its value.

use percept_game::MoveId;
use percept_infoset::View;

use super::head::{Head, Look};
use super::search::{Eyes, Pick, Search};
use crate::belief::{cumulative, pick};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};
use crate::simulation::state_key;

/// The most elements played at once.
const ELEMENTS: usize = 32;

pub(super) struct Sampling<'g> {
    head: Head<'g>,
    search: Search<'g>,
}

impl<'g> Sampling<'g> {
    pub(super) fn new(seat: &'g Seat) -> Sampling<'g> {
        let head = Head::new(seat);
        Sampling { search: Search::new(seat.game(), Eyes::All, Pick::Confidence, head.rng.clone()), head }
    }

    /// Elements of the information set, each with its weight; all of them if there are few.
    fn elements(&mut self) -> Vec<(usize, f64)> {
        let members = self.head.belief.members();
        if members.len() <= ELEMENTS {
            return members.iter().map(|member| member.weight).enumerate().collect();
        }
        let sums = cumulative(members);
        let mut elements: Vec<(usize, f64)> = Vec::new();
        for _ in 0..ELEMENTS {
            let at = pick(&sums, &mut self.head.rng);
            match elements.iter_mut().find(|(other, _)| *other == at) {
                Some((_, weight)) => *weight += 1.0,
                None => elements.push((at, 1.0)),
            }
        }
        elements
    }
}

impl Player for Sampling<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        let moves = match self.head.look(view, clock)? {
            Look::Only(only) => return Ok(only),
            Look::Among(moves) => moves,
        };
        self.search.make_room();
        let elements = self.elements();
        let members = self.head.belief.members();
        let mut done = 0;
        // Takes one element after the other.
        let mut next = elements.iter().cycle();
        let mut start = || &members[next.next().map_or(0, |(at, _)| *at)].place;
        self.search.run(clock, &mut done, None, &mut start);
        let value = |mv: MoveId| -> f64 {
            let of_element = |&(at, weight): &(usize, f64)| {
                let node = self.search.tree().find(self.head.role, state_key(&members[at].place.state))?;
                let tried = node.arms.iter().find(|arm| arm.mv == mv)?.visits;
                Some(weight * f64::from(tried) / f64::from(node.visits.max(1)))
            };
            elements.iter().filter_map(of_element).sum()
        };
        let values: Vec<(MoveId, f64)> = moves.iter().map(|&mv| (mv, value(mv))).collect();
        self.head.best(values.into_iter()).ok_or(Trouble::Lost)
    }
}
