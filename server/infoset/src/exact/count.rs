//! Backward pass: the number of ways from each state to the end of the view, and their probability.

use num_bigint::BigUint;
use num_traits::Zero;

use super::Filter;

/// The ways to finish the view from each state of each layer. States that cannot finish have zero.
pub struct Counts {
    /// The exact number of ways, by layer and state.
    pub ways: Vec<Vec<BigUint>>,
    /// The probability of finishing, by layer and state. Each layer is scaled so that its greatest is one.
    pub mass: Vec<Vec<f64>>,
    /// The first edge of each state, layer by layer (and the end of the last).
    pub(crate) first_edge: Vec<Vec<usize>>,
    /// The natural logarithm of the divisor of `mass`, over all layers.
    ln_scale: f64,
}

impl Counts {
    /// Counts backwards from the last layer.
    pub fn new(filter: &Filter<'_>) -> Counts {
        let end = filter.last();
        let mut ways = vec![vec![BigUint::from(1u32); end.states.len()]];
        let mut mass = vec![vec![1.0; end.states.len()]];
        let mut first_edge = vec![vec![0; end.states.len() + 1]];
        let mut ln_scale = 0.0;
        for layer in filter.layers.iter().rev().skip(1) {
            let (later_ways, later_mass) = (&ways[ways.len() - 1], &mass[mass.len() - 1]);
            let mut here_ways = vec![BigUint::zero(); layer.states.len()];
            let mut here_mass = vec![0.0; layer.states.len()];
            let mut first = vec![0; layer.states.len() + 1];
            for edge in &layer.edges {
                let from = edge.from as usize;
                here_ways[from] += &later_ways[edge.to as usize];
                here_mass[from] += edge.probability * later_mass[edge.to as usize];
                first[from + 1] += 1;
            }
            for index in 1..first.len() {
                first[index] += first[index - 1];
            }
            let greatest = here_mass.iter().copied().fold(0.0, f64::max);
            if greatest > 0.0 {
                ln_scale += greatest.ln();
                here_mass.iter_mut().for_each(|mass| *mass /= greatest);
            }
            ways.push(here_ways);
            mass.push(here_mass);
            first_edge.push(first);
        }
        ways.reverse();
        mass.reverse();
        first_edge.reverse();
        Counts { ways, mass, first_edge, ln_scale }
    }

    /// The natural logarithm of the sum of all members' probabilities.
    pub fn ln_mass(&self) -> f64 {
        self.mass[0][0].ln() + self.ln_scale
    }

    /// The number of members of the information set.
    pub fn total(&self) -> &BigUint {
        &self.ways[0][0]
    }
}
