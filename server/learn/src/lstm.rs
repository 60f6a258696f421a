//! A long short-term memory layer (Hochreiter & Schmidhuber 1997, with forget gates), forward and backward, for a batch
//! of rows. Gates are in the order of PyTorch: input, forget, cell, output.

use ndarray::{Array2, ArrayView2, Axis, linalg::general_mat_mul, s};
use num_traits::Float;

/// The numbers with which a network computes: `f32`, and `f64` in checks of gradients.
pub trait Real: Float + ndarray::LinalgScalar + ndarray::ScalarOperand + std::ops::AddAssign + Send + Sync {
    /// Converts to the nearest number of this type.
    fn of(value: f64) -> Self;
    /// Converts to `f64`.
    fn to(self) -> f64;
}

impl Real for f32 {
    fn of(value: f64) -> f32 {
        value as f32
    }
    fn to(self) -> f64 {
        f64::from(self)
    }
}

impl Real for f64 {
    fn of(value: f64) -> f64 {
        value
    }
    fn to(self) -> f64 {
        self
    }
}

/// The intermediate results of a step, for the backward pass.
#[derive(Clone, Debug)]
pub struct Step<R> {
    /// The four gates of each row, after their activation.
    gates: Array2<R>,
    tanh: Array2<R>,
    /// The cell state, one row per example.
    pub cell: Array2<R>,
    /// The hidden state, one row per example.
    pub hidden: Array2<R>,
}

/// The hidden and the cell state before a step.
#[derive(Clone, Copy)]
pub struct Before<'a, R> {
    /// The hidden state, one row per example.
    pub hidden: ArrayView2<'a, R>,
    /// The cell state, one row per example.
    pub cell: ArrayView2<'a, R>,
}

impl<R> Step<R> {
    /// The state before the next step, for its first `rows` rows.
    pub fn first(&self, rows: usize) -> Before<'_, R> {
        Before { hidden: self.hidden.slice(s![..rows, ..]), cell: self.cell.slice(s![..rows, ..]) }
    }
}

fn sigmoid<R: Real>(x: R) -> R {
    R::one() / (R::one() + (-x).exp())
}

/// Computes one step. `gates` is the contribution of the inputs to the gates; `recurrent` (hidden x 4 hidden) and
/// `bias` add the rest.
pub fn step<R: Real>(recurrent: &Array2<R>, bias: &Array2<R>, mut gates: Array2<R>, before: Before<'_, R>) -> Step<R> {
    general_mat_mul(R::one(), &before.hidden, recurrent, R::one(), &mut gates);
    let width = recurrent.nrows();
    let bias = bias.as_slice().expect("a row");
    let (mut tanh, mut cell) = (Array2::zeros(before.cell.raw_dim()), Array2::zeros(before.cell.raw_dim()));
    let mut hidden = Array2::zeros(before.cell.raw_dim());
    for row in 0..gates.nrows() {
        let mut gates = gates.row_mut(row);
        let gates = gates.as_slice_mut().expect("rows are contiguous");
        for (index, gate) in gates.iter_mut().enumerate() {
            let sum = *gate + bias[index];
            *gate = if index / width == 2 { sum.tanh() } else { sigmoid(sum) };
        }
        let old = before.cell.row(row);
        let old = old.as_slice().expect("rows are contiguous");
        let (mut cell, mut tanh, mut hidden) = (cell.row_mut(row), tanh.row_mut(row), hidden.row_mut(row));
        let cell = cell.as_slice_mut().expect("rows are contiguous");
        let tanh = tanh.as_slice_mut().expect("rows are contiguous");
        let hidden = hidden.as_slice_mut().expect("rows are contiguous");
        for unit in 0..width {
            let (input, forget, new, output) =
                (gates[unit], gates[width + unit], gates[2 * width + unit], gates[3 * width + unit]);
            cell[unit] = forget * old[unit] + input * new;
            tanh[unit] = cell[unit].tanh();
            hidden[unit] = output * tanh[unit];
        }
    }
    Step { gates, tanh, cell, hidden }
}

/// The gradients at the beginning of a step: with respect to its gates (before their activation), and to its previous
/// cell state.
pub struct Back<R> {
    /// The gradient with respect to the gates; four times as wide as the state.
    pub gates: Array2<R>,
    /// The gradient with respect to the previous cell state.
    pub cell: Array2<R>,
}

/// The backward pass through one step, from the gradients with respect to its hidden and its cell state.
pub fn back<R: Real>(step: &Step<R>, before: Before<'_, R>, hidden: &Array2<R>, cell: &Array2<R>) -> Back<R> {
    let (rows, width) = hidden.dim();
    let mut gates = Array2::zeros((rows, 4 * width));
    let mut earlier = Array2::zeros((rows, width));
    let one = R::one();
    for row in 0..rows {
        let (forward, old, squashed) = (step.gates.row(row), before.cell.row(row), step.tanh.row(row));
        let forward = forward.as_slice().expect("rows are contiguous");
        let old = old.as_slice().expect("rows are contiguous");
        let squashed = squashed.as_slice().expect("rows are contiguous");
        let (by_hidden, by_cell) = (hidden.row(row), cell.row(row));
        let by_hidden = by_hidden.as_slice().expect("rows are contiguous");
        let by_cell = by_cell.as_slice().expect("rows are contiguous");
        let (mut out, mut earlier) = (gates.row_mut(row), earlier.row_mut(row));
        let out = out.as_slice_mut().expect("rows are contiguous");
        let earlier = earlier.as_slice_mut().expect("rows are contiguous");
        for unit in 0..width {
            let (input, forget, new, output) =
                (forward[unit], forward[width + unit], forward[2 * width + unit], forward[3 * width + unit]);
            let (by_hidden, tanh) = (by_hidden[unit], squashed[unit]);
            let by_cell = by_cell[unit] + by_hidden * output * (one - tanh * tanh);
            out[unit] = by_cell * new * input * (one - input);
            out[width + unit] = by_cell * old[unit] * forget * (one - forget);
            out[2 * width + unit] = by_cell * input * (one - new * new);
            out[3 * width + unit] = by_hidden * tanh * output * (one - output);
            earlier[unit] = by_cell * forget;
        }
    }
    Back { gates, cell: earlier }
}

/// Adds a step's contribution to the gradients of its weights, and returns the gradient with respect to the previous
/// hidden state.
pub fn collect<R: Real>(
    gates: &Array2<R>,
    before: Before<'_, R>,
    recurrent: &Array2<R>,
    by_recurrent: &mut Array2<R>,
    by_bias: &mut Array2<R>,
) -> Array2<R> {
    general_mat_mul(R::one(), &before.hidden.t(), gates, R::one(), by_recurrent);
    let mut bias = by_bias.row_mut(0);
    bias += &gates.sum_axis(Axis(0));
    gates.dot(&recurrent.t())
}
