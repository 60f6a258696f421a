//! The statistics of simulated matches: for each role and each key of its knowledge (or, for players that assume
//! complete information, of the state), the number and the results of tries of each move. All strategies that search
//! use this tree.

use percept_game::{MoveId, RoleId};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use crate::simulation::Key;

/// The memory of one tree, in bytes (approximate); further nodes are not kept. Every match in progress has its own
/// tree.
const MOST_BYTES: usize = 512 << 20;
/// Bytes of a node without its arms, including its entry in the index.
const NODE: usize = size_of::<Node>() + 2 * size_of::<((u16, Key), u32)>();
/// The preference for moves that were tried seldom: the constant of UCB1 for values between 0 and 1.
pub(crate) const CURIOSITY: f64 = 0.7;

/// One move of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub mv: MoveId,
    pub visits: u32,
    /// The number of simulated matches in progress in which the move was made here.
    pub pending: u32,
    /// The number of visits of the node in which the move was legal.
    pub available: u32,
    /// The sum of the goals.
    pub sum: f64,
    /// The regret for not having made the move (only with regret matching).
    pub regret: f64,
    /// The sum of the probabilities given to the move in all choices here (only with regret matching).
    pub strategy: f64,
    /// The results after the node of all matches in which the role made this move at any time (only for GRAVE).
    pub amaf_visits: u32,
    pub amaf_sum: f64,
}

impl Arm {
    fn new(mv: MoveId) -> Arm {
        Arm {
            mv,
            visits: 0,
            pending: 0,
            available: 0,
            sum: 0.0,
            regret: 0.0,
            strategy: 0.0,
            amaf_visits: 0,
            amaf_sum: 0.0,
        }
    }

    /// The mean goal; zero if the move was never made.
    pub(crate) fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.sum / f64::from(self.visits) }
    }
}

/// The moves of a role at one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub visits: u32,
    pub arms: Vec<Arm>,
}

impl Node {
    /// Records the legal moves of a visit, and returns the indices of their arms.
    fn meet(&mut self, legal: &[MoveId], at: &mut Vec<usize>) {
        at.clear();
        if self.arms.is_empty() {
            // A search in an empty node would dominate the cost if it has very many moves.
            self.arms.extend(legal.iter().map(|&mv| Arm { available: 1, ..Arm::new(mv) }));
            self.arms.shrink_to_fit();
            at.extend(0..legal.len());
            return;
        }
        for (index, &mv) in legal.iter().enumerate() {
            // The moves and their order are mostly those of the last visit.
            let old = match self.arms.get(index) {
                Some(arm) if arm.mv == mv => Some(index),
                _ => self.arms.iter().position(|arm| arm.mv == mv),
            };
            let place = old.unwrap_or_else(|| {
                self.arms.push(Arm::new(mv));
                self.arms.len() - 1
            });
            self.arms[place].available += 1;
            at.push(place);
        }
    }

    /// The arm with the greatest score; a random one if several have it.
    pub(crate) fn greatest(
        &self,
        among: &[usize],
        rng: &mut Xoshiro256PlusPlus,
        mut score: impl FnMut(usize, &Arm) -> f64,
    ) -> usize {
        let mut best = among[0];
        let (mut greatest, mut ties) = (f64::NEG_INFINITY, 0u32);
        for &at in among {
            let score = score(at, &self.arms[at]);
            if score > greatest {
                (best, greatest, ties) = (at, score, 1);
            } else if score == greatest {
                ties += 1;
                if rng.random_range(0..ties) == 0 {
                    best = at;
                }
            }
        }
        best
    }

    /// UCB1 over the legal moves, each relative to the number of visits in which it was legal (Cowling et al. 2012);
    /// untried moves come first. Matches in progress are tries without a result (Liu et al. 2020).
    pub(crate) fn by_confidence(&self, among: &[usize], span: Span, rng: &mut Xoshiro256PlusPlus) -> usize {
        // All moves were mostly legal equally often, so one logarithm is enough.
        let (mut available, mut log) = (1, 0.0);
        self.greatest(among, rng, |_, arm| {
            let tried = arm.visits + arm.pending;
            if tried == 0 {
                return f64::INFINITY;
            }
            if arm.available != available {
                (available, log) = (arm.available, f64::from(arm.available).ln());
            }
            let worth = if arm.visits == 0 { 0.0 } else { span.unit(arm.mean()) };
            worth + CURIOSITY * (log / f64::from(tried)).sqrt()
        })
    }

