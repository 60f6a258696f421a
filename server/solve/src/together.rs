//! Games in which all players have the same goal: the best joint strategy, chosen before the match. It is a pure one.
//!
//! A player does not know what its partners saw, so the strategies must be chosen together, and that is a search over
//! strategies (team decision problems; Radner 1962). The moves of all players but one are chosen information set by
//! information set, by branch and bound; the last player answers best. The bound lets each player that is still open know
//! the sequence of the players after it. Everything is counted in whole numbers, so what the search proves is exact.

use std::ops::Range;
use std::time::Instant;

use num_bigint::BigInt;
use num_rational::BigRational;
use percept_infoset::{Budget, Stop};

use crate::cfr::Bracket;
use crate::descent::note;
use crate::options::Options;
use crate::tree::{Tree, Treeplex};

/// A joint strategy, and the bounds of the goal that the best one reaches.
pub(crate) struct Joint {
    /// The goal that this strategy reaches.
    pub low: BigRational,
    /// The upper bound: no joint strategy reaches more. It is `low` if the search has ended.
    pub high: BigRational,
    /// For each player, the probability (0 or 1) of each sequence's last move.
    pub behaviour: Vec<Vec<f64>>,
    /// The number of joint strategies and parts of them that were looked at.
    pub steps: u64,
    /// The reason why the search ended early, if it did.
    pub stopped: Option<Stop>,
}

/// The maximum number of ends, and the maximum of operations for one bound.
const ENDS: u64 = 1 << 22;
const OPERATIONS: u64 = 1 << 28;

/// The best joint strategy. `None` if players have different goals, if the numbers are too large for whole ones, or if a
/// bound would take too long. The listener of the options learns each better strategy.
pub(crate) fn together(tree: &Tree, options: &Options, budget: &Budget) -> Option<Joint> {
    let begin = Instant::now();
    let same = |goals: &Vec<i64>| goals.iter().all(|goal| *goal == goals[0]);
    let mut order = tree.deciders();
    if order.len() < 2 || !tree.outcomes.iter().all(same) {
        return None;
    }
    order.sort_by_key(|&player| tree.players[player].infosets.len());
    // Every run of ends may visit all sequences of the player before it.
    let most = order[..order.len() - 1].iter().map(|&player| tree.players[player].sequences() as u64).max()?;
    let ends = tree.leaves.len() as u64;
    if ends > ENDS || most * ends > OPERATIONS {
        return None;
    }
    let (leaves, unit) = leaves(tree, &order)?;
    let plexes: Vec<&Treeplex> = order.iter().map(|&player| &tree.players[player]).collect();
    let chosen: Vec<Vec<u32>> = plexes.iter().map(|plex| vec![OPEN; plex.infosets.len()]).collect();
    let better = |steps: u64, low: i128, high: i128| {
        let goal = |sum: i128| sum as f64 / unit as f64;
        let bracket = Bracket { low: goal(low), high: goal(high) };
        note(&mut Vec::new(), begin, steps, (Some(tree.players[0].role), bracket), options);
    };
    let mut search =
        Search { plexes, leaves, chosen, best: None, bound: 0, steps: 0, better: &better, budget, stopped: None };
    search.bound = search.answer().0;
    let high = search.search(search.bound);
    let (low, strategy) = search.best?;
    let mut behaviour: Vec<Vec<f64>> = tree.players.iter().map(|plex| vec![1.0; plex.sequences()]).collect();
    for (&player, chosen) in order.iter().zip(&strategy) {
        for (infoset, &chosen) in tree.players[player].infosets.iter().zip(chosen) {
            // A move that is never asked for.
            let chosen = if chosen == OPEN { infoset.first } else { chosen };
            for sequence in infoset.sequences() {
                behaviour[player][sequence] = f64::from(u8::from(sequence == chosen as usize));
            }
        }
    }
    let goal = |sum: i128| BigRational::new(BigInt::from(sum), BigInt::from(unit));
    Some(Joint { low: goal(low), high: goal(high), behaviour, steps: search.steps, stopped: search.stopped })
}

/// The number of steps after which the search ends without a time limit.
const STEPS: u64 = 1 << 20;

