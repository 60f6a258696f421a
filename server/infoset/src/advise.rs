//! ChooseMove (Richards & Amir 2012, Figure 3): samples the information set, estimates the probability of each history
//! from each opponent's own view, and values each legal move by random playouts.

use std::sync::atomic::{AtomicUsize, Ordering};

use percept_game::onward::{Opening, play_on};
use percept_game::{Game, JointMove, MoveId, RoleId};
use rand::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    Budget,
    csp::CspError,
    infoset::{Method, Options, Report, Wanted, infoset},
    member::Member,
};
use percept_game::view::View;

/// The amount of work before a move is advised.
#[derive(Clone, Debug)]
pub struct AdviseOptions {
    /// The number of members sampled.
    pub samples: usize,
    /// The number of playouts per member and move.
    pub playouts: usize,
    /// The number of each opponent's latest decisions that are judged by that opponent's own information set; earlier
    /// ones count as uniform. Zero: all opponents move uniformly.
    pub opponent_decisions: usize,
    /// The number of members sampled for one opponent's decision, each with one playout per move.
    pub opponent_samples: usize,
    /// The number of rounds after which a playout is given up (its goal at that point then counts).
    pub longest_playout: usize,
    /// The seed of the sample and the playouts.
    pub seed: u64,
    /// The method that finds members.
    pub method: Method,
    /// The memory for the information sets, in bytes.
    pub memory: usize,
}

impl Default for AdviseOptions {
    fn default() -> Self {
        AdviseOptions {
            samples: 200,
            playouts: 10,
            opponent_decisions: 2,
            opponent_samples: 16,
            longest_playout: 1000,
            seed: 0,
            method: Method::Auto,
            memory: crate::DEFAULT_MEMORY,
        }
    }
}

/// The advice on one move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveAdvice {
    /// The move that is valued.
    pub mv: MoveId,
    /// The estimated goal after the move.
    pub value: f64,
    /// Half the width of the 95 % interval; infinite if there was one playout.
    pub margin: f64,
    /// The share of the (weighted) members in which the move is legal.
    pub legal: f64,
    /// The number of playouts made after the move.
    pub playouts: u64,
}

/// The moves, best first, and the sample behind them.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The moves with their values, best first.
    pub moves: Vec<MoveAdvice>,
    /// The members in which the moves were tried.
    pub sample: Report,
    /// The worth of the sample, as a number of equally probable members.
    pub effective_members: f64,
    /// The number of opponents' information sets that were sampled.
    pub opponent_views: usize,
}

/// Advises the view's role. The list of moves is empty if the match is over, or if no history fits the view.
///
/// # Errors
/// Fails if the information set cannot be sampled at all, or no move could be valued in time.
pub fn advise(game: &Game, view: &View, options: &AdviseOptions, budget: &Budget) -> Result<Advice, CspError> {
    advise_each(game, view, options, budget, None)
}

/// Learns the moves as they are valued in the first members of the sample, and the number of these members.
pub type SoFar<'a> = &'a mut dyn FnMut(&[MoveAdvice], usize);

/// Like [`advise()`]: `so_far` learns the values from a playout of each move in one member, then from ever more members.
///
/// # Errors
/// Fails like [`advise()`].
pub fn advise_each(
    game: &Game,
    view: &View,
    options: &AdviseOptions,
    budget: &Budget,
    so_far: Option<SoFar<'_>>,
) -> Result<Advice, CspError> {
    let sampling = Options {
        method: options.method,
        wanted: Wanted::ByProbability,
        limit: options.samples.max(1),
        seed: options.seed,
        memory: options.memory,
        ..Options::default()
    };
    let sample = infoset(game, view, &sampling, budget)?;
    let advice = valued(game, view, sample, options, budget, so_far);
    let members = &advice.sample.members;
    let is_over = !members.is_empty() && members.iter().all(|member| game.rules.terminal(&member.state));
    match budget.stop().or(advice.sample.stopped) {
        Some(stop) if advice.moves.is_empty() && !is_over => Err(stop.into()),
        _ => Ok(advice),
    }
}

/// Like [`advise()`], from members already found.
pub fn advise_from(game: &Game, view: &View, sample: Report, options: &AdviseOptions, budget: &Budget) -> Advice {
    valued(game, view, sample, options, budget, None)
}

/// The number of members with the first values that are reported, but for those of single playouts.
const FIRST: usize = 2;

