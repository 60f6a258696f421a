//! Simulated matches over the shared tree: down it by some rule, a new node, a random end, and back.
//!
//! Roles move at once: each picks at its own node without knowing the others' picks (a *decoupled* tree). What tells
//! nodes apart is what the role knows, or, for players who believe to see everything, the state.

use percept_game::{Game, JointMove, MoveId, RoleId, State};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{cfr, grave, ismcts};
use crate::known::Known;
use crate::simulation::{Key, Place, playout_at, state_key, told_playout};
use crate::tree::Tree;

/// What tells nodes apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eyes {
    /// What a role knows.
    Own,
    /// The state.
    All,
}

/// How a role picks a move at a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pick {
    /// UCB1.
    Confidence,
    /// UCB1, or as often as before.
    Smooth,
    /// With what happened after the same move elsewhere.
    Grave,
    /// By regrets.
    Regret,
}

/// A choice made on the way down.
struct Step {
    node: u32,
    arm: usize,
    role: RoleId,
    /// The probability of the choice (regrets only).
    probability: f64,
    /// How many moves had been told before it (GRAVE only).
    told: usize,
}

pub struct Search<'g> {
    game: &'g Game,
    pub tree: Tree,
    /// Matches simulated so far.
    pub simulations: u64,
    eyes: Eyes,
    pick: Pick,
    rng: Xoshiro256PlusPlus,
    steps: Vec<Step>,
    among: Vec<usize>,
    told: Vec<(RoleId, MoveId)>,
    joint: JointMove,
    legal: Vec<MoveId>,
    /// Room that simulations work in, so that they ask for none: where the match is, and what everybody knows there.
    at: Known<'g>,
    keys: Vec<Key>,
    goals: Vec<f64>,
    state: State,
}

impl<'g> Search<'g> {
    pub fn new(game: &'g Game, eyes: Eyes, pick: Pick, rng: Xoshiro256PlusPlus) -> Search<'g> {
        let tree = Tree::new(game.roles.len());
        Search {
            game,
            tree,
            simulations: 0,
            eyes,
            pick,
            rng,
            steps: Vec::new(),
            among: Vec::new(),
            told: Vec::new(),
            joint: JointMove::new(),
            legal: Vec::new(),
            at: Known::new(game),
            keys: Vec::new(),
            goals: Vec::new(),
            state: State::default(),
        }
    }

    /// Before the search for a move: forgets what leaves no room for more.
    pub fn make_room(&mut self) {
        self.tree.make_room();
        self.at.renew();
    }

    /// One simulated match from a place. `root`: at the first step this role's node is that of this key, whatever the
    /// state.
    pub fn simulate(&mut self, start: &Place, root: Option<(RoleId, Key)>) {
        self.steps.clear();
        self.told.clear();
        self.at.go(&start.state);
        self.keys.clear();
        self.keys.extend_from_slice(&start.keys);
        self.descend(root);
        self.simulations += 1;
        self.tree.saw(&self.goals);
        self.give_back();
    }

    /// Down the tree, a random match from its end, and the goals that it comes to, in `self.goals`.
    fn descend(&mut self, mut root: Option<(RoleId, Key)>) {
        loop {
            if self.at.is_terminal() {
                return self.at.goals_into(&mut self.goals);
            }
            let Some(is_new) = self.pick_all(root.take()) else {
                return self.at.goals_into(&mut self.goals);
            };
            let knows_more = self.eyes == Eyes::Own && !is_new;
            self.at.step(&self.joint, knows_more.then_some(&mut self.keys[..]));
            if is_new {
                self.goals = self.play_out();
                return;
            }
        }
    }

    fn play_out(&mut self) -> Vec<f64> {
        let at = self.at.through();
        if self.pick != Pick::Grave {
            return playout_at(self.game, at, &mut self.state, &mut self.rng);
        }
        let told = &mut self.told;
        told_playout(self.game, at, &mut self.rng, &mut |role, mv| told.push((role, mv)))
    }

    /// What everybody picks, in `self.joint`; whether a node was new. `None` where a role has no move.
    fn pick_all(&mut self, root: Option<(RoleId, Key)>) -> Option<bool> {
        self.joint.clear();
        let mut any_new = false;
        let seen = if self.eyes == Eyes::All { state_key(self.at.state()) } else { 0 };
        let mut legal = std::mem::take(&mut self.legal);
        for role in self.game.role_ids() {
            let index = role.0 as usize;
            legal.clear();
            self.at.legal_into(role, &mut legal);
            let mv = match legal.len() {
                0 => return None,
                1 => legal[0],
                count if self.game.roles[index].is_chance => legal[self.rng.random_range(0..count)],
                count => {
                    let own = if self.eyes == Eyes::All { seen } else { self.keys[index] };
                    let key = root.filter(|&(mine, _)| mine == role).map_or(own, |(_, key)| key);
                    match self.tree.node(role, key) {
                        Some((node, is_new)) => {
                            any_new |= is_new;
                            let at = self.choose(role, node, &legal);
                            if self.pick == Pick::Grave {
                                self.told.push((role, legal[at]));
                            }
                            legal[at]
                        }
                        None => {
                            any_new = true;
                            legal[self.rng.random_range(0..count)]
                        }
                    }
                }
            };
            self.joint.push(mv);
        }
        self.legal = legal;
        Some(any_new)
    }

    /// Picks at a node and notes the step: the place among the legal moves.
    fn choose(&mut self, role: RoleId, node: u32, legal: &[MoveId]) -> usize {
        let span = self.tree.span(role);
        self.tree.at(node).meet(legal, &mut self.among);
        let (arm, probability) = match self.pick {
            Pick::Confidence => (self.tree.at(node).by_confidence(&self.among, span, &mut self.rng), 1.0),
            Pick::Smooth => (ismcts::pick_smoothly(self.tree.at(node), &self.among, span, &mut self.rng), 1.0),
            Pick::Regret => cfr::pick(self.tree.at(node), &self.among, &mut self.rng),
            Pick::Grave => {
                let mut ancestors = self.steps.iter().filter(|step| step.role == role).map(|step| step.node);
                let reference = grave::reference(&mut self.tree, &mut ancestors, node);
                let reference = self.tree.at(reference).clone();
                (grave::pick(self.tree.at(node), &reference, &self.among, span, &mut self.rng), 1.0)
            }
        };
        self.steps.push(Step { node, arm, role, probability, told: self.told.len() });
        self.among.iter().position(|&at| at == arm).unwrap_or(0)
    }

    fn give_back(&mut self) {
        for step in &self.steps {
            let goal = self.goals[step.role.0 as usize];
            let unit = self.tree.span(step.role).unit(goal);
            let node = self.tree.at(step.node);
            node.gain(step.arm, goal);
            match self.pick {
                Pick::Confidence | Pick::Smooth => {}
                Pick::Regret => cfr::learn(node, step.arm, step.probability, unit),
                Pick::Grave => {
                    let later = self.told[step.told..].iter().filter(|(role, _)| *role == step.role);
                    grave::learn(node, later.map(|&(_, mv)| mv), goal);
                }
            }
        }
    }
}
