//! The exact method. It goes forward over the distinct states that fit the view, with counts of histories. Then it goes
//! backward over the states that can still finish the view, from which histories are listed or drawn.
//!
//! The cost grows with the number of states, not of histories: Blind Tic-Tac-Toe has sets of 60,000 histories over 74
//! states. If early rounds leave millions of states of which a later one rules out all but a few (the ships of
//! Battleship before a shot), the method looks [`ahead`].

mod ahead;
mod count;
mod draw;

pub use ahead::Look;
pub use count::Counts;
pub use draw::{Draw, DrawWeight, Listing};

use std::time::{Duration, Instant};

use num_bigint::BigUint;
use percept_game::{Game, JointMove, MoveId, RoleId, State, States};
use rustc_hash::FxHashMap;

use crate::{Budget, Pace, Stop, csp::CspError};
use ahead::{Keep, Stages};
use percept_game::view::{JointMoves, View};

/// An edge from one layer to the next.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The index in the layer of the state it leaves.
    pub from: u32,
    /// The index in the next layer of the state it leads to.
    pub to: u32,
    /// The index into the layer's table of joint moves.
    pub joint: u32,
    /// The probability of the other roles' moves if they move uniformly.
    pub probability: f64,
}

/// The distinct states after some number of rounds, with their edges to the next layer.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// The states, each once.
    pub states: Vec<State>,
    /// True for the states in which the match is over.
    pub terminal: Vec<bool>,
    /// The number of histories that fit the view and lead to each state.
    pub histories: Vec<BigUint>,
    /// The probability of each state, scaled so that the layer's greatest is one.
    pub mass: Vec<f64>,
    /// The edges to the next layer, ordered by `from`; empty in the last layer.
    pub edges: Vec<Edge>,
    /// The joint moves of the edges, each once.
    pub joints: Vec<JointMove>,
    /// For a verdict: the edge that a chosen history takes into each state of the *next* layer.
    pub(crate) step_of: Vec<u32>,
}

/// Selects the moves worth trying: those that another method could not rule out.
pub(crate) type Plausible<'a> = dyn Fn(usize, RoleId, MoveId) -> bool + Sync + 'a;

/// The layers of a view, forward only: layer t holds the states that the role considers possible after t rounds.
pub struct Filter<'a> {
    game: &'a Game,
    /// The layers, one more than there are rounds.
    pub layers: Vec<Layer>,
    bytes: usize,
    memory: usize,
}

impl<'a> Filter<'a> {
    /// Creates a filter before the first round. `memory` limits states and edges, in bytes.
    pub fn new(game: &'a Game, memory: usize) -> Filter<'a> {
        let initial = game.rules.initial();
        let layer = Layer {
            terminal: vec![game.rules.terminal(&initial)],
            states: vec![initial],
            histories: vec![BigUint::from(1u32)],
            mass: vec![1.0],
            ..Layer::default()
        };
        Filter { game, layers: vec![layer], bytes: 0, memory }
    }

    /// Builds all layers of a view. An impossible view ends with an empty layer.
    ///
    /// # Errors
    /// Fails when interrupted, or if the states do not fit the memory.
    pub fn of_view(
        game: &'a Game,
        view: &View,
        memory: usize,
        budget: &Budget,
        plausible: Option<&Plausible<'_>>,
    ) -> Result<Filter<'a>, Stop> {
        Filter::while_worth(game, view, memory, budget, plausible, &mut |_| true)
    }