/// No move is chosen yet.
const OPEN: u32 = u32::MAX;

/// The end of matches: its sequences, in the order of the search, and its goal times its weight.
struct End {
    sequences: Vec<u32>,
    goal: i128,
}

/// The ends of all matches, those with the same sequences of the last players next to each other, and the weight of one.
fn leaves(tree: &Tree, order: &[usize]) -> Option<(Vec<End>, i128)> {
    let mut unit: i128 = 1;
    for leaf in &tree.leaves {
        let one_over = i128::try_from(tree.chances[leaf.chance as usize].one_over?).ok()?;
        unit = unit.checked_mul(one_over / common(unit, one_over))?;
    }
    let end = |at: usize| {
        let leaf = &tree.leaves[at];
        let weight = unit / tree.chances[leaf.chance as usize].one_over? as i128;
        let goal = i128::from(tree.outcomes[leaf.outcome as usize][0]);
        let goal = goal.checked_mul(weight)?.checked_mul(i128::from(leaf.histories))?;
        // Sums of all of them must not overflow either.
        (goal.unsigned_abs() < 1 << 90)
            .then(|| End { sequences: order.iter().map(|&player| tree.sequences(at)[player]).collect(), goal })
    };
    let mut leaves: Vec<End> = (0..tree.leaves.len()).map(end).collect::<Option<_>>()?;
    leaves.sort_by(|one, other| one.sequences.iter().rev().cmp(other.sequences.iter().rev()));
    Some((leaves, unit))
}

/// The greatest common divisor.
fn common(one: i128, other: i128) -> i128 {
    if other == 0 { one } else { common(other, one % other) }
}

struct Search<'a> {
    plexes: Vec<&'a Treeplex>,
    leaves: Vec<End>,
    /// For each player and information set, the sequence that was chosen, or [`OPEN`].
    chosen: Vec<Vec<u32>>,
    best: Option<(i128, Vec<Vec<u32>>)>,
    /// No strategy reaches more.
    bound: i128,
    steps: u64,
    /// Learns the steps so far, the goal of a strategy that is better than those before, and the bound.
    better: &'a dyn Fn(u64, i128, i128),
    budget: &'a Budget,
    stopped: Option<Stop>,
}

impl Search<'_> {
    /// Searches below the choices so far, whose bound this is. Returns the upper bound of all that was not found worse.
    fn search(&mut self, bound: i128) -> i128 {
        self.steps += 1;
        let Some((player, infoset)) = self.next() else {
            if self.best.as_ref().is_none_or(|(best, _)| bound > *best) {
                let mut strategy = self.chosen.clone();
                *strategy.last_mut().expect("two players") = self.answer().1;
                self.best = Some((bound, strategy));
                (self.better)(self.steps, bound, self.bound);
            }
            return bound;
        };
        self.stopped = self.stopped.or(self.budget.stop());
        if (self.stopped.is_some() || self.steps > STEPS) && self.best.is_some() {
            return bound;
        }
        let mut moves: Vec<(i128, u32)> = Vec::new();
        for sequence in self.plexes[player].infosets[infoset].sequences() {
            self.chosen[player][infoset] = sequence as u32;
            moves.push((self.answer().0, sequence as u32));
        }
        moves.sort_by_key(|&(bound, sequence)| (std::cmp::Reverse(bound), sequence));
        let mut high = i128::MIN;
        for (bound, sequence) in moves {
            if self.best.as_ref().is_some_and(|(best, _)| bound <= *best) {
                high = high.max(bound);
                break;
            }
            self.chosen[player][infoset] = sequence;
            high = high.max(self.search(bound));
        }
        self.chosen[player][infoset] = OPEN;
        high
    }

    /// The first open information set, of all players but the last, that the choices so far lead to.
    fn next(&self) -> Option<(usize, usize)> {
        (0..self.plexes.len() - 1).find_map(|player| {
            let plex = self.plexes[player];
            let is_played = |sequence: u32| sequence == 0 || self.chosen[player].contains(&sequence);
            let is_open = |&at: &usize| self.chosen[player][at] == OPEN && is_played(plex.infosets[at].parent);
            (0..plex.infosets.len()).find(is_open).map(|infoset| (player, infoset))
        })
    }

    /// The upper bound of the goal under the choices so far (the goal itself if only the last player is open), and the
    /// answer of the last player that reaches it.
    fn answer(&self) -> (i128, Vec<u32>) {
        let last = self.plexes.len() - 1;
        let mut gains = self.gains(last, 0..self.leaves.len());
        answer(self.plexes[last], &mut gains, &self.chosen[last])
    }

    /// For each sequence of a player, the most that the players before it can make of these ends.
    fn gains(&self, player: usize, ends: Range<usize>) -> Vec<i128> {
        let mut gains = vec![0; self.plexes[player].sequences()];
        let mut begin = ends.start;
        while begin < ends.end {
            let sequence = self.leaves[begin].sequences[player];
            let end = begin + self.leaves[begin..ends.end].partition_point(|end| end.sequences[player] == sequence);
            gains[sequence as usize] += match player {
                0 => self.leaves[begin..end].iter().map(|end| end.goal).sum::<i128>(),
                _ => {
                    let mut gains = self.gains(player - 1, begin..end);
                    answer(self.plexes[player - 1], &mut gains, &self.chosen[player - 1]).0
                }
            };
            begin = end;
        }
        gains
    }
}

