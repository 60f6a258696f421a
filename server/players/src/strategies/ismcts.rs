//! Information-set tree search with many observers: Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree
//! Search, IEEE TCIAIG 4(2), 2012 (MO-ISMCTS), in a game of simultaneous moves.
//!
//! Every role has nodes of its own, one for each state of its knowledge. A simulation starts at a member of the belief,
//! and all roles walk their own nodes. So a player takes into account that no role learns more than its percepts.
//! Choices that the paper leaves open: A member is drawn by its probability, not uniformly. The roots of the others'
//! trees are all views of theirs that the belief holds. The constant is 0.7 for goals scaled to those met so far.
//!
//! If moves are hidden from each other, the best play is mixed, and the paper's own choice (UCB1, and the move tried
//! most often) can be predicted. There are four ways to choose, [`Choice`]. Mixed ones draw a move by its share in the
//! later half of the simulations (in the earlier half, the others were still learning). Moves below a share of 0.15,
//! which are mostly the result of exploration, are left out (Ganzfried, Sandholm and Waugh, Strategy purification and
//! thresholding, AAMAS 2012).

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

/// The rule by which roles choose in simulated matches, and the player in the real one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// UCB1; makes the move tried most often.
    #[default]
    Most,
    /// Smooth UCT (Heinrich and Silver, Smooth UCT search in computer poker, IJCAI 2015): UCB1, or a draw by the
    /// frequency of earlier choices; the move made is drawn. It needs more simulations: with few of them it tries bad
    /// moves.
    Smooth,
    /// GRAVE (Cazenave 2015): results of the same move elsewhere count until a move was tried often; makes the move
    /// tried most often.
    Grave,
    /// Regret matching on sampled outcomes (as in Lisý, Lanctot and Bowling, Online Monte Carlo counterfactual regret
    /// minimization for search in imperfect information games, AAMAS 2015); draws the move from the mean strategy.
    Regret,
}

/// The least share of a move; moves with a smaller share are not made.
const THRESHOLD: f64 = 0.15;
/// The parameters of Smooth UCT, as in the paper's experiments: the share of UCB1 falls from `ETA` to `GAMMA`.
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
    /// The number of simulations for the current move.
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

    /// Simulates matches from members of the belief until the clock ends, or the number of simulations for this move is
    /// reached.
    fn search(&mut self, clock: &Clock) {
        let members = self.head.belief.members();
        let sums = cumulative(members);
        let rng = &mut self.head.rng;
        self.search.run(clock, &mut self.done, None, &mut || &members[pick(&sums, rng)].place);
    }

    /// The weight of one of the player's own moves at its current node.
    fn weight(&self, mv: MoveId) -> f64 {
        let Some(member) = self.head.belief.members().first() else { return 0.0 };
        let node = self.search.tree().find(self.head.role, member.place.keys[usize::from(self.head.role.0)]);
        let arm = node.and_then(|node| node.arms.iter().find(|arm| arm.mv == mv));
        arm.map_or(0.0, |arm| match self.choice {
            Choice::Regret => arm.strategy,
            Choice::Smooth | Choice::Most | Choice::Grave => f64::from(arm.visits) + 1e-6 * arm.mean(),
        })
    }

    /// Draws one of the moves by its weight; moves with a small share are left out.
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
        // If there are many moves, none may have a large share.
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
            // The time only suffices for earlier results.
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