    /// Like [`Filter::of_view`], as long as `is_worth` says so after the time that a round took.
    fn while_worth(
        game: &'a Game,
        view: &View,
        memory: usize,
        budget: &Budget,
        plausible: Option<&Plausible<'_>>,
        is_worth: &mut dyn FnMut(Duration) -> bool,
    ) -> Result<Filter<'a>, Stop> {
        let mut filter = Filter::new(game, memory);
        while filter.rounds() < view.len() {
            budget.report("rounds filtered", filter.rounds(), Some(view.len()));
            let begin = Instant::now();
            filter.advance(view, budget, plausible)?;
            if !is_worth(begin.elapsed()) && filter.rounds() < view.len() {
                return Err(Stop::OutOfTime);
            }
        }
        Ok(filter)
    }

    /// Like [`Filter::of_view`], but gives up as soon as the next round would probably take longer than the time left:
    /// the states of a large set grow by the same factor for some rounds, and the last round would be in vain.
    ///
    /// # Errors
    /// Fails as [`Filter::of_view`] does.
    pub(crate) fn within_reach(
        game: &'a Game,
        view: &View,
        memory: usize,
        budget: &Budget,
        plausible: Option<&Plausible<'_>>,
    ) -> Result<Filter<'a>, Stop> {
        let mut before = Duration::ZERO;
        Filter::while_worth(game, view, memory, budget, plausible, &mut |took| {
            let left = budget.deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            next_of(std::mem::replace(&mut before, took), took) <= left
        })
    }

    /// Like [`Filter::of_view`], without the states that some later round rules out. The layers between keep the states
    /// that members go through, and a few whose contradiction propagation does not detect. The members of the whole
    /// view are the same.
    ///
    /// # Errors
    /// Fails as [`Filter::of_view`] does, and if the network of the view would be too large.
    pub(crate) fn looking_ahead(
        game: &'a Game,
        view: &View,
        memory: usize,
        budget: &Budget,
    ) -> Result<Filter<'a>, CspError> {
        let stages = Stages::new(game, view, memory, budget)?;
        let mut filter = Filter::new(game, memory);
        let Some(mut ahead) = stages.ahead() else {
            // No history fits the view.
            filter.layers.resize_with(view.len() + 1, Layer::default);
            return Ok(filter);
        };
        while filter.rounds() < view.len() {
            budget.report("rounds filtered", filter.rounds(), Some(view.len()));
            filter.grow(view, budget, &mut ahead)?;
        }
        Ok(filter)
    }

    /// The number of rounds of the view filtered so far.
    pub fn rounds(&self) -> usize {
        self.layers.len() - 1
    }

    /// The states that the role considers possible after the last round.
    pub fn last(&self) -> &Layer {
        &self.layers[self.rounds()]
    }

    /// The number of histories that fit the view so far.
    pub fn histories(&self) -> BigUint {
        self.last().histories.iter().sum()
    }

    /// Keeps only these states of the last layer, in this order.
    pub(crate) fn keep(&mut self, kept: &[usize]) {
        let round = self.rounds();
        let last = &mut self.layers[round];
        last.states = kept.iter().map(|&index| last.states[index].clone()).collect();
        last.terminal = kept.iter().map(|&index| last.terminal[index]).collect();
        last.histories = kept.iter().map(|&index| last.histories[index].clone()).collect();
        last.mass = kept.iter().map(|&index| last.mass[index]).collect();
    }

    /// Adds the next round of `view`.
    ///
    /// # Errors
    /// See [`Filter::of_view`]; the layers are then as they were.
    pub fn advance(&mut self, view: &View, budget: &Budget, plausible: Option<&Plausible<'_>>) -> Result<(), Stop> {
        self.grow(view, budget, &mut Past { plausible })
    }

    fn grow(&mut self, view: &View, budget: &Budget, keep: &mut dyn Keep) -> Result<(), Stop> {
        let round = self.rounds();
        let seen = &view.rounds[round];
        let mut next = NextLayer::default();
        let layer = &self.layers[round];
        let mut bytes = self.bytes;
        let (mut at, mut pace) = (self.game.start(), Pace::default());
        for (from, state) in layer.states.iter().enumerate() {
            if layer.terminal[from] {
                continue;
            }
            at.go(state);
            let joints = JointMoves::at(self.game, &mut *at, view.role, seen.own);
            let own_choices = match seen.own {
                Some(_) => 1.0,
                None => at.legal(view.role).len() as f64,
            };
            let probability = own_choices / joints.size();
            for joint in joints {
                pace.check(budget)?;
                if !self.game.role_ids().all(|role| keep.keeps_move(round, role, joint[role.0 as usize])) {
                    continue;
                }
                if at.percepts(&joint, view.role) != seen.percepts {
                    continue;
                }
                let new = at.next(&joint);
                if next.states.find(&new).is_none() && !keep.keeps_state(round + 1, &new) {
                    continue;
                }
                bytes += next.add(layer, from, joint, new, probability);
                if bytes > self.memory {
                    return Err(Stop::OutOfMemory);
                }
            }
        }
        let (edges, joints, mut new) = next.finish();
        let is_terminal = |state| {
            pace.check(budget)?;
            at.go(state);
            Ok(at.is_terminal())
        };
        new.terminal = new.states.iter().map(is_terminal).collect::<Result<_, Stop>>()?;
        let layer = &mut self.layers[round];
        (layer.edges, layer.joints) = (edges, joints);
        self.layers.push(new);
        self.bytes = bytes;
        Ok(())
    }
}

