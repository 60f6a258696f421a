//! Random members with known weights, a million a second: take the smallest group, choose uniformly, AND its row.
//!
//! A member is reached in exactly one way, so the product of the group sizes on the way is one over its probability:
//! its *weight*. At a dead end the attempt is given up, because backtracking would bias the weights. The mean weight
//! over all attempts (zero for failures) is an unbiased estimate of the size of the set. A member accepted with
//! probability weight over bound is exactly uniform.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{
    bound::ln_bound,
    probe::Compatible,
    problem::Problem,
    support::{Support, supports},
    sweep::{LANES, Lanes},
};
use crate::Budget;

/// The number of attempts in a chunk: large enough for a task, small enough to stop in time.
const CHUNK: usize = 4 * LANES;

/// Counts of the outcomes of attempts. Weights are relative to the bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Attempts begun, with any outcome.
    pub attempts: u64,
    /// Attempts that met a group with no option left.
    pub(crate) dead_ends: u64,
    /// Complete candidates that the network refused.
    pub refused: u64,
    /// Members found, before any rejection for uniformity.
    pub members: u64,
    sum: f64,
    sum_of_squares: f64,
}

impl Tally {
    /// Adds the counts of other attempts at the same problem.
    pub fn add(&mut self, other: &Tally) {
        self.attempts += other.attempts;
        self.dead_ends += other.dead_ends;
        self.refused += other.refused;
        self.members += other.members;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
    }

    /// Returns the effective share of the members: the number of equally weighted members that they are worth, divided
    /// by their number.
    pub fn effective(&self) -> f64 {
        if self.members == 0 { 0.0 } else { self.sum * self.sum / self.sum_of_squares / self.members as f64 }
    }

    /// Returns the share of attempts that end in a member if every member is made equally likely.
    pub fn acceptance(&self) -> f64 {
        self.mean().0
    }

    /// Mean and standard error of the weights, relative to the bound.
    fn mean(&self) -> (f64, f64) {
        let n = self.attempts.max(1) as f64;
        // The spread is taken with one more attempt, a failed one. If every attempt found a member, failures rarer than
        // one in `n` are still possible, and an error of zero would deny them.
        let (more, all) = (n + 1.0, self.sum / (n + 1.0));
        let variance = (self.sum_of_squares / more - all * all).max(0.0);
        (self.sum / n, (variance / n).sqrt())
    }
}

/// An unbiased estimate of the number of members.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated number of members.
    pub mean: f64,
    /// The standard error of the estimate.
    pub standard_error: f64,
}

/// Draws, each as one option per group.
#[derive(Clone, Debug, Default)]
pub struct Draws {
    /// The option taken in each group, draw by draw.
    pub options: Vec<u16>,
    /// The natural logarithm of the weight of each draw, relative to the bound.
    pub ln_weights: Vec<f64>,
    /// The counts of all attempts behind the draws.
    pub tally: Tally,
}

impl Draws {
    /// Keeps only the first `draws` draws; the tally does not change.
    pub fn shorten(&mut self, draws: usize) {
        let width = self.options.len() / self.ln_weights.len().max(1);
        self.ln_weights.truncate(draws);
        self.options.truncate(draws.saturating_mul(width));
    }
}

/// Draws members of a stage graph, many attempts at once.
pub struct Sampler<'a> {
    problem: &'a Problem,
    matrix: &'a Compatible,
    /// The part of the problem that the matrix does not cover.
    rest: Problem,
    /// Groups to decide, the smallest first; then the groups that follow from one of them.
    leading: Vec<u32>,
    following: Vec<u32>,
    /// Support groups, which span several groups; numbered after the groups.
    supports: Vec<Support>,
    ln_bound: f64,
    ln: Vec<f64>,
}

