//! Information-set tree search with many observers: Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree
//! Search, IEEE TCIAIG 4(2), 2012 (MO-ISMCTS), in a game of simultaneous moves.
//!
//! Every role has nodes of its own, told apart by what it knows; a simulation starts at a member of the belief and all
//! roles walk their own nodes. A player therefore knows that it will not know later what it is not told, and that others
//! do not know what they are not told. Chosen where the paper leaves it open: a member is drawn by its probability, not
//! uniformly; at the root of the others' trees stand all their views that the belief holds; the constant is 0.7 for
//! goals scaled to what was met.
//!
//! Where moves are hidden from each other the best play is mixed, and the paper's own choice (UCB1, and the move that was
//! tried most) can be seen through. There are four ways to choose, [`Choice`]; mixed ones make a move by lot, with the
//! shares that it had in the later half of the simulations (in the earlier one the others were still learning), moves
//! below a share of 0.15 left out (Ganzfried, Sandholm and Waugh, Strategy purification and thresholding, AAMAS 2012),
//! which are mostly what exploring tried.

use percept_game::MoveId;
use percept_infoset::View;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::head::{Head, Look};
use super::search::{Eyes, Pick, Search};
use crate::belief::{cumulative, pick};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};
use crate::tree::{Node, Span};

/// How roles choose in simulated matches, and the player in the real one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// UCB1; the move made is the one that was tried most.
    #[default]
    Most,
    /// Smooth UCT (Heinrich and Silver, Smooth UCT search in computer poker, IJCAI 2015): UCB1, or by lot as often as was
    /// chosen before; the move made is by lot. Needs more simulations: with few of them it tries what it should not.
    Smooth,
    /// GRAVE (Cazenave 2015): what happened after the same move elsewhere counts until a move was tried often; the move
    /// made is the one that was tried most.
    Grave,
    /// Regret matching on sampled outcomes (as in Lisý, Lanctot and Bowling, Online Monte Carlo counterfactual regret
    /// minimization for search in imperfect information games, AAMAS 2015); the move made is by lot, from the mean of
    /// what was matched.
    Regret,
}

/// Moves that come to less than this share are not made.
const THRESHOLD: f64 = 0.15;
/// The parameters of Smooth UCT, those of the paper's experiments: the share of UCB1 falls from `ETA` to `GAMMA`.
const ETA: f64 = 0.9;
const GAMMA: f64 = 0.1;
const DECAY: f64 = 0.001;

/// Picks an arm as Smooth UCT does.
pub(super) fn pick_smoothly(node: &Node, among: &[usize], span: Span, rng: &mut Xoshiro256PlusPlus) -> usize {
    let tried: u32 = among.iter().map(|&at| node.arms[at].visits).sum();
    let by_confidence = (ETA / (1.0 + DECAY * f64::from(node.visits).sqrt())).max(GAMMA);
    if tried == 0 || rng.random::<f64>() < by_confidence {
        return node.by_confidence(among, span, rng);
    }
    let mut rest = rng.random_range(0..tried);
    for &at in among {
        match rest.checked_sub(node.arms[at].visits) {
            Some(less) => rest = less,
            None => return at,
        }
    }
    among[0]
}

pub(super) struct Ismcts<'g> {
    head: Head<'g>,
    search: Search<'g>,
    choice: Choice,
    /// For the move that is being chosen.
    done: u64,
}

impl<'g> Ismcts<'g> {
    pub(super) fn new(seat: &'g Seat, choice: Choice) -> Ismcts<'g> {
        let head = Head::new(seat);
        let pick = match choice {
            Choice::Smooth => Pick::Smooth,
            Choice::Most => Pick::Confidence,
            Choice::Grave => Pick::Grave,
            Choice::Regret => Pick::Regret,
        };
        Ismcts { search: Search::new(seat.game(), Eyes::Own, pick, head.rng.clone()), head, choice, done: 0 }
    }

    /// Simulates matches from members of the belief until the clock ends, or so many were simulated for this move.
    fn search(&mut self, clock: &Clock) {
        let members = self.head.belief.members();
        let sums = cumulative(members);
        let rng = &mut self.head.rng;
        self.search.run(clock, &mut self.done, None, &mut || &members[pick(&sums, rng)].place);
    }

    /// How much was made of a move of the player's own, where it now stands.
    fn weight(&self, mv: MoveId) -> f64 {
        let Some(member) = self.head.belief.members().first() else { return 0.0 };
        let node = self.search.tree().find(self.head.role, member.place.keys[usize::from(self.head.role.0)]);
        let arm = node.and_then(|node| node.arms.iter().find(|arm| arm.mv == mv));
        arm.map_or(0.0, |arm| match self.choice {
            Choice::Regret => arm.strategy,
            Choice::Smooth | Choice::Most | Choice::Grave => f64::from(arm.visits) + 1e-6 * arm.mean(),
        })
    }

    /// One of the moves by lot, by its weight; what has little is left out.
    fn by_lot(&mut self, weights: &[(MoveId, f64)]) -> Option<MoveId> {
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let likely = weights.iter().filter(|(_, weight)| *weight >= THRESHOLD * total && *weight > 0.0);
        let likely: Vec<(MoveId, f64)> = likely.copied().collect();
        let mut rest = self.head.rng.random::<f64>() * likely.iter().map(|(_, weight)| weight).sum::<f64>();
        for &(mv, weight) in &likely {
            rest -= weight;
            if rest < 0.0 {
                return Some(mv);
            }
        }
        // Of many moves none may have a large share.
        self.head.best(weights.iter().copied())
    }
}

impl Player for Ismcts<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        let moves = match self.head.look(view, clock)? {
            Look::Only(only) => return Ok(only),
            Look::Among(moves) => moves,
        };
        self.search.make_room();
        self.done = 0;
        self.search(&clock.share(0.5));
        let earlier: Vec<f64> = moves.iter().map(|&mv| self.weight(mv)).collect();
        self.search(clock);
        let later = moves.iter().zip(&earlier).map(|(&mv, earlier)| (mv, self.weight(mv) - earlier));
        let mut weights: Vec<(MoveId, f64)> = match self.choice {
            Choice::Most | Choice::Grave => moves.iter().map(|&mv| (mv, self.weight(mv))).collect(),
            Choice::Smooth | Choice::Regret => later.collect(),
        };
        if weights.iter().all(|(_, weight)| *weight <= 0.0) {
            // No time for more than what was known before.
            weights = moves.iter().map(|&mv| (mv, self.weight(mv))).collect();
        }
        let made = match self.choice {
            Choice::Most | Choice::Grave => self.head.best(weights.into_iter()),
            Choice::Smooth | Choice::Regret => self.by_lot(&weights),
        };
        made.ok_or(Trouble::Lost)
    }

    fn simulations(&self) -> u64 {
        self.search.simulations
    }

    fn remark(&self) -> Option<String> {
        Some(format!("{} simulated matches, {} nodes", self.search.simulations, self.search.tree().len()))
    }
}
