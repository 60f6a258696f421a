//! Counterfactual regret minimization on plans. The information sets of each player are a tree, and the two trees are
//! coupled by a product with the payoff matrix. No histories are visited.
//!
//! - CFR+ (Tammelin 2014): regrets never fall below zero, players take turns, plans are averaged linearly.
//! - Discounted CFR (Brown & Sandholm 2019) with their parameters 3/2, 0, 2.
//! - Predictive CFR+ (Farina, Kroer & Sandholm 2021): the last regrets serve as a forecast of the next ones, plans are
//!   averaged quadratically.

use crate::plan;
use crate::shape::Shape;
use crate::tree::Treeplex;
use crate::zero_sum::{Matrix, Payoffs};

/// The weighting of past regrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Regrets never fall below zero, and later strategies count for more (Tammelin 2014).
    Plus,
    /// Older regrets count for less (Brown and Sandholm 2019).
    Discounted,
    /// Like `Plus`, with the last regrets as a forecast of the next ones (Farina et al. 2021).
    Predictive,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 3] = [Variant::Plus, Variant::Discounted, Variant::Predictive];

    /// The name of the variant, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Plus => "cfr+",
            Variant::Discounted => "dcfr",
            Variant::Predictive => "pcfr+",
        }
    }
}

/// Smaller probabilities are treated as zero, because products of them would be denormal numbers, which are slow.
const TINY: f64 = 1e-200;

/// The regrets of one player and its plans.
#[derive(Clone, Debug)]
pub struct Learner {
    pub(crate) shape: Shape,
    pub(crate) regrets: Vec<f64>,
    /// The regrets of the last iteration, as a forecast; empty if none is made.
    pub(crate) forecast: Vec<f64>,
    behaviour: Vec<f64>,
    /// The player's plan at present.
    pub plan: Vec<f64>,
    /// The weighted sum of the plans so far.
    pub(crate) sum: Vec<f64>,
    pub(crate) total: f64,
    gains: Vec<f64>,
    pub(crate) variant: Variant,
}

impl Learner {
    /// A new learner: all moves are equally likely.
    pub fn new(plex: &Treeplex, variant: Variant) -> Learner {
        Learner::of(plex.into(), variant)
    }

    /// A new learner for these decisions.
    pub(crate) fn of(shape: Shape, variant: Variant) -> Learner {
        let count = shape.sequences();
        let mut behaviour = vec![1.0; count];
        for infoset in 0..shape.infosets() {
            let moves = shape.moves(infoset);
            let share = 1.0 / moves.len() as f64;
            behaviour[moves].fill(share);
        }
        Learner {
            regrets: vec![0.0; count],
            forecast: if variant == Variant::Predictive { vec![0.0; count] } else { Vec::new() },
            plan: shape.uniform(),
            behaviour,
            sum: vec![0.0; count],
            total: 0.0,
            gains: vec![0.0; shape.variables()],
            variant,
            shape,
        }
    }

    /// The gains of each sequence at its leaves in this iteration. The caller fills them in before [`Learner::learn`].
    pub fn gains(&mut self) -> &mut [f64] {
        &mut self.gains
    }

    pub(crate) fn gains_mut(&mut self) -> &mut Vec<f64> {
        &mut self.gains
    }

    /// Iteration `t` (from 1): updates regrets by the gains, then behaviour and plan, and adds the plan to the average.
    pub fn learn(&mut self, t: usize) {
        self.regret(t);
        self.match_regrets();
        let weight = match self.variant {
            Variant::Plus => t as f64,
            Variant::Discounted | Variant::Predictive => (t as f64) * (t as f64),
        };
        self.total += weight;
        for (sum, plan) in self.sum.iter_mut().zip(&self.plan) {
            *sum += weight * plan;
        }
    }

    fn regret(&mut self, t: usize) {
        let t = t as f64;
        let keep = t.powf(1.5) / (t.powf(1.5) + 1.0);
        for (infosets, sums) in self.shape.stages().rev() {
            self.shape.pass_on(sums, &mut self.gains);
            for index in infosets.rev() {
                let range = self.shape.moves(index);
                let (gains, behaviour) = (&self.gains[range.clone()], &self.behaviour[range.clone()]);
                let value: f64 = gains.iter().zip(behaviour).map(|(gain, probability)| gain * probability).sum();
                let regrets = &mut self.regrets[range.clone()];
                match self.variant {
                    Variant::Plus => {
                        for (regret, gain) in regrets.iter_mut().zip(gains) {
                            *regret = (*regret + gain - value).max(0.0);
                        }
                    }
                    Variant::Discounted => {
                        for (regret, gain) in regrets.iter_mut().zip(gains) {
                            *regret = (*regret + gain - value) * if *regret + gain > value { keep } else { 0.5 };
                        }
                    }
                    Variant::Predictive => {
                        let forecast = &mut self.forecast[range];
                        for ((regret, forecast), gain) in regrets.iter_mut().zip(forecast).zip(gains) {
                            *forecast = gain - value;
                            *regret = (*regret + *forecast).max(0.0);
                        }
                    }
                }
                self.gains[self.shape.parents[index] as usize] += value;
            }
        }
    }