fn valued(
    game: &Game,
    view: &View,
    sample: Report,
    options: &AdviseOptions,
    budget: &Budget,
    mut so_far: Option<SoFar<'_>>,
) -> Advice {
    let mut opponents = Opponents { game, options, budget, policies: FxHashMap::default() };
    let total = sample.members.len();
    let done = AtomicUsize::new(0);
    let value = |(index, member): (usize, &Member)| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed ^ (index as u64) << 20);
        let values = value_moves(game, view.role, member, options, &mut rng, budget);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        budget.report("histories in which every move was tried", done, Some(total));
        values
    };
    if let (Some(so_far), Some(member)) = (&mut so_far, sample.members.first()) {
        // With thousands of moves, one playout of each takes a second.
        let once = AdviseOptions { playouts: 1, ..options.clone() };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        so_far(&table(&[value_moves(game, view.role, member, &once, &mut rng, budget)], &[1.0]), 1);
    }
    let (mut ln_weights, mut values): (Vec<f64>, Vec<Vec<Tried>>) = (Vec::new(), Vec::new());
    while values.len() < total {
        // The members are in no order, so the first ones are a sample, too. Twice as many, again and again.
        let begin = values.len();
        let end = if so_far.is_some() { total.min(FIRST.max(2 * begin)) } else { total };
        let members = &sample.members[begin..end];
        ln_weights.extend(members.iter().map(|it| sample.ln_chance(it) + opponents.correction(view.role, it)));
        values.par_extend(members.par_iter().enumerate().map(|(at, member)| value((begin + at, member))));
        if let (Some(so_far), true) = (&mut so_far, end < total) {
            so_far(&table(&values, &weights(&ln_weights)), end);
        }
    }
    let weights = weights(&ln_weights);
    let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    Advice {
        moves: table(&values, &weights),
        effective_members: if squares > 0.0 { sum * sum / squares } else { 0.0 },
        opponent_views: opponents.policies.len(),
        sample,
    }
}

/// The weights for these logarithms; the greatest is 1.
fn weights(ln_weights: &[f64]) -> Vec<f64> {
    let greatest = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    ln_weights.iter().map(|ln_weight| (ln_weight - greatest).exp()).collect()
}

/// The value of a move in one member: the mean of its playouts.
struct Tried {
    mv: MoveId,
    value: f64,
    /// The standard error of the value; infinite for a single playout.
    error: f64,
    playouts: u64,
}

impl Tried {
    fn new(mv: MoveId, sum: f64, squares: f64, playouts: u64) -> Tried {
        let count = playouts as f64;
        let value = sum / count;
        let variance = ((squares / count - value * value).max(0.0) * count) / (count - 1.0).max(0.0);
        let error = if playouts > 1 { (variance / count).sqrt() } else { f64::INFINITY };
        Tried { mv, value, error, playouts }
    }
}

/// For each legal move, the mean goal of playouts that begin with it. Empty if the work is stopped before all moves
/// have one, so that all moves are judged by the same members.
fn value_moves(
    game: &Game,
    role: RoleId,
    member: &Member,
    options: &AdviseOptions,
    rng: &mut dyn RngCore,
    budget: &Budget,
) -> Vec<Tried> {
    if budget.stop().is_some() || game.rules.terminal(&member.state) {
        return vec![];
    }
    let legal = game.rules.legal(&member.state, role);
    let playouts = options.playouts.max(1) as u64;
    let every = legal.iter().flat_map(|&mv| std::iter::repeat_n(mv, playouts as usize));
    let openings: Vec<Opening> = every.map(|mv| Opening { state: &member.state, first: Some((role, mv)) }).collect();
    let mut sums = vec![(0.0, 0.0); legal.len()];
    let stop = || budget.stop().is_some();
    let all = play_on(game, &openings, options.longest_playout, rng, &stop, &mut |opening, goals| {
        let (sum, squares) = &mut sums[opening / playouts as usize];
        let goal = goals[usize::from(role.0)];
        *sum += goal;
        *squares += goal * goal;
    });
    let values = legal.into_iter().zip(sums).map(|(mv, (sum, squares))| Tried::new(mv, sum, squares, playouts));
    if all { values.collect() } else { vec![] }
}

