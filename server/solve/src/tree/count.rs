//! The size of the tree, without building it: histories are counted over distinct states.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use percept_game::{Game, State, joint_moves};
use percept_infoset::Budget;
use rustc_hash::FxHashMap;

/// The size of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// The number of histories of joint moves, including the empty one and the unfinished ones.
    pub histories: BigUint,
    /// The number of distinct states, added up over the rounds.
    pub states: usize,
    /// The number of rounds counted.
    pub rounds: usize,
    /// True if every match was over after these rounds; if not, the game has more histories.
    pub complete: bool,
}

impl Size {
    /// The number of histories in a readable form.
    pub fn shown(&self) -> String {
        let more = if self.complete { "" } else { "more than " };
        match self.histories.to_f64() {
            Some(count) if count < 1e6 => format!("{more}{}", self.histories),
            Some(count) if count.is_finite() => format!("{more}{count:.1e}"),
            _ => format!("{more}10^{}", self.histories.to_string().len() - 1),
        }
    }
}

/// Counts the histories of a game over at most `states` distinct states, as long as `control` allows.
pub fn count(game: &Game, states: usize, budget: &Budget) -> Size {
    let mut layer: FxHashMap<State, BigUint> = FxHashMap::default();
    layer.insert(game.rules.initial(), BigUint::from(1u32));
    let mut size = Size { histories: BigUint::zero(), states: 0, rounds: 0, complete: false };
    loop {
        size.states += layer.len();
        size.histories += layer.values().sum::<BigUint>();
        let mut next: FxHashMap<State, BigUint> = FxHashMap::default();
        for (state, ways) in &layer {
            if game.rules.terminal(state) {
                continue;
            }
            let legal: Vec<_> = game.role_ids().map(|role| game.rules.legal(state, role)).collect();
            for joint in joint_moves(&legal).take_while(|_| !budget.is_spent()) {
                *next.entry(game.rules.next(state, &joint)).or_default() += ways;
            }
            if next.len() + size.states > states || budget.stop().is_some() {
                size.histories += next.values().sum::<BigUint>();
                return size;
            }
        }
        if next.is_empty() {
            size.complete = true;
            return size;
        }
        size.rounds += 1;
        layer = next;
    }
}
