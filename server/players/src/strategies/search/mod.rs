//! Simulated matches over the shared tree: down it by some rule, a new node, a random end, and back.
//!
//! Roles move at once: each picks at its own node without knowing the others' picks (a *decoupled* tree). What tells
//! nodes apart is what the role knows, or, for players who believe to see everything, the state.
//!
//! While many matches leave the tree, up to 64 of them are simulated at once ([`flock`]); once most end inside of it, one
//! after the other, by what is kept of the places that were met ([`Visited`]).

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

/// What tells nodes apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Eyes {
    /// What a role knows.
    Own,
    /// The state.
    All,
}

/// How a role picks a move at a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Pick {
    /// UCB1.
    Confidence,
    /// UCB1, or as often as before.
    Smooth,
    /// With what happened after the same move elsewhere.
    Grave,
    /// By regrets.
    Regret,
}

/// Simulated matches between two looks at how many left the tree.
const WINDOW: u64 = 1_024;

/// The node at which a role stands at the first step, whatever the state.
pub(super) type Root = Option<(RoleId, Key)>;

pub(super) struct Search<'g> {
    game: &'g Game,
    grower: Grower,
    /// Matches simulated so far.
    pub simulations: u64,
    eyes: Eyes,
    joint: JointMove,
    legal: Vec<MoveId>,
    /// Room that simulations work in, so that they ask for none: where the match is, and what everybody knows there.
    at: Visited<'g>,
    path: Path,
    goals: Vec<f64>,
    state: State,
    /// Where many are simulated at once, if the rules can; taken away while it is used.
    flock: Option<Flock<'g>>,
    has_flock: bool,
    at_once: bool,
    /// Since the last look: simulated matches, and those that left the tree.
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

    /// What was tried so far.
    pub(super) fn tree(&self) -> &Tree {
        &self.grower.tree
    }

    /// Before the search for a move: forgets what leaves no room for more.
    pub(super) fn make_room(&mut self) {
        self.grower.tree.make_room();
        self.at.renew();
    }

    /// Simulates matches from places that `start` draws until the clock ends; `done` counts them, together with those
    /// that were simulated for the same move before.
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

    /// One simulated match from a place.
    fn simulate(&mut self, start: &Place, root: Root) {
        self.path.begin(&start.keys);
        self.at.go(&start.state);
        let has_left = self.descend(root);
        self.grower.give_back(&self.path, &self.goals);
        self.count(has_left);
    }

    /// Counts a simulated match, and decides from time to time how to go on.
    fn count(&mut self, has_left: bool) {
        self.simulations += 1;
        self.seen += 1;
        self.left += u64::from(has_left);
        if self.seen == WINDOW {
            // Matches that end inside the tree go where others went before them.
            let many = self.seen / if self.at_once { 4 } else { 2 };
            self.at_once = self.has_flock && self.left > many;
            (self.seen, self.left) = (0, 0);
        }
    }

    /// Down the tree, a random match from its end, and the goals that it comes to, in `self.goals`. Whether it left the
    /// tree.
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
        let told = &mut self.path.told;
        told_playout(self.game, at, &mut self.grower.rng, &mut |role, mv| told.push((role, mv)))
    }

    /// What everybody picks, in `self.joint`; whether a node was new. `None` where a role has no move.
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