impl<'a> Sampler<'a> {
    /// Creates a sampler over a probed problem and its matrix.
    pub(crate) fn new(problem: &'a Problem, matrix: &'a Compatible) -> Sampler<'a> {
        let mut bit_of = vec![usize::MAX; problem.net.len()];
        for (group, &start) in problem.groups.iter().zip(&matrix.starts) {
            for (index, &(_, input)) in group.options.iter().enumerate() {
                bit_of[input as usize] = start + index;
            }
        }
        let exclude = |left: u32, right: u32| {
            let (left, right) = (bit_of[left as usize], bit_of[right as usize]);
            left != usize::MAX && right != usize::MAX && !matrix.allows(left, right)
        };
        let rest = problem.reduced(|_| None, exclude);
        let (leading, following) = leaders(problem, matrix);
        let largest = problem.option_count().max(1);
        let ln: Vec<f64> = (0..=largest).map(|size| (size as f64).ln()).collect();
        let supports = supports(problem, matrix, &leading);
        let groups: Vec<Support> = leading.iter().map(|&group| group_bits(problem, matrix, group as usize)).collect();
        let ln_bound = ln_bound(matrix, &supports, &groups);
        Sampler { problem, matrix, rest, leading, following, supports, ln_bound, ln }
    }

    /// Returns the number of gates that each candidate is checked against in addition to the matrix.
    pub fn gates(&self) -> usize {
        Lanes::new(&self.rest).gates()
    }

    /// The work of one attempt: the words of memory that it reads, each of which takes about a nanosecond.
    pub(crate) fn work(&self) -> f64 {
        let groups = self.leading.iter().map(|&group| group_words(self.problem, self.matrix, group as usize).len());
        let words = groups.sum::<usize>() + self.supports.iter().map(Vec::len).sum::<usize>();
        let decisions = self.problem.groups.len() as f64;
        // A decision compares the open groups, half of them on average, and removes the options that it excludes.
        decisions * (words as f64 / 2.0 + self.matrix.words as f64)
    }

    /// Estimates the number of members from all attempts of a tally.
    pub fn estimate(&self, tally: &Tally) -> Estimate {
        let (mean, error) = tally.mean();
        let bound = self.ln_bound.exp();
        Estimate { mean: mean * bound, standard_error: error * bound }
    }

    /// Draws until there are `limit` draws or the budget is spent. `uniform`: rejects draws so that each member is
    /// equally likely. The same seed gives the same draws for any number of threads.
    pub fn draw(&self, seed: u64, uniform: bool, limit: usize, budget: &Budget) -> Draws {
        let mut draws = Draws::default();
        let mut chunk = 0u64;
        let mut batch = 1;
        // After this number of attempts with hardly a draw, another method is better.
        let patience = 2_000_000;
        while draws.ln_weights.len() < limit && budget.stop().is_none() {
            if draws.tally.attempts > patience && (draws.ln_weights.len() as f64) < 1e-5 * draws.tally.attempts as f64 {
                break;
            }
            let found: Vec<Draws> = (chunk..chunk + batch)
                .into_par_iter()
                .map_init(
                    || Worker::new(self),
                    |worker, chunk| match budget.stop() {
                        Some(_) => Draws::default(),
                        None => worker.chunk(seed, chunk, uniform),
                    },
                )
                .collect();
            for new in found {
                draws.tally.add(&new.tally);
                draws.options.extend_from_slice(&new.options);
                draws.ln_weights.extend_from_slice(&new.ln_weights);
            }
            chunk += batch;
            batch = (batch * 2).min(64);
            budget.report("members drawn", draws.ln_weights.len(), (limit < usize::MAX).then_some(limit));
        }
        draws.shorten(limit);
        draws
    }
}

/// One thread's working memory.
pub struct Worker<'a, 's> {
    sampler: &'s Sampler<'a>,
    lanes: Lanes,
    attempt: Attempt,
    options: Vec<u16>,
}

