//! Regret minimization as bytes, to continue it later. It continues exactly as if it had not been interrupted.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use crate::cfr::{Learner, Pair, Variant};

/// The place where the state of regret minimization is kept.
#[derive(Clone)]
pub struct Checkpoint {
    /// The state that was kept before, if there is one.
    pub kept: Option<Arc<Vec<u8>>>,
    /// Keeps a new state in place of the old one.
    pub keep: Keep,
}

/// A function that keeps bytes.
pub(crate) type Keep = Arc<dyn Fn(Vec<u8>) + Send + Sync>;

const MAGIC: &[u8; 16] = b"percept cfr 1\n\0\0";

/// The numbers of a state, read one after the other.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*head))
    }

    fn fill(&mut self, numbers: &mut [f64]) -> Option<()> {
        for number in numbers {
            *number = f64::from_bits(self.number()?);
        }
        Some(())
    }
}

impl Pair<'_> {
    /// The state of the learners.
    pub(crate) fn save(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.fingerprint().to_le_bytes());
        out.extend((self.iterations as u64).to_le_bytes());
        for learner in &self.learners {
            out.extend(learner.total.to_bits().to_le_bytes());
            for row in [&learner.regrets, &learner.forecast, &learner.sum] {
                row.iter().for_each(|number| out.extend(number.to_bits().to_le_bytes()));
            }
        }
        out
    }

    /// Continues from a state. `None` if it belongs to another game or another method, or is damaged; the learners are
    /// useless then.
    pub(crate) fn load(&mut self, bytes: &[u8]) -> Option<()> {
        let mut reader = Reader(bytes.strip_prefix(MAGIC)?);
        if reader.number()? != self.fingerprint() {
            return None;
        }
        self.iterations = usize::try_from(reader.number()?).ok()?;
        for learner in &mut self.learners {
            learner.total = f64::from_bits(reader.number()?);
            for row in [&mut learner.regrets, &mut learner.forecast, &mut learner.sum] {
                reader.fill(row)?;
            }
            if self.iterations > 0 {
                learner.match_regrets();
            }
        }
        reader.0.is_empty().then_some(())
    }

    /// A number for the game and the method.
    fn fingerprint(&self) -> u64 {
        let mut hasher = FxHasher::default();
        let variant = Variant::ALL.iter().position(|&it| it == self.learners[0].variant);
        variant.hash(&mut hasher);
        self.coupling.offset().to_bits().hash(&mut hasher);
        let uniform: [Vec<f64>; 2] = [0, 1].map(|at: usize| self.learners[at].shape.uniform());
        for (player, learner) in self.learners.iter().enumerate() {
            let Learner { shape, .. } = learner;
            shape.hash(&mut hasher);
            let mut gains = vec![0.0; shape.variables()];
            self.coupling.gains(player, &uniform[1 - player], &mut gains);
            gains.iter().for_each(|gain| gain.to_bits().hash(&mut hasher));
        }
        hasher.finish()
    }
}