/// The table of moves: weighted means over members, with intervals from their spread. With a single member, the
/// intervals are those of its playouts.
fn table(values: &[Vec<Tried>], weights: &[f64]) -> Vec<MoveAdvice> {
    let mut by_move: FxHashMap<MoveId, Vec<(f64, &Tried)>> = FxHashMap::default();
    for (member, &weight) in values.iter().zip(weights) {
        for tried in member {
            by_move.entry(tried.mv).or_default().push((weight, tried));
        }
    }
    let total: f64 = values.iter().zip(weights).filter(|(member, _)| !member.is_empty()).map(|(_, w)| w).sum();
    let mut moves: Vec<MoveAdvice> = by_move
        .into_iter()
        .map(|(mv, parts)| {
            let sum: f64 = parts.iter().map(|(w, ..)| w).sum();
            let value = parts.iter().map(|(w, it)| w * it.value).sum::<f64>() / sum;
            let spread = match parts[..] {
                [(_, only)] => only.error,
                _ => parts.iter().map(|(w, it)| (w * (it.value - value)).powi(2)).sum::<f64>().sqrt() / sum,
            };
            let playouts = parts.iter().map(|(_, it)| it.playouts).sum();
            MoveAdvice { mv, value, margin: 1.96 * spread, legal: sum / total, playouts }
        })
        .collect();
    moves.sort_by(|left, right| right.value.total_cmp(&left.value).then(left.mv.cmp(&right.mv)));
    moves
}

/// The move probabilities of each opponent, judged by its own information set.
struct Opponents<'a> {
    game: &'a Game,
    options: &'a AdviseOptions,
    budget: &'a Budget,
    /// The probability of each move, by the opponent's view.
    policies: FxHashMap<View, FxHashMap<MoveId, f64>>,
}

impl Opponents<'_> {
    /// The logarithm of a history's probability if opponents move by [`Opponents::policy`], relative to uniform
    /// opponents.
    fn correction(&mut self, role: RoleId, member: &Member) -> f64 {
        let opponents = self.game.role_ids().filter(|&other| other != role);
        let opponents: Vec<RoleId> = opponents.filter(|other| !self.game.roles[other.0 as usize].is_chance).collect();
        opponents.into_iter().map(|other| self.of_opponent(other, &member.moves)).sum()
    }

    /// The part of the correction for one opponent's latest decisions.
    fn of_opponent(&mut self, other: RoleId, moves: &[JointMove]) -> f64 {
        if self.options.opponent_decisions == 0 || self.budget.stop().is_some() {
            return 0.0;
        }
        let Ok(states) = percept_game::view::play(self.game, moves) else {
            return 0.0;
        };
        let Ok(view) = View::of_match(self.game, other, moves) else {
            return 0.0;
        };
        let mut correction = 0.0;
        let mut judged = 0;
        for round in (0..moves.len()).rev() {
            let choices = self.game.rules.legal(&states[round], other).len();
            if choices < 2 {
                continue;
            }
            if judged == self.options.opponent_decisions || self.budget.stop().is_some() {
                break;
            }
            judged += 1;
            let policy = self.policy(&view.prefix(round));
            if let Some(probability) = policy.get(&moves[round][other.0 as usize]) {
                correction += probability.ln() + (choices as f64).ln();
            }
        }
        correction
    }

    /// An opponent's probability of each of its moves: a small ChooseMove of its own, softened (better moves are more
    /// probable, none is excluded).
    fn policy(&mut self, view: &View) -> &FxHashMap<MoveId, f64> {
        if !self.policies.contains_key(view) {
            let policy = self.judged(view);
            self.policies.insert(view.clone(), policy);
        }
        &self.policies[view]
    }

    fn judged(&self, view: &View) -> FxHashMap<MoveId, f64> {
        let sampling = Options {
            wanted: Wanted::ByProbability,
            limit: self.options.opponent_samples.max(1),
            seed: self.options.seed,
            memory: self.options.memory,
            ..Options::default()
        };
        let Ok(sample) = infoset(self.game, view, &sampling, self.budget) else {
            return FxHashMap::default();
        };
        let once = AdviseOptions { playouts: 1, ..self.options.clone() };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.options.seed);
        let members = sample.members.iter();
        let values: Vec<_> =
            members.map(|member| value_moves(self.game, view.role, member, &once, &mut rng, self.budget)).collect();
        let ln_weights: Vec<f64> = sample.members.iter().map(|member| sample.ln_chance(member)).collect();
        soft(&table(&values, &weights(&ln_weights)))
    }
}

/// Probabilities that grow with the value, in units of the values' own spread; a tenth is spread evenly.
fn soft(moves: &[MoveAdvice]) -> FxHashMap<MoveId, f64> {
    const EVEN: f64 = 0.1;
    let count = moves.len() as f64;
    let mean = moves.iter().map(|advice| advice.value).sum::<f64>() / count;
    let spread = (moves.iter().map(|advice| (advice.value - mean).powi(2)).sum::<f64>() / count).sqrt().max(1e-9);
    let powers: Vec<f64> = moves.iter().map(|advice| ((advice.value - mean) / spread).exp()).collect();
    let sum: f64 = powers.iter().sum();
    moves.iter().zip(powers).map(|(advice, power)| (advice.mv, EVEN / count + (1.0 - EVEN) * power / sum)).collect()
}
