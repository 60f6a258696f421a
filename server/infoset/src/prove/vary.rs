//! Other rounds from the states of a model.
//!
//! A solver finds one round that breaks a claim or two: one move, of the hundreds that could be made from those very
//! states. The others are nearly free, 64 of them at once, without the solver: the states satisfy the assumptions, so a
//! round only has to be legal and to look alike.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use super::setting::Setting;
use super::twin::Copy;
use crate::net::{Lit, Net};

/// The most sweeps for each model.
const MOST_SWEEPS: usize = 16;

/// The choices of a round, and the demands on the round.
pub(super) struct Vary {
    /// Groups of inputs of which at most one holds.
    groups: Vec<Vec<Lit>>,
    /// The demands on a round, as clauses.
    demands: Vec<Vec<Lit>>,
    random: Xoshiro256PlusPlus,
}

impl Vary {
    /// Varies the rounds of these copies. If there are two copies, the rounds have to look alike.
    pub(super) fn new(setting: &Setting<'_>, net: &mut Net, copies: &[&Copy]) -> Vary {
        let groups = copies.iter().flat_map(|copy| &copy.exclusive);
        let groups = groups.filter(|group| group.len() > 1 && group.iter().all(|&lit| net.is_input(lit)));
        let groups = groups.cloned().collect();
        let mut demands: Vec<Vec<Lit>> = copies.iter().flat_map(|copy| setting.legal_round(copy)).collect();
        if let [a, b] = copies {
            demands.extend(setting.percepts_that_differ(net, a, b).into_iter().map(|differ| vec![!differ]));
        }
        demands.retain(|clause| !clause.contains(&Lit::TRUE));
        Vary { groups, demands, random: Xoshiro256PlusPlus::seed_from_u64(0) }
    }

    /// Marks the targets that become true in other rounds from the states of a model. `values`: the value of every node
    /// in the model.
    pub(super) fn mark(&mut self, net: &Net, values: &[bool], targets: &[Lit], marks: &mut [bool]) {
        if self.groups.is_empty() {
            return;
        }
        for _ in 0..MOST_SWEEPS {
            let chosen = self.choose(values);
            let lanes = net.lanes(|input| {
                let as_found = if values[input.node() as usize] { u64::MAX } else { 0 };
                chosen.get(&input).copied().unwrap_or(as_found)
            });
            let kept = self.demands.iter().fold(u64::MAX, |kept, clause| kept & lanes.any(clause));
            let mut fresh = 0;
            for (mark, &target) in marks.iter_mut().zip(targets).filter(|(mark, _)| !**mark) {
                *mark = lanes.of(target) & kept != 0;
                fresh += usize::from(*mark);
            }
            if fresh == 0 {
                return;
            }
        }
    }

    /// For each group and lane, the model's choice, or half of the time a random one.
    fn choose(&mut self, values: &[bool]) -> FxHashMap<Lit, u64> {
        let mut chosen: FxHashMap<Lit, u64> = FxHashMap::default();
        for group in &self.groups {
            // A literal that a group shares with an earlier one is chosen there.
            let (shared, free): (Vec<&Lit>, Vec<&Lit>) = group.iter().partition(|lit| chosen.contains_key(lit));
            let mut open = shared.into_iter().fold(u64::MAX, |open, lit| open & !chosen[lit]);
            let anew = self.random.random::<u64>();
            let mut bits = vec![0u64; free.len()];
            for lane in (0..64).filter(|lane| !free.is_empty() && open & anew & 1 << lane != 0) {
                bits[self.random.random_range(0..free.len())] |= 1 << lane;
            }
            open &= !anew;
            for (lit, bits) in free.into_iter().zip(bits) {
                let as_found = if values[lit.node() as usize] { open } else { 0 };
                chosen.insert(*lit, bits | as_found);
            }
        }
        chosen
    }
}
