//! Outcome sampling (Lanctot et al. 2009, §4.1): every player makes one move, the traverser a random one with
//! probability `EXPLORE`, and the result is weighted by the probability of reaching it. An iteration is one match,
//! however many moves there are. Recent values of the other moves serve as baselines (Davis, Schmid and Bowling 2020,
//! *Low-variance and zero-variance baselines for extensive-form games*, equation 3), which removes most of the noise.

use percept_game::{MoveId, State};

use super::{OpenJointMove, Sample, Sampler, table::draw};
use crate::tree::BuildError;

/// The probability that the traverser makes a random move instead of a move of its strategy.
const EXPLORE: f64 = 0.6;
/// The weight of the newest value in a baseline.
const RATE: f32 = 0.1;

impl Sampler<'_> {
    /// An estimate of the traverser's goal from here on. `reach`: the probability that its own draws lead here.
    pub(super) fn outcome(
        &mut self,
        state: &State,
        views: &[u32],
        round: usize,
        reach: f64,
    ) -> Result<f64, BuildError> {
        let OpenJointMove { mut joint, own } = match self.draw_others(state, views, round, reach)? {
            Sample::On(drawn) => drawn,
            Sample::Over(goal) => return Ok(goal),
        };
        let role = self.tables[self.traverser].role;
        if own.len() == 1 {
            let (next, views) = self.after(state, &joint, views);
            return self.outcome(&next, &views, round + 1, reach);
        }
        let behaviour = self.node(self.traverser, views[self.traverser], &own).matched();
        let even = EXPLORE / own.len() as f64;
        let tried: Vec<f64> = behaviour.iter().map(|it| even + (1.0 - EXPLORE) * it).collect();
        let at = draw(&tried, &mut self.rng);
        joint[role.0 as usize] = own[at];
        let (next, next_views) = self.after(state, &joint, views);
        let met = self.outcome(&next, &next_views, round + 1, reach * tried[at])?;
        Ok(self.learn(views[self.traverser], &own, &behaviour, (at, tried[at], met), reach))
    }

    /// Adds the result to the regrets of a view; returns the value of the view.
    fn learn(
        &mut self,
        view: u32,
        own: &[MoveId],
        behaviour: &[f64],
        (at, probability, met): (usize, f64, f64),
        reach: f64,
    ) -> f64 {
        let (weight, usual) = (f64::from(self.weight), self.usual[self.traverser].mean());
        let node = self.node(self.traverser, view, own);
        let mut values: Vec<f64> =
            node.baselines.iter().map(|&it| if it.is_nan() { usual } else { f64::from(it) }).collect();
        values[at] += (met - values[at]) / probability;
        let value: f64 = values.iter().zip(behaviour).map(|(value, probability)| value * probability).sum();
        for (regret, action) in node.regrets.iter_mut().zip(&values) {
            *regret += (weight * (action - value) / reach) as f32;
        }
        let baseline = &mut node.baselines[at];
        *baseline = if baseline.is_nan() { met as f32 } else { *baseline + RATE * (met as f32 - *baseline) };
        value
    }
}
