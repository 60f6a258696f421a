//! CFR, stage by stage: Shafiei, Sturtevant and Schaeffer, Comparing UCT versus CFR in simultaneous games, GIGA 2009.
//!
//! In a tree of simulated matches, every role picks its moves by regret matching at every stage. In the match, the
//! player plays the mean of its mixed moves. Choices that the paper leaves open: Matches are sampled, so regrets are
//! estimated from the one match that was played (outcome sampling, Lanctot et al. 2009), with a fifth of the picks at
//! random. Below the tree, play is random. Under hidden information, stages are states drawn from the belief, as in
//! [`super::uct`].

use percept_game::MoveId;
use percept_infoset::View;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::head::{Head, Look};
use super::search::{Eyes, Pick, Search};
use crate::belief::{cumulative, pick as pick_by};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};
use crate::tree::Node;

/// The share of picks that are uniform.
const EXPLORE: f64 = 0.2;

/// Picks an arm by the regrets; returns it with its probability.
pub(super) fn pick(node: &mut Node, among: &[usize], rng: &mut Xoshiro256PlusPlus) -> (usize, f64) {
    let sum: f64 = among.iter().map(|&at| node.arms[at].regret.max(0.0)).sum();
    let even = 1.0 / among.len() as f64;
    let matched = |regret: f64| if sum > 0.0 { regret.max(0.0) / sum } else { even };
    let mut rest: f64 = rng.random();
    let mut picked = (among[among.len() - 1], even);
    let mut is_picked = false;
    for &at in among {
        let arm = &mut node.arms[at];
        let matched = matched(arm.regret);
        arm.strategy += matched;
        let probability = (1.0 - EXPLORE) * matched + EXPLORE * even;
        rest -= probability;
        if rest < 0.0 && !is_picked {
            (picked, is_picked) = ((at, probability), true);
        }
    }
    picked
}

/// Updates a node with the value of a picked arm, between 0 and 1.
pub(super) fn learn(node: &mut Node, arm: usize, probability: f64, unit: f64) {
    for other in &mut node.arms {
        other.regret -= unit;
    }
    node.arms[arm].regret += unit / probability;
}

pub(super) struct Cfr<'g> {
    head: Head<'g>,
    search: Search<'g>,
}

impl<'g> Cfr<'g> {
    pub(super) fn new(seat: &'g Seat) -> Cfr<'g> {
        let head = Head::new(seat);
        Cfr { search: Search::new(seat.game(), Eyes::All, Pick::Regret, head.rng.clone()), head }
    }
}

impl Player for Cfr<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        let moves = match self.head.look(view, clock)? {
            Look::Only(only) => return Ok(only),
            Look::Among(moves) => moves,
        };
        self.search.make_room();
        let members = self.head.belief.members();
        let root = (self.head.role, !members[0].place.keys[self.head.role.0 as usize]);
        let sums = cumulative(members);
        let mut done = 0;
        let rng = &mut self.head.rng;
        self.search.run(clock, &mut done, Some(root), &mut || &members[pick_by(&sums, rng)].place);
        let Some(node) = self.search.tree().find(root.0, root.1) else { return Ok(moves[0]) };
        let weights: Vec<(MoveId, f64)> =
            node.arms.iter().filter(|arm| moves.contains(&arm.mv)).map(|arm| (arm.mv, arm.strategy)).collect();
        let mut rest = self.head.rng.random::<f64>() * weights.iter().map(|(_, weight)| weight).sum::<f64>();
        for (mv, weight) in weights {
            rest -= weight;
            if rest < 0.0 {
                return Ok(mv);
            }
        }
        Ok(moves[0])
    }

    fn simulations(&self) -> u64 {
        self.search.simulations
    }
}
