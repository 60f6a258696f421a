//! Training: Adam on the mean squared error, with early stopping.
//!
//! Batches are cut into shards of a fixed size, regardless of the number of threads, and their gradients are added in a
//! fixed order: the same seed gives the same weights, bit by bit, on machines with the same vector instructions.

use ndarray::Zip;
use percept_infoset::{Budget, Stop};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::network::{Network, Weights, elements};
use crate::sample::Example;

/// The number of matches whose gradients are computed by one thread.
const SHARD: usize = 4;
/// The decay rates of Adam, and its constant against division by zero (Kingma et al. 2015).
const FORGET: (f32, f32) = (0.9, 0.999);
const TINY: f32 = 1e-8;

/// The settings of training.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Training {
    /// The maximum number of passes over all matches.
    pub epochs: u32,
    /// The number of epochs without a better validation loss after which training ends.
    pub patience: u32,
    /// The number of matches per step.
    pub batch: usize,
    /// The learning rate of Adam.
    pub rate: f64,
    /// The maximum length of a gradient; a longer one is shortened.
    pub clip: f64,
    /// The seed of the first weights and of the order of the matches.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Training {
        Training { epochs: 60, patience: 6, batch: 8, rate: 2e-3, clip: 1.0, seed: 0 }
    }
}

/// The losses of an epoch: mean squared errors per element.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Epoch {
    /// The number of the epoch, from 1; 0 is the network before any training.
    pub epoch: u32,
    /// The loss on the training examples.
    pub training: f64,
    /// The loss on the validation examples.
    pub validation: f64,
}

/// The results of training.
#[derive(Clone, PartialEq, Debug)]
pub struct Trained {
    /// The network of the epoch with the least validation loss.
    pub network: Network<f32>,
    /// The losses of that epoch.
    pub best: Epoch,
    /// The losses of all epochs.
    pub epochs: Vec<Epoch>,
    /// The reason for an end before the last epoch, other than lack of progress.
    pub stopped: Option<Stop>,
}

/// The mean squared error of a network; 0 if there is nothing to guess.
pub fn loss(network: &Network<f32>, examples: &[Example]) -> f64 {
    let all: Vec<&Example> = examples.iter().collect();
    let errors: Vec<f64> = all.par_chunks(SHARD).map(|shard| network.error(shard)).collect();
    errors.iter().sum::<f64>() / elements(&all, &network.shape.blocks).max(1) as f64
}

/// Trains until the last epoch, until there is no more progress, or until the work is stopped; `watch` gets every
/// epoch.
pub fn train(
    mut network: Network<f32>,
    training: &[Example],
    validation: &[Example],
    how: &Training,
    budget: &Budget,
    watch: &mut dyn FnMut(&Epoch),
) -> Trained {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(how.seed);
    let judge = |network: &Network<f32>, training: f64, epoch: u32| {
        let validation = if validation.is_empty() { training } else { loss(network, validation) };
        Epoch { epoch, training, validation }
    };
    let mut best = judge(&network, loss(&network, training), 0);
    watch(&best);
    let (mut best_network, mut epochs) = (network.clone(), vec![best]);
    let mut adam = Adam::new(&network);
    let mut stopped = None;
    let mut order: Vec<&Example> = training.iter().filter(|it| !it.inputs.is_empty()).collect();
    'epochs: for epoch in 1..=how.epochs {
        order.shuffle(&mut rng);
        let mut error = 0.0;
        for batch in order.chunks(how.batch.max(1)) {
            stopped = budget.stop();
            if stopped.is_some() {
                break 'epochs;
            }
            let lessons: Vec<_> = batch.par_chunks(SHARD).map(|shard| network.learn(shard)).collect();
            let mut gradient = Weights::zeros(&network.shape);
            for lesson in lessons {
                error += lesson.error;
                gradient.add(&lesson.gradient);
            }
            let count = elements(batch, &network.shape.blocks).max(1);
            adam.step(&mut network.weights, gradient, 1.0 / count as f64, how);
        }
        let mean = error / elements(&order, &network.shape.blocks).max(1) as f64;
        let now = judge(&network, mean, epoch);
        watch(&now);
        epochs.push(now);
        if now.validation < best.validation {
            (best, best_network) = (now, network.clone());
        } else if epoch - best.epoch >= how.patience {
            break;
        }
    }
    Trained { network: best_network, best, epochs, stopped }
}

/// The state of Adam.
struct Adam {
    mean: Weights<f32>,
    square: Weights<f32>,
    steps: i32,
}

impl Adam {
    fn new(network: &Network<f32>) -> Adam {
        Adam { mean: Weights::zeros(&network.shape), square: Weights::zeros(&network.shape), steps: 0 }
    }

    fn step(&mut self, weights: &mut Weights<f32>, mut gradient: Weights<f32>, scale: f64, how: &Training) {
        let squares = gradient.parts.iter().flatten().map(|&it| f64::from(it).powi(2)).sum::<f64>();
        let length = squares.sqrt() * scale;
        // The clipped quantity is the gradient of the mean over elements, times their number per row: of the order of
        // one.
        let scale = scale * self.width(weights);
        let length = length * self.width(weights);
        let scale = (if length > how.clip { scale * how.clip / length } else { scale }) as f32;
        self.steps += 1;
        let unbias = (1.0 - FORGET.0.powi(self.steps), 1.0 - FORGET.1.powi(self.steps));
        let rate = how.rate as f32;
        for (index, gradient) in gradient.parts.iter_mut().enumerate() {
            let (mean, square) = (&mut self.mean.parts[index], &mut self.square.parts[index]);
            Zip::from(&mut weights.parts[index]).and(gradient).and(mean).and(square).for_each(
                |weight, by, mean, square| {
                    let by = *by * scale;
                    *mean = FORGET.0 * *mean + (1.0 - FORGET.0) * by;
                    *square = FORGET.1 * *square + (1.0 - FORGET.1) * by * by;
                    *weight -= rate * (*mean / unbias.0) / ((*square / unbias.1).sqrt() + TINY);
                },
            );
        }
    }

    /// The number of elements of an output.
    fn width(&self, weights: &Weights<f32>) -> f64 {
        weights.parts.last().map_or(1, |bias| bias.ncols()) as f64
    }
}