    pub(crate) fn match_regrets(&mut self) {
        for (infosets, sums) in self.shape.stages() {
            for index in infosets {
                let range = self.shape.moves(index);
                let reached = self.plan[self.shape.parents[index] as usize];
                let behaviour = &mut self.behaviour[range.clone()];
                behaviour.copy_from_slice(&self.regrets[range.clone()]);
                if self.variant == Variant::Predictive {
                    for (wanted, forecast) in behaviour.iter_mut().zip(&self.forecast[range.clone()]) {
                        *wanted += forecast;
                    }
                }
                let sum: f64 = behaviour.iter().map(|wanted| wanted.max(0.0)).sum();
                if sum > 0.0 {
                    let scale = 1.0 / sum;
                    behaviour.iter_mut().for_each(|wanted| *wanted = wanted.max(0.0) * scale);
                } else {
                    let share = 1.0 / behaviour.len() as f64;
                    behaviour.fill(share);
                }
                for (plan, probability) in self.plan[range].iter_mut().zip(behaviour) {
                    let product = reached * *probability;
                    *plan = if product < TINY { 0.0 } else { product };
                }
            }
            self.shape.add_up(sums, &mut self.plan);
        }
    }

    /// The average plan so far; the uniform one before the first iteration.
    pub fn average(&self) -> Vec<f64> {
        if self.total == 0.0 {
            return self.plan.clone();
        }
        let scale = 1.0 / self.total;
        let mut plan: Vec<f64> = self.sum.iter().map(|sum| sum * scale).collect();
        plan.resize(self.shape.variables(), 0.0);
        self.shape.add_up(0..self.shape.sums.len() - 1, &mut plan);
        plan
    }
}

/// The worth of the plans of two players with opposed goals.
pub(crate) trait Coupling: Sync {
    /// The gain of each variable of a player (0 or 1) at the ends of matches, against a plan of the other, in its own
    /// goals without the offset.
    fn gains(&self, player: usize, against: &[f64], gains: &mut [f64]);

    /// The number that is subtracted from the first player's goals.
    fn offset(&self) -> f64;
}

impl Coupling for Payoffs {
    fn gains(&self, player: usize, against: &[f64], gains: &mut [f64]) {
        if player == 0 {
            self.by_first.times(against, gains);
        } else {
            self.by_second.times(against, gains);
            gains.iter_mut().for_each(|gain| *gain = -*gain);
        }
    }

    fn offset(&self) -> f64 {
        self.offset as f64
    }
}

/// Both players of a zero-sum game, learning against each other.
pub struct Pair<'a> {
    pub(crate) coupling: &'a dyn Coupling,
    pub(crate) learners: [Learner; 2],
    /// The number of iterations.
    pub iterations: usize,
}

/// Bounds of the value in the first player's goals: it can secure `low`, and the second can hold it to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// The goal that the first player can secure.
    pub low: f64,
    /// The goal to which the second player can hold the first one.
    pub high: f64,
}

impl Bracket {
    /// The average gain of a best response for the two players.
    pub fn exploitability(&self) -> f64 {
        ((self.high - self.low) / 2.0).max(0.0)
    }
}

impl<'a> Pair<'a> {
    /// A game of two players whose goals are opposed.
    pub fn new(first: &Treeplex, second: &Treeplex, payoffs: &'a Payoffs, variant: Variant) -> Pair<'a> {
        Pair::of([first.into(), second.into()], payoffs, variant)
    }

    /// The players of a game with these decisions.
    pub(crate) fn of(shapes: [Shape; 2], coupling: &'a dyn Coupling, variant: Variant) -> Pair<'a> {
        Pair { coupling, learners: shapes.map(|shape| Learner::of(shape, variant)), iterations: 0 }
    }

    /// Runs one iteration: the first player learns, then the second against the first one's new plan.
    pub fn iterate(&mut self) {
        self.iterations += 1;
        let [first, second] = &mut self.learners;
        self.coupling.gains(0, &second.plan, first.gains());
        first.learn(self.iterations);
        self.coupling.gains(1, &first.plan, second.gains());
        second.learn(self.iterations);
    }

    /// True if an iteration takes so long that limits are checked after each.
    pub(crate) fn is_slow(&self) -> bool {
        self.learners.iter().map(|learner| learner.regrets.len()).sum::<usize>() > 1_000
    }

    /// The average plans of both players.
    pub fn averages(&self) -> [Vec<f64>; 2] {
        [self.learners[0].average(), self.learners[1].average()]
    }

    /// The bounds of the value from best responses to the average plans.
    pub fn bracket(&self) -> Bracket {
        let best = |player: usize| {
            let shape = &self.learners[player].shape;
            let mut gains = vec![0.0; shape.variables()];
            self.coupling.gains(player, &self.learners[1 - player].average(), &mut gains);
            shape.best_response(&mut gains)
        };
        let offset = self.coupling.offset();
        Bracket { low: offset - best(1), high: offset + best(0) }
    }
}

/// The bounds of the value from the best responses to two plans.
pub fn bracket(plexes: [&Treeplex; 2], payoffs: &Payoffs, first: &[f64], second: &[f64]) -> Bracket {
    let offset = payoffs.offset as f64;
    let high = plan::best_response(plexes[0], &mut gains(&payoffs.by_first, second, 1.0));
    let low = -plan::best_response(plexes[1], &mut gains(&payoffs.by_second, first, -1.0));
    Bracket { low: low + offset, high: high + offset }
}

/// The gain of each sequence against a plan.
pub fn gains(matrix: &Matrix, against: &[f64], sign: f64) -> Vec<f64> {
    let mut gains = vec![0.0; matrix.rows()];
    matrix.times(against, &mut gains);
    gains.iter_mut().for_each(|gain| *gain *= sign);
    gains
}
