//! Simulated matches over the shared tree: each goes down the tree by some rule, adds a node, ends at random, and
//! updates the nodes on its way.
//!
//! Roles move simultaneously: each picks at its own node without knowing the others' picks (a *decoupled* tree). Nodes
//! are distinguished by the role's knowledge or, for players that assume complete information, by the state.
//!
//! While many matches leave the tree, up to 64 of them are simulated at once ([`flock`]). If most end inside the tree,
//! they are simulated one after the other, with a cache of the places visited ([`Visited`]).

mod flock;
mod path;

use percept_game::{Game, JointMove, MoveId, RoleId, State};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::clock::Clock;
use crate::simulation::{Key, Place, playout_at, state_key, told_playout};
use crate::tree::Tree;
use crate::visited::Visited;
use flock::Flock;
use path::{Grower, Path};

/// The information that distinguishes nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Eyes {
    /// The role's knowledge.
    Own,
    /// The whole state.
    All,
}

/// The rule by which a role picks a move at a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Pick {
    /// Picks by UCB1.
    Confidence,
    /// Picks by UCB1, or by the frequency of earlier picks.
    Smooth,
    /// Picks with the results of the same move elsewhere.
    Grave,
    /// Picks by regret matching.
    Regret,
}

/// The number of simulated matches between two checks of how many left the tree.
const WINDOW: u64 = 1_024;

/// The node that replaces a role's own node at the first step, whatever the state is.
pub(super) type Root = Option<(RoleId, Key)>;

pub(super) struct Search<'g> {
    game: &'g Game,
    grower: Grower,
    /// The number of matches simulated so far.
    pub simulations: u64,
    eyes: Eyes,
    joint: JointMove,
    legal: Vec<MoveId>,
    /// Scratch space, so that simulations allocate none: the position of the match, and the keys of all roles there.
    at: Visited<'g>,
    path: Path,
    goals: Vec<f64>,
    state: State,
    /// Simulates many matches at once, if the rules support it; taken out while it is used.
    flock: Option<Flock<'g>>,
    has_flock: bool,
    at_once: bool,
    /// Counts since the last check: simulated matches, and those that left the tree.
    seen: u64,
    left: u64,
}

impl<'g> Search<'g> {
    pub(super) fn new(game: &'g Game, eyes: Eyes, pick: Pick, rng: Xoshiro256PlusPlus) -> Search<'g> {
        let flock = game.rules.lanes().map(|lanes| Flock::new(lanes, game.roles.len()));
        Search {
            game,
            grower: Grower::new(game.roles.len(), pick, rng),
            simulations: 0,
            eyes,
            joint: JointMove::new(),
            legal: Vec::new(),
            at: Visited::new(game),
            path: Path::default(),
            goals: Vec::new(),
            state: State::default(),
            at_once: flock.is_some(),
            has_flock: flock.is_some(),
            flock,
            seen: 0,
            left: 0,
        }
    }

    /// The tree built so far.
    pub(super) fn tree(&self) -> &Tree {
        &self.grower.tree
    }

    /// Called before the search for a move: empties full caches.
    pub(super) fn make_room(&mut self) {
        self.grower.tree.make_room();
        self.at.renew();
    }

    /// Simulates matches from places that `start` draws until the clock ends. `done` counts them, in addition to
    /// earlier ones for the same move.
    pub(super) fn run<'p>(&mut self, clock: &Clock, done: &mut u64, root: Root, start: &mut dyn FnMut() -> &'p Place) {
        while clock.goes_on(*done) {
            match self.flock.take() {
                Some(mut flock) if self.at_once => {
                    self.run_at_once(&mut flock, clock, done, root, start);
                    self.flock = Some(flock);
                }
                flock => {
                    self.flock = flock;
                    self.simulate(start(), root);
                    *done += 1;
                }
            }
        }
    }

    /// Simulates one match from a place.
    fn simulate(&mut self, start: &Place, root: Root) {
        self.path.begin(&start.keys);
        self.at.go(&start.state);
        let has_left = self.descend(root);
        self.grower.give_back(&self.path, &self.goals);
        self.count(has_left);
    }

    /// Counts a simulated match, and at intervals chooses between simulation at once and one by one.
    fn count(&mut self, has_left: bool) {
        self.simulations += 1;
        self.seen += 1;
        self.left += u64::from(has_left);
        if self.seen == WINDOW {
            // Matches that end inside the tree follow the paths of earlier ones.
            let many = self.seen / if self.at_once { 4 } else { 2 };
            self.at_once = self.has_flock && self.left > many;
            (self.seen, self.left) = (0, 0);
        }
    }

    /// Goes down the tree, then plays at random from its end; the goals reached are in `self.goals`. True if the match
    /// left the tree.
    fn descend(&mut self, mut root: Root) -> bool {
        loop {
            if self.at.is_terminal() {
                self.at.goals_into(&mut self.goals);
                return false;
            }
            let Some(is_new) = self.pick_all(root.take()) else {
                self.at.goals_into(&mut self.goals);
                return false;
            };
            let knows_more = self.eyes == Eyes::Own && !is_new;
            self.at.step(&self.joint, knows_more.then_some(&mut self.path.keys[..]));
            if is_new {
                self.goals = self.play_out();
                return true;
            }
        }
    }

    fn play_out(&mut self) -> Vec<f64> {
        let at = self.at.through();
        if !self.grower.wants_to_be_told() {
            return playout_at(self.game, at, &mut self.state, &mut self.grower.rng);
        }
        let moves = &mut self.path.moves;
        told_playout(self.game, at, &mut self.grower.rng, &mut |role, mv| moves.push((role, mv)))
    }

    /// Puts the picks of all roles into `self.joint`; true if a node was new. `None` if a role has no move.
    fn pick_all(&mut self, root: Root) -> Option<bool> {
        self.joint.clear();
        let mut any_new = false;
        let seen = if self.eyes == Eyes::All { state_key(self.at.state()) } else { 0 };
        for role in self.game.role_ids() {
            self.legal.clear();
            self.at.legal_into(role, &mut self.legal);
            let index = usize::from(role.0);
            let mv = match self.legal.len() {
                0 => return None,
                1 => self.legal[0],
                count if self.game.roles[index].is_chance => self.legal[self.grower.rng.random_range(0..count)],
                _ => {
                    let own = if self.eyes == Eyes::All { seen } else { self.path.keys[index] };
                    let (mv, is_new) = self.grower.pick(&mut self.path, role, key_at(root, role, own), &self.legal);
                    any_new |= is_new;
                    mv
                }
            };
            self.joint.push(mv);
        }
        Some(any_new)
    }
}

/// The key of a role's node.
fn key_at(root: Root, role: RoleId, own: Key) -> Key {
    root.filter(|&(mine, _)| mine == role).map_or(own, |(_, key)| key)
}
