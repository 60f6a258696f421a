//! External sampling (Lanctot et al. 2009, §4.2): the traverser tries all its moves, while chance and each other player
//! make one. There is little noise, but an iteration visits as many states as the traverser has ways to play.

use percept_game::{JointMove, State};

use super::{OpenJointMove, Sample, Sampler};
use crate::tree::BuildError;

impl Sampler<'_> {
    /// The traverser's goal from here on, in a sampled part of the game.
    pub(super) fn external(&mut self, state: &State, views: &[u32], round: usize) -> Result<f64, BuildError> {
        self.visited += 1;
        if self.visited > self.most {
            return Ok(0.0);
        }
        let OpenJointMove { mut joint, own } = match self.draw_others(state, views, round, 1.0)? {
            Sample::On(drawn) => drawn,
            Sample::Over(goal) => return Ok(goal),
        };
        if own.len() == 1 {
            return self.external_step(state, &joint, views, round);
        }
        let view = views[self.traverser];
        let behaviour = self.node(self.traverser, view, &own).matched();
        let role = self.tables[self.traverser].role;
        let mut values = Vec::with_capacity(own.len());
        for &mv in &own {
            joint[role.0 as usize] = mv;
            values.push(self.external_step(state, &joint, views, round)?);
        }
        let value: f64 = values.iter().zip(&behaviour).map(|(value, probability)| value * probability).sum();
        let weight = self.weight;
        let node = self.node(self.traverser, view, &own);
        for (regret, action) in node.regrets.iter_mut().zip(&values) {
            *regret += weight * (action - value) as f32;
        }
        Ok(value)
    }

    fn external_step(
        &mut self,
        state: &State,
        joint: &JointMove,
        views: &[u32],
        round: usize,
    ) -> Result<f64, BuildError> {
        let (next, views) = self.after(state, joint, views);
        self.external(&next, &views, round + 1)
    }
}