/// The greatest sum of the gains of the sequences that a pure strategy plays, and its sequences. Chosen moves are kept.
fn answer(plex: &Treeplex, gains: &mut [i128], chosen: &[u32]) -> (i128, Vec<u32>) {
    let mut strategy = chosen.to_vec();
    for (infoset, chosen) in plex.infosets.iter().zip(&mut strategy).rev() {
        if *chosen == OPEN {
            let best = infoset.sequences().rev().max_by_key(|&sequence| gains[sequence]);
            *chosen = best.expect("an information set has moves") as u32;
        }
        gains[infoset.parent as usize] += gains[*chosen as usize];
    }
    (gains[0], strategy)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use percept_infoset::Budget;

    use super::together;
    use crate::tree::build;
    use crate::{Options, Space};

    /// Both see a bit, and say one at the same time. They should say the same, unless both see a one (Clauser, Horne, Shimony
    /// and Holt 1969): they can do so in three of four cases.
    const BITS: &str = "(role random) (role a) (role b) (bit 0) (bit 1) (init (at 0)) (player a) (player b)
        (<= (next (at 1)) (true (at 0))) (<= (next (at 2)) (true (at 1)))
        (<= (legal random (deal ?i ?j)) (true (at 0)) (bit ?i) (bit ?j)) (<= (legal random noop) (true (at 1)))
        (<= (legal ?p (say ?i)) (player ?p) (true (at 1)) (bit ?i)) (<= (legal ?p noop) (player ?p) (true (at 0)))
        (<= (next (saw ?i ?j)) (does random (deal ?i ?j)))
        (<= (sees a ?i) (does random (deal ?i ?_j))) (<= (sees b ?j) (does random (deal ?_i ?j)))
        (<= same (does a (say ?i)) (does b (say ?i)))
        (<= (next right) same (not (true (saw 1 1)))) (<= (next right) (true (saw 1 1)) (not same))
        (<= terminal (true (at 2)))
        (<= (goal ?p 100) (player ?p) (true right)) (<= (goal ?p 0) (player ?p) (not (true right)))";

    #[test]
    fn a_search_that_is_stopped_has_bounds() {
        let game = percept_test::gdl(BITS);
        let tree = build(&game, &Space::default(), &Budget::default()).expect("a small game");
        let whole = together(&tree, &Options::default(), &Budget::default()).expect("a game with one goal");
        assert_eq!(whole.low, whole.high);
        assert_eq!(whole.low.to_string(), "75");
        let past = Budget { deadline: Some(Instant::now()), ..Budget::default() };
        let stopped = together(&tree, &Options::default(), &past);
        let stopped = stopped.expect("a game with one goal");
        assert!(stopped.stopped.is_some() && stopped.low <= whole.low && whole.low <= stopped.high);
        assert!(stopped.low < stopped.high, "the first strategy is not known to be the best");
    }
}
