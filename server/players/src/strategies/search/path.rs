//! The path of one simulated match through the tree, and the update of the tree from its result.

use percept_game::{MoveId, RoleId};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Pick;
use crate::simulation::Key;
use crate::strategies::grave::Later;
use crate::strategies::{cfr, grave, ismcts};
use crate::tree::Tree;

/// A choice made on the path.
struct Step {
    node: u32,
    arm: usize,
    role: RoleId,
    /// The probability of the choice (regrets only).
    probability: f64,
    /// The number of choices recorded before it (GRAVE only).
    moves: usize,
}

/// The choices of a simulated match so far.
#[derive(Default)]
pub(super) struct Path {
    steps: Vec<Step>,
    /// Choices in and below the tree (GRAVE only).
    pub moves: Vec<(RoleId, MoveId)>,
    /// The current key of every role.
    pub keys: Vec<Key>,
}

impl Path {
    /// Begins a match at a place with these keys.
    pub(super) fn begin(&mut self, keys: &[Key]) {
        self.steps.clear();
        self.moves.clear();
        self.keys.clear();
        self.keys.extend_from_slice(keys);
    }
}

/// The tree, and the rule by which moves are picked in it.
pub(super) struct Grower {
    pub tree: Tree,
    pick: Pick,
    pub rng: Xoshiro256PlusPlus,
    among: Vec<usize>,
    later: Later,
}

impl Grower {
    pub(super) fn new(roles: usize, pick: Pick, rng: Xoshiro256PlusPlus) -> Grower {
        Grower { tree: Tree::new(roles), pick, rng, among: Vec::new(), later: Later::default() }
    }

    /// True if the search also learns from choices below the tree.
    pub(super) fn wants_to_be_told(&self) -> bool {
        self.pick == Pick::Grave
    }

    /// A role's pick among several legal moves at its node, and true if the node is new. The pick counts as pending
    /// until [`Grower::give_back`] or [`Grower::give_up`].
    pub(super) fn pick(&mut self, path: &mut Path, role: RoleId, key: Key, legal: &[MoveId]) -> (MoveId, bool) {
        let Some((node, is_new)) = self.tree.node(role, key) else {
            return (legal[self.rng.random_range(0..legal.len())], true);
        };
        let span = self.tree.span(role);
        self.tree.meet(node, legal, &mut self.among);
        let (arm, probability) = match self.pick {
            Pick::Confidence => (self.tree.at(node).by_confidence(&self.among, span, &mut self.rng), 1.0),
            Pick::Smooth => (ismcts::pick_smoothly(self.tree.at(node), &self.among, span, &mut self.rng), 1.0),
            Pick::Regret => cfr::pick(self.tree.at(node), &self.among, &mut self.rng),
            Pick::Grave => {
                let mut ancestors = path.steps.iter().filter(|step| step.role == role).map(|step| step.node);
                let reference = grave::reference(&self.tree, &mut ancestors, node);
                let (own, reference) = (self.tree.get(node), self.tree.get(reference));
                (grave::pick(own, reference, &self.among, span, &mut self.rng), 1.0)
            }
        };
        let arm_of = &mut self.tree.at(node).arms[arm];
        arm_of.pending += 1;
        let mv = arm_of.mv;
        path.steps.push(Step { node, arm, role, probability, moves: path.moves.len() });
        if self.wants_to_be_told() {
            path.moves.push((role, mv));
        }
        (mv, is_new)
    }

    /// Updates the tree with the result of a match.
    pub(super) fn give_back(&mut self, path: &Path, goals: &[f64]) {
        self.tree.saw(goals);
        let mut end = path.moves.len();
        for step in path.steps.iter().rev() {
            let goal = goals[usize::from(step.role.0)];
            let unit = self.tree.span(step.role).unit(goal);
            let node = self.tree.at(step.node);
            node.gain(step.arm, goal);
            match self.pick {
                Pick::Confidence | Pick::Smooth => {}
                Pick::Regret => cfr::learn(node, step.arm, step.probability, unit),
                Pick::Grave => {
                    self.later.add(&path.moves[step.moves..end]);
                    end = step.moves;
                    self.later.learn(step.role, node, goal);
                }
            }
        }
        self.later.clear();
    }

    /// Withdraws a match that was in progress.
    pub(super) fn give_up(&mut self, path: &Path) {
        path.steps.iter().for_each(|step| self.tree.at(step.node).arms[step.arm].pending -= 1);
    }
}
