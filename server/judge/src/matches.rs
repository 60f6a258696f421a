//! Random matches for games with too many states: half of them uniform, half biased towards new states.

use percept_game::play::Stream;
use percept_game::{Game, JointMove, MoveId, State};
use percept_infoset::Budget;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::BuildHasher;

use crate::{Extent, Occasion, Options, Watch};

/// The most joint moves tried to find one that leads to a new state.
const TRIES: usize = 3;
/// The most states remembered, over all matches, to recognise new ones.
const REMEMBERED: usize = 1_000_000;

/// Plays until the number of matches or the time is reached, and shows everything to the rules.
pub(crate) fn play(
    game: &Game,
    options: &Options,
    budget: &Budget,
    watches: &mut [Box<dyn Watch + '_>],
    extent: &mut Extent,
) {
    let mut states = FxHashSet::default();
    for number in 0..options.matches {
        if budget.stop().is_some() {
            return;
        }
        let mut player = Player { game, stream: Stream::new(options.seed, number), states: &mut states };
        if player.play(number % 2 == 1, options.rounds, budget, watches) {
            extent.matches += 1;
        }
    }
}

struct Player<'g, 'k> {
    game: &'g Game,
    stream: Stream,
    /// The hashes of the known states.
    states: &'k mut FxHashSet<u64>,
}

impl Player<'_, '_> {
    /// Plays one match; `false` if the time ran out first.
    fn play(&mut self, curious: bool, limit: usize, budget: &Budget, watches: &mut [Box<dyn Watch + '_>]) -> bool {
        let mut rounds: Vec<JointMove> = Vec::new();
        let mut state = self.game.rules.initial();
        let mut states: FxHashMap<State, usize> = FxHashMap::default();
        loop {
            budget.count(self.game.price());
            if budget.stop().is_some() {
                return false;
            }
            let is_terminal = self.game.rules.terminal(&state);
            let legal: Vec<Vec<MoveId>> = match is_terminal {
                true => Vec::new(),
                false => self.game.role_ids().map(|role| self.game.rules.legal(&state, role)).collect(),
            };
            let history = || rounds.clone();
            let occasion = Occasion {
                game: self.game,
                state: &state,
                is_terminal,
                legal: &legal,
                history: &history,
                is_shortest: rounds.is_empty(),
            };
            watches.iter_mut().for_each(|watch| watch.state(&occasion));
            if is_terminal || rounds.len() >= limit || legal.iter().any(Vec::is_empty) {
                return true;
            }
            let (joint, next) = self.choose(&state, &legal, curious);
            watches.iter_mut().for_each(|watch| watch.round(&occasion, &joint, &next));
            rounds.push(joint);
            states.insert(std::mem::replace(&mut state, next), rounds.len() - 1);
            if let Some(&before) = states.get(&state) {
                watches.iter_mut().for_each(|watch| watch.lasso(&rounds, before));
            }
        }
    }

    fn choose(&mut self, state: &State, legal: &[Vec<MoveId>], curious: bool) -> (JointMove, State) {
        let mut tries = if curious { TRIES } else { 1 };
        loop {
            let joint: JointMove =
                legal.iter().map(|moves| moves[self.stream.below(moves.len() as u32) as usize]).collect();
            let next = self.game.rules.next(state, &joint);
            tries -= 1;
            let is_new = self.states.len() < REMEMBERED && self.states.insert(FxBuildHasher.hash_one(&next));
            if tries == 0 || is_new {
                return (joint, next);
            }
        }
    }
}