/// The time of a round if it takes longer than the one before by the same factor as that one.
fn next_of(before: Duration, last: Duration) -> Duration {
    let factor = last.as_secs_f64() / before.as_secs_f64().max(MEASURABLE.as_secs_f64());
    last.mul_f64(factor.clamp(1.0, LARGEST_FACTOR))
}

/// The shortest time of a round that says something about the next one, and the largest factor that is believed.
const MEASURABLE: Duration = Duration::from_millis(1);
const LARGEST_FACTOR: f64 = 100.0;

/// Judges by the past rounds alone.
struct Past<'a> {
    plausible: Option<&'a Plausible<'a>>,
}

impl Keep for Past<'_> {
    fn keeps_move(&self, round: usize, role: RoleId, mv: MoveId) -> bool {
        self.plausible.is_none_or(|plausible| plausible(round, role, mv))
    }

    fn keeps_state(&mut self, _: usize, _: &State) -> bool {
        true
    }
}

/// The layer being built.
#[derive(Default)]
struct NextLayer {
    layer: Layer,
    states: States,
    edges: Vec<Edge>,
    joints: Vec<JointMove>,
    joint_index: FxHashMap<JointMove, u32>,
}

impl NextLayer {
    /// Adds an edge; returns the bytes it took.
    fn add(&mut self, old: &Layer, from: usize, joint: JointMove, state: State, probability: f64) -> usize {
        let mut bytes = size_of::<Edge>();
        let size = States::bytes_of(&state);
        let (to, is_new) = self.states.insert(state);
        if is_new {
            bytes += size + 32;
            self.layer.histories.push(BigUint::ZERO);
            self.layer.mass.push(0.0);
        }
        let joint_count = self.joints.len() as u32;
        let joint = match self.joint_index.get(&joint) {
            Some(&old) => old,
            None => {
                bytes += 2 * (size_of::<JointMove>() + 4 * joint.len());
                self.joints.push(joint.clone());
                self.joint_index.insert(joint, joint_count);
                joint_count
            }
        };
        self.layer.histories[to as usize] += &old.histories[from];
        self.layer.mass[to as usize] += old.mass[from] * probability;
        self.edges.push(Edge { from: from as u32, to, joint, probability });
        bytes
    }

    fn finish(self) -> (Vec<Edge>, Vec<JointMove>, Layer) {
        let mut layer = Layer { states: self.states.into_list(), ..self.layer };
        let greatest = layer.mass.iter().copied().fold(0.0, f64::max);
        if greatest > 0.0 {
            layer.mass.iter_mut().for_each(|mass| *mass /= greatest);
        }
        (self.edges, self.joints, layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_expected_to_grow_like_the_one_before() {
        let ms = Duration::from_millis;
        assert_eq!(next_of(ms(100), ms(400)), ms(1600));
        assert_eq!(next_of(ms(400), ms(100)), ms(100), "it may as well take as long again");
        assert_eq!(next_of(Duration::ZERO, ms(3)), ms(9), "the first rounds are too quick to tell");
        assert_eq!(next_of(ms(1), ms(1000)), ms(100_000));
    }
}