impl<'a, 's> Worker<'a, 's> {
    /// Allocates the working memory for one thread.
    pub fn new(sampler: &'s Sampler<'a>) -> Worker<'a, 's> {
        Worker {
            sampler,
            lanes: Lanes::new(&sampler.rest),
            attempt: Attempt::new(sampler),
            options: vec![0; sampler.problem.groups.len() * LANES],
        }
    }

    /// Returns the draws of one chunk of attempts.
    pub fn chunk(&mut self, seed: u64, chunk: u64, uniform: bool) -> Draws {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ chunk);
        let mut draws = Draws::default();
        while draws.tally.attempts < CHUNK as u64 {
            self.batch(&mut rng, uniform, &mut draws);
        }
        draws
    }

    /// Makes the attempts that are checked together.
    fn batch(&mut self, rng: &mut impl Rng, uniform: bool, draws: &mut Draws) {
        let sampler = self.sampler;
        let groups = sampler.problem.groups.len();
        let mut alive = [0u64; LANES / 64];
        let mut ln_weights = [0.0; LANES];
        self.lanes.clear();
        for lane in 0..LANES {
            draws.tally.attempts += 1;
            let Some(ln_weight) = self.attempt.run(sampler, rng) else {
                draws.tally.dead_ends += 1;
                continue;
            };
            alive[lane / 64] |= 1 << (lane % 64);
            ln_weights[lane] = ln_weight;
            self.options[lane * groups..(lane + 1) * groups].copy_from_slice(&self.attempt.options);
            for (group, &option) in sampler.rest.groups.iter().zip(&self.attempt.options) {
                self.lanes.choose(lane, group.options[option as usize].1);
            }
        }
        let good = self.lanes.check();
        for lane in (0..LANES).filter(|lane| alive[lane / 64] >> (lane % 64) & 1 == 1) {
            if good[lane / 64] >> (lane % 64) & 1 == 0 {
                draws.tally.refused += 1;
                continue;
            }
            let relative = (ln_weights[lane] - sampler.ln_bound).exp();
            debug_assert!(relative < 1.0 + 1e-6, "the bound is one");
            draws.tally.members += 1;
            draws.tally.sum += relative;
            draws.tally.sum_of_squares += relative * relative;
            if !uniform || rng.random::<f64>() < relative {
                draws.options.extend_from_slice(&self.options[lane * groups..(lane + 1) * groups]);
                draws.ln_weights.push(if uniform { 0.0 } else { ln_weights[lane] });
            }
        }
    }
}

/// Splits the groups into leading and following ones: each option of a leading group leaves at most one option of its
/// following group.
fn leaders(problem: &Problem, matrix: &Compatible) -> (Vec<u32>, Vec<u32>) {
    let groups = problem.groups.len();
    let decides = |leader: usize, follower: usize| {
        let words = group_words(problem, matrix, follower);
        (0..problem.groups[leader].options.len()).all(|option| {
            let row = &matrix.row(matrix.starts[leader] + option)[words.clone()];
            row.iter().map(|word| word.count_ones()).sum::<u32>() <= 1
        })
    };
    let mut order: Vec<usize> = (0..groups).collect();
    order.sort_by_key(|&group| (std::cmp::Reverse(problem.groups[group].options.len()), group));
    let mut leading: Vec<usize> = Vec::new();
    let mut following = Vec::new();
    for group in order {
        if leading.iter().any(|&leader| decides(leader, group)) {
            following.push(group as u32);
        } else {
            leading.push(group);
        }
    }
    leading.sort_by_key(|&group| (problem.groups[group].options.len(), group));
    (leading.into_iter().map(|group| group as u32).collect(), following)
}

fn group_words(problem: &Problem, matrix: &Compatible, group: usize) -> std::ops::Range<usize> {
    let start = matrix.starts[group] / 64;
    start..start + problem.groups[group].options.len().div_ceil(64)
}