    /// The arm of a move. `elsewhere` is its index at another node, which is mostly the same here.
    pub(crate) fn arm(&self, mv: MoveId, elsewhere: usize) -> Option<&Arm> {
        let there = self.arms.get(elsewhere).filter(|arm| arm.mv == mv);
        there.or_else(|| self.arms.iter().find(|arm| arm.mv == mv))
    }

    /// Records the goal of a match in progress.
    pub(crate) fn gain(&mut self, arm: usize, goal: f64) {
        self.visits += 1;
        self.arms[arm].pending -= 1;
        self.arms[arm].visits += 1;
        self.arms[arm].sum += goal;
    }
}

/// The range of the goals met so far. It makes means comparable with counts, for any scale of goals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    low: f64,
    high: f64,
}

impl Default for Span {
    fn default() -> Span {
        Span { low: f64::INFINITY, high: f64::NEG_INFINITY }
    }
}

impl Span {
    pub(crate) fn add(&mut self, goal: f64) {
        self.low = self.low.min(goal);
        self.high = self.high.max(goal);
    }

    /// Scales a goal to the range from 0 to 1.
    pub(crate) fn unit(&self, goal: f64) -> f64 {
        if self.high > self.low { (goal - self.low) / (self.high - self.low) } else { 0.5 }
    }
}

/// Nodes by role and key.
#[derive(Default)]
pub(crate) struct Tree {
    index: FxHashMap<(u16, Key), u32>,
    nodes: Vec<Node>,
    /// The range of each role's goals.
    spans: Vec<Span>,
    bytes: usize,
}

impl Tree {
    pub(crate) fn new(roles: usize) -> Tree {
        Tree { spans: vec![Span::default(); roles], ..Tree::default() }
    }

    /// Returns the node of a role at a key, and true if it is new; `None` if the tree is full.
    pub(crate) fn node(&mut self, role: RoleId, key: Key) -> Option<(u32, bool)> {
        if let Some(&node) = self.index.get(&(role.0, key)) {
            return Some((node, false));
        }
        if self.bytes >= MOST_BYTES {
            return None;
        }
        self.bytes += NODE;
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        self.index.insert((role.0, key), node);
        Some((node, true))
    }

    /// Records the legal moves at a node, and returns the indices of their arms.
    pub(crate) fn meet(&mut self, node: u32, legal: &[MoveId], at: &mut Vec<usize>) {
        let node = &mut self.nodes[node as usize];
        let before = node.arms.capacity();
        node.meet(legal, at);
        self.bytes += (node.arms.capacity() - before) * size_of::<Arm>();
    }

    pub(crate) fn find(&self, role: RoleId, key: Key) -> Option<&Node> {
        self.index.get(&(role.0, key)).map(|&node| &self.nodes[node as usize])
    }

    pub(crate) fn at(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub(crate) fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub(crate) fn span(&self, role: RoleId) -> Span {
        self.spans[role.0 as usize]
    }

    /// Records the goals of a simulated match.
    pub(crate) fn saw(&mut self, goals: &[f64]) {
        self.spans.iter_mut().zip(goals).for_each(|(span, &goal)| span.add(goal));
    }

    /// Forgets all nodes, if keeping them would leave too little room for new ones.
    pub(crate) fn make_room(&mut self) {
        if self.bytes * 2 > MOST_BYTES {
            self.index.clear();
            self.nodes.clear();
            self.bytes = 0;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game written by a stranger may have any number of moves.
    #[test]
    fn a_tree_of_many_moves_is_full_sooner() {
        let legal: Vec<MoveId> = (0..100_000).map(MoveId).collect();
        let (mut tree, mut at) = (Tree::new(1), Vec::new());
        let mut nodes = 0_u32;
        while let Some((node, is_new)) = tree.node(RoleId(0), Key::from(nodes)) {
            assert!(is_new);
            tree.meet(node, &legal, &mut at);
            nodes += 1;
        }
        assert!((50..200).contains(&nodes), "{nodes} nodes");
        tree.make_room();
        assert_eq!(tree.len(), 0);
        assert!(tree.node(RoleId(0), Key::from(0_u8)).is_some());
    }
}
