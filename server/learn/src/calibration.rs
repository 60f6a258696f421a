//! How far a network's guesses can be believed: against the exact shares of an information set.

use ndarray::Array2;
use serde::Serialize;

use crate::encode::Encoding;

/// Guesses are sorted into so many classes: those up to 10 %, up to 20 %, ...
pub const CLASSES: usize = 10;
/// What a guess of nothing counts as in the cross entropy.
const LEAST: f64 = 1e-6;

/// One class of guesses: what was guessed on average, and what was so.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Class {
    /// How many guesses fall into it.
    pub count: u64,
    /// The mean of the guesses.
    pub guessed: f64,
    /// The mean of the exact probabilities.
    pub exact: f64,
}

/// Sums over rounds of other roles that had something to hide.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Calibration {
    /// Rounds and roles compared.
    pub rows: u64,
    cross: f64,
    entropy: f64,
    uniform: f64,
    classes: [Class; CLASSES],
}

/// The means, in nats a row.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Entropies {
    /// Of the network's guesses under the exact shares; the least that can be is `exact`.
    pub network: f64,
    /// Of the exact probabilities.
    pub exact: f64,
    /// Of a guess that holds everything for equally likely.
    pub uniform: f64,
}

impl Calibration {
    /// Adds a view: what the network guesses, and the exact shares ([`Encoding::information`]).
    pub fn add(&mut self, encoding: &Encoding, guess: &Array2<f32>, exact: &[Vec<f64>]) {
        for (guess, exact) in guess.rows().into_iter().zip(exact) {
            for index in 0..encoding.others.len() {
                let block = encoding.block(index);
                let sum: f64 = exact[block.clone()].iter().sum();
                // A role without a choice has an empty row; pairs that were never seen are missing from theirs.
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

    /// The mean entropies; `None` before anything was compared.
    pub fn entropies(&self) -> Option<Entropies> {
        let rows = self.rows as f64;
        (self.rows > 0).then(|| Entropies {
            network: self.cross / rows,
            exact: self.entropy / rows,
            uniform: self.uniform / rows,
        })
    }

    /// By class, the means.
    pub fn reliability(&self) -> Vec<Class> {
        let mean = |class: &Class| Class {
            count: class.count,
            guessed: class.guessed / class.count.max(1) as f64,
            exact: class.exact / class.count.max(1) as f64,
        };
        self.classes.iter().map(mean).collect()
    }
}
