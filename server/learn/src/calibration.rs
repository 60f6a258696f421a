//! The reliability of a network's guesses, compared with the exact shares of an information set.

use ndarray::Array2;
use serde::Serialize;

use crate::encode::Encoding;

/// The number of classes into which guesses are sorted: those up to 10 %, up to 20 %, ...
pub const CLASSES: usize = 10;
/// The value of a guess of zero in the cross entropy.
const LEAST: f64 = 1e-6;

/// One class of guesses: the mean guess and the mean exact probability.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Class {
    /// The number of guesses in the class.
    pub count: u64,
    /// The mean of the guesses.
    pub guessed: f64,
    /// The mean of the exact probabilities.
    pub exact: f64,
}

/// Sums over rounds in which another role had something to hide.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calibration {
    /// The number of compared rows, one per round and role.
    pub rows: u64,
    cross: f64,
    entropy: f64,
    uniform: f64,
    classes: [Class; CLASSES],
}

/// The means, in nats per row.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Entropies {
    /// The cross entropy of the network's guesses under the exact shares; its minimum is `exact`.
    pub network: f64,
    /// The entropy of the exact probabilities.
    pub exact: f64,
    /// The cross entropy of a uniform guess.
    pub uniform: f64,
}

impl Calibration {
    /// Adds a view: the network's guesses, and the exact shares ([`Encoding::information`]).
    pub fn add(&mut self, encoding: &Encoding, guess: &Array2<f32>, exact: &[Vec<f64>]) {
        for (guess, exact) in guess.rows().into_iter().zip(exact) {
            for index in 0..encoding.others.len() {
                let block = encoding.block(index);
                let sum: f64 = exact[block.clone()].iter().sum();
                // A role without a choice has an empty row; unseen pairs are missing from theirs.
                if sum < 0.999 {
                    continue;
                }
                self.rows += 1;
                self.uniform += (block.len() as f64).ln();
                for column in block {
                    let (q, p) = (f64::from(guess[column]), exact[column]);
                    self.cross -= p * q.max(LEAST).ln();
                    self.entropy -= if p > 0.0 { p * p.ln() } else { 0.0 };
                    let class = &mut self.classes[((q * CLASSES as f64) as usize).min(CLASSES - 1)];
                    class.count += 1;
                    class.guessed += q;
                    class.exact += p;
                }
            }
        }
    }

    /// The mean entropies; `None` if nothing was compared.
    pub fn entropies(&self) -> Option<Entropies> {
        let rows = self.rows as f64;
        (self.rows > 0).then(|| Entropies {
            network: self.cross / rows,
            exact: self.entropy / rows,
            uniform: self.uniform / rows,
        })
    }

    /// The means of each class.
    pub fn reliability(&self) -> Vec<Class> {
        let mean = |class: &Class| Class {
            count: class.count,
            guessed: class.guessed / class.count.max(1) as f64,
            exact: class.exact / class.count.max(1) as f64,
        };
        self.classes.iter().map(mean).collect()
    }
}