/// A group's options as bits.
fn group_bits(problem: &Problem, matrix: &Compatible, group: usize) -> Support {
    let count = problem.groups[group].options.len();
    let words = group_words(problem, matrix, group);
    let first = words.start;
    let mask = |word: usize| match count - 64 * (word - first) {
        left if left < 64 => (1 << left) - 1,
        _ => u64::MAX,
    };
    words.map(|word| (word, mask(word))).collect()
}

/// The working memory of one attempt.
struct Attempt {
    all: Vec<u64>,
    alive: Vec<u64>,
    /// The words and masks of each group, then of each support.
    masks: Vec<Support>,
    /// The group of each word's bits.
    group_of_word: Vec<u32>,
    open: Vec<u32>,
    options: Vec<u16>,
}

impl Attempt {
    fn new(sampler: &Sampler<'_>) -> Attempt {
        let (problem, matrix) = (sampler.problem, sampler.matrix);
        let mut all = vec![0u64; matrix.words];
        let mut group_of_word = vec![0; matrix.words];
        let mut masks = Vec::new();
        for (index, (group, &start)) in problem.groups.iter().zip(&matrix.starts).enumerate() {
            (start..start + group.options.len()).for_each(|bit| all[bit / 64] |= 1 << (bit % 64));
            group_of_word[group_words(problem, matrix, index)].fill(index as u32);
            masks.push(group_bits(problem, matrix, index));
        }
        masks.extend(sampler.supports.iter().cloned());
        Attempt { alive: all.clone(), all, masks, group_of_word, open: vec![], options: vec![0; problem.groups.len()] }
    }

    /// Makes one attempt: returns the logarithm of the weight, or `None` at a dead end.
    fn run(&mut self, sampler: &Sampler<'_>, rng: &mut impl Rng) -> Option<f64> {
        self.alive.copy_from_slice(&self.all);
        let groups = sampler.problem.groups.len() as u32;
        self.open.clear();
        self.open.extend(groups..groups + sampler.supports.len() as u32);
        let mut ln_weight = self.decide(sampler, rng)?;
        self.open.extend_from_slice(&sampler.leading);
        ln_weight += self.decide(sampler, rng)?;
        for &group in &sampler.following {
            if self.size(group) != 1 {
                return None;
            }
            self.take(sampler, group, 0);
        }
        Some(ln_weight)
    }

    /// Decides all open groups, the smallest first.
    fn decide(&mut self, sampler: &Sampler<'_>, rng: &mut impl Rng) -> Option<f64> {
        let mut ln_weight = 0.0;
        while !self.open.is_empty() {
            let (mut best, mut least) = (0, u32::MAX);
            for (at, &group) in self.open.iter().enumerate() {
                let size = self.size(group);
                if size < least {
                    (best, least) = (at, size);
                    if size <= 1 {
                        break;
                    }
                }
            }
            if least == 0 {
                return None;
            }
            let group = self.open.remove(best);
            let pick = if least == 1 { 0 } else { rng.random_range(0..least) };
            self.take(sampler, group, pick);
            ln_weight += sampler.ln[least as usize];
        }
        Some(ln_weight)
    }

    fn size(&self, group: u32) -> u32 {
        self.masks[group as usize].iter().map(|&(word, mask)| (self.alive[word] & mask).count_ones()).sum()
    }

    /// Takes the `pick`th option left in a group or support.
    fn take(&mut self, sampler: &Sampler<'_>, group: u32, pick: u32) {
        let mut rest = pick;
        let mut bit = 0;
        for &(word, mask) in &self.masks[group as usize] {
            let mut left = self.alive[word] & mask;
            let ones = left.count_ones();
            if rest < ones {
                for _ in 0..rest {
                    left &= left - 1;
                }
                bit = word * 64 + left.trailing_zeros() as usize;
                break;
            }
            rest -= ones;
        }
        let group = self.group_of_word[bit / 64] as usize;
        self.options[group] = (bit - sampler.matrix.starts[group]) as u16;
        for (alive, row) in self.alive.iter_mut().zip(sampler.matrix.row(bit)) {
            *alive &= row;
        }
    }
}
