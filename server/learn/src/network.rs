//! The network of Figure 5: an encoder reads a role's rounds one by one; from its final state, a decoder writes the
//! others' rounds one by one, each a distribution over the possible deeds of every other role.
//!
//! The decoder starts from the encoder's last state and gets that state at each of its steps. With
//! [`Shape::looks_back`] it also gets the round that it has to explain, which the figure does not have.
//!
//! A match of n rounds is n examples, one for each of its prefixes (or fewer: those that were drawn again). As an
//! encoder reads forward, all prefixes share one.

use ndarray::{Array2, Axis, linalg::general_mat_mul, s};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::encode::Ones;
use crate::lstm::{Before, Real, Step, back, collect, step};
use crate::sample::Example;

/// The dimensions of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The width of a row of the role's own history.
    pub inputs: usize,
    /// The width of the hidden state, of encoder and decoder.
    pub hidden: usize,
    /// The widths of the distributions of a round, one for each other role.
    pub blocks: Vec<usize>,
    /// True if the decoder also gets the round that it has to explain.
    pub looks_back: bool,
}

impl Shape {
    /// The width of a row of guesses.
    pub fn outputs(&self) -> usize {
        self.blocks.iter().sum()
    }
}

/// The weights, or other arrays of the same shape: gradients, and the state of an optimizer.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights<R> {
    /// The arrays, in the order of [`NAMES`].
    pub parts: Vec<Array2<R>>,
}

/// The names of the weights in a file.
pub const NAMES: [&str; 9] = [
    "encoder.input",
    "encoder.recurrent",
    "encoder.bias",
    "decoder.summary",
    "decoder.input",
    "decoder.recurrent",
    "decoder.bias",
    "output.weight",
    "output.bias",
];
const ENCODER_INPUT: usize = 0;
const ENCODER_RECURRENT: usize = 1;
const ENCODER_BIAS: usize = 2;
const DECODER_SUMMARY: usize = 3;
const DECODER_INPUT: usize = 4;
const DECODER_RECURRENT: usize = 5;
const DECODER_BIAS: usize = 6;
const OUTPUT_WEIGHT: usize = 7;
const OUTPUT_BIAS: usize = 8;

impl Shape {
    /// The numbers of rows and columns of the weights, in the order of [`NAMES`].
    pub fn sizes(&self) -> [(usize, usize); 9] {
        let (hidden, gates) = (self.hidden, 4 * self.hidden);
        let looked = if self.looks_back { self.inputs } else { 0 };
        [
            (self.inputs, gates),
            (hidden, gates),
            (1, gates),
            (hidden, gates),
            (looked, gates),
            (hidden, gates),
            (1, gates),
            (hidden, self.outputs()),
            (1, self.outputs()),
        ]
    }
}

impl<R: Real> Weights<R> {
    /// Creates weights that are all 0.
    pub fn zeros(shape: &Shape) -> Weights<R> {
        Weights { parts: shape.sizes().map(Array2::zeros).into() }
    }

    /// Adds the other weights element by element.
    pub fn add(&mut self, other: &Weights<R>) {
        self.parts.iter_mut().zip(&other.parts).for_each(|(part, other)| *part += other);
    }
}

/// A network that guesses.
#[derive(Clone, PartialEq, Debug)]
pub struct Network<R> {
    /// The dimensions of the network.
    pub shape: Shape,
    /// The weights.
    pub weights: Weights<R>,
}

/// The summed squared error of examples, and the gradient of that sum.
pub struct Lesson<R> {
    /// The squared error, summed over all examples.
    pub error: f64,
    /// The gradient of the error with respect to each weight.
    pub gradient: Weights<R>,
}

/// The prefix of a match in a decoder row.
#[derive(Clone, Copy)]
struct Beginning {
    sequence: usize,
    rounds: usize,
}

/// The intermediate results of a forward pass.
struct Pass<R> {
    beginnings: Vec<Beginning>,
    encoder: Vec<Step<R>>,
    first_hidden: Array2<R>,
    first_cell: Array2<R>,
    decoder: Vec<Step<R>>,
    /// For each step, the distributions of the rows that are long enough.
    guesses: Vec<Array2<R>>,
}

impl<R: Real> Network<R> {
    /// Creates random weights of the magnitude used by PyTorch; forget gates begin open.
    pub fn new(shape: Shape, seed: u64) -> Network<R> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let bound = 1.0 / (shape.hidden as f64).sqrt();
        let mut weights = Weights::zeros(&shape);
        for part in &mut weights.parts {
            part.iter_mut().for_each(|it| *it = R::of(rng.random_range(-bound..bound)));
        }
        let hidden = shape.hidden;
        for bias in [ENCODER_BIAS, DECODER_BIAS] {
            weights.parts[bias].slice_mut(s![.., hidden..2 * hidden]).fill(R::one());
        }
        Network { shape, weights }
    }

    fn part(&self, index: usize) -> &Array2<R> {
        &self.weights.parts[index]
    }

    /// Guesses for a whole history, one row per round: the probability of every deed of the others.
    pub fn guess(&self, inputs: &[Ones]) -> Array2<R> {
        if inputs.is_empty() {
            return Array2::zeros((0, self.shape.outputs()));
        }
        let pass = self.forward(&[inputs], vec![Beginning { sequence: 0, rounds: inputs.len() }]);
        let rows: Vec<_> = pass.guesses.iter().map(|it| it.row(0)).collect();
        ndarray::stack(Axis(0), &rows).expect("rows of one width")
    }

    /// The error of every prefix of the examples, and its gradient.
    pub fn learn(&self, examples: &[&Example]) -> Lesson<R> {
        let (order, pass) = self.pass(examples);
        let (error, by_guess) = self.errors(&order, &pass);
        let sequences: Vec<&[Ones]> = order.iter().map(|it| it.inputs.as_slice()).collect();
        Lesson { error, gradient: self.backward(&sequences, &pass, by_guess) }
    }

    /// The error without its gradient.
    pub fn error(&self, examples: &[&Example]) -> f64 {
        let (order, pass) = self.pass(examples);
        self.errors(&order, &pass).0
    }

    /// Runs the examples with the longest first: rows that end early are then the last ones of every step.
    fn pass<'e>(&self, examples: &[&'e Example]) -> (Vec<&'e Example>, Pass<R>) {
        let mut order = examples.to_vec();
        order.sort_by_key(|it| std::cmp::Reverse(it.inputs.len()));
        let of = |(sequence, it): (usize, &&Example)| {
            it.beginnings().into_iter().map(move |rounds| Beginning { sequence, rounds }).collect::<Vec<_>>()
        };
        let mut beginnings: Vec<Beginning> = order.iter().enumerate().flat_map(of).collect();
        beginnings.sort_by_key(|it| (std::cmp::Reverse(it.rounds), it.sequence));
        let sequences: Vec<&[Ones]> = order.iter().map(|it| it.inputs.as_slice()).collect();
        let pass = self.forward(&sequences, beginnings);
        (order, pass)
    }

    fn forward(&self, sequences: &[&[Ones]], beginnings: Vec<Beginning>) -> Pass<R> {
        let encoder = self.encode(sequences);
        let hidden = self.shape.hidden;
        let mut first_hidden = Array2::zeros((beginnings.len(), hidden));
        let mut first_cell = Array2::zeros((beginnings.len(), hidden));
        for (row, it) in beginnings.iter().enumerate() {
            first_hidden.row_mut(row).assign(&encoder[it.rounds - 1].hidden.row(it.sequence));
            first_cell.row_mut(row).assign(&encoder[it.rounds - 1].cell.row(it.sequence));
        }
        let summary = first_hidden.dot(self.part(DECODER_SUMMARY));
        let (mut decoder, mut guesses) = (Vec::<Step<R>>::new(), Vec::new());
        let longest = beginnings.first().map_or(0, |it| it.rounds);
        while decoder.len() < longest {
            let round = decoder.len();
            let rows = beginnings.partition_point(|it| it.rounds > round);
            let mut gates = summary.slice(s![..rows, ..]).to_owned();
            if self.shape.looks_back {
                for (row, it) in beginnings[..rows].iter().enumerate() {
                    self.add_rows(DECODER_INPUT, &sequences[it.sequence][round], &mut gates, row);
                }
            }
            let before = match decoder.last() {
                Some(last) => last.first(rows),
                None => Before { hidden: first_hidden.view(), cell: first_cell.view() },
            };
            let next = step(self.part(DECODER_RECURRENT), self.part(DECODER_BIAS), gates, before);
            let mut logits = next.hidden.dot(self.part(OUTPUT_WEIGHT));
            logits += self.part(OUTPUT_BIAS);
            self.normalize(&mut logits);
            decoder.push(next);
            guesses.push(logits);
        }
        Pass { beginnings, encoder, first_hidden, first_cell, decoder, guesses }
    }

    fn encode(&self, sequences: &[&[Ones]]) -> Vec<Step<R>> {
        let hidden = self.shape.hidden;
        let zeros = Array2::zeros((sequences.len(), hidden));
        let mut steps = Vec::<Step<R>>::new();
        for round in 0..sequences.first().map_or(0, |it| it.len()) {
            let rows = sequences.partition_point(|it| it.len() > round);
            let mut gates = Array2::zeros((rows, 4 * hidden));
            for (row, sequence) in sequences[..rows].iter().enumerate() {
                self.add_rows(ENCODER_INPUT, &sequence[round], &mut gates, row);
            }
            let before = match steps.last() {
                Some(last) => last.first(rows),
                None => Before { hidden: zeros.slice(s![..rows, ..]), cell: zeros.slice(s![..rows, ..]) },
            };
            steps.push(step(self.part(ENCODER_RECURRENT), self.part(ENCODER_BIAS), gates, before));
        }
        steps
    }

    /// Adds the product of a row of zeros and ones and a matrix.
    fn add_rows(&self, part: usize, ones: &Ones, gates: &mut Array2<R>, row: usize) {
        let mut gates = gates.row_mut(row);
        for &column in ones {
            gates += &self.part(part).row(column as usize);
        }
    }

    /// Turns the blocks of every row into distributions.
    fn normalize(&self, logits: &mut Array2<R>) {
        for mut row in logits.rows_mut() {
            let mut rest = row.as_slice_mut().expect("rows are contiguous");
            for &width in &self.shape.blocks {
                let (block, others) = rest.split_at_mut(width);
                rest = others;
                let greatest = block.iter().copied().fold(R::neg_infinity(), R::max);
                let mut sum = R::zero();
                for it in block.iter_mut() {
                    *it = (*it - greatest).exp();
                    sum += *it;
                }
                block.iter_mut().for_each(|it| *it = *it / sum);
            }
        }
    }

    /// The summed squared error, and for each step its gradient with respect to the input of the distributions.
    fn errors(&self, order: &[&Example], pass: &Pass<R>) -> (f64, Vec<Array2<R>>) {
        let mut error = 0.0;
        let mut wanted = vec![R::zero(); self.shape.outputs()];
        let two = R::of(2.0);
        let gradient = |(round, guesses): (usize, &Array2<R>)| {
            let mut gradient = Array2::zeros(guesses.raw_dim());
            for (row, it) in pass.beginnings[..guesses.nrows()].iter().enumerate() {
                let target = order[it.sequence].target(round, it.rounds);
                wanted.fill(R::zero());
                target.iter().for_each(|&(column, share)| wanted[column as usize] = R::of(f64::from(share)));
                let mut first = 0;
                for &width in &self.shape.blocks {
                    let block = first..first + width;
                    first += width;
                    if !target.iter().any(|it| block.contains(&(it.0 as usize))) {
                        continue;
                    }
                    let mut mean = R::zero();
                    for column in block.clone() {
                        let difference = guesses[[row, column]] - wanted[column];
                        error += (difference * difference).to();
                        gradient[[row, column]] = two * difference;
                        mean += two * difference * guesses[[row, column]];
                    }
                    for column in block {
                        gradient[[row, column]] = guesses[[row, column]] * (gradient[[row, column]] - mean);
                    }
                }
            }
            gradient
        };
        let gradients = pass.guesses.iter().enumerate().map(gradient).collect();
        (error, gradients)
    }

    fn backward(&self, sequences: &[&[Ones]], pass: &Pass<R>, by_logits: Vec<Array2<R>>) -> Weights<R> {
        let mut gradient = Weights::zeros(&self.shape);
        let hidden = self.shape.hidden;
        let all = pass.beginnings.len();
        let mut by_summary = Array2::<R>::zeros((all, 4 * hidden));
        let (mut by_hidden, mut by_cell) = (Array2::<R>::zeros((0, hidden)), Array2::<R>::zeros((0, hidden)));
        for (round, by_logits) in by_logits.iter().enumerate().rev() {
            let rows = by_logits.nrows();
            let this = &pass.decoder[round];
            let before = match round.checked_sub(1) {
                Some(last) => pass.decoder[last].first(rows),
                None => Before { hidden: pass.first_hidden.view(), cell: pass.first_cell.view() },
            };
            general_mat_mul(R::one(), &this.hidden.t(), by_logits, R::one(), &mut gradient.parts[OUTPUT_WEIGHT]);
            let mut bias = gradient.parts[OUTPUT_BIAS].row_mut(0);
            bias += &by_logits.sum_axis(Axis(0));
            // Copies into rows: `dot` would return columns if there is only one output.
            let mut here = Array2::zeros((rows, hidden));
            general_mat_mul(R::one(), by_logits, &self.part(OUTPUT_WEIGHT).t(), R::zero(), &mut here);
            let later = by_hidden.nrows();
            here.slice_mut(s![..later, ..]).scaled_add(R::one(), &by_hidden);
            let back = back(this, before, &here, &grown(by_cell, rows));
            by_summary.slice_mut(s![..rows, ..]).scaled_add(R::one(), &back.gates);
            if self.shape.looks_back {
                for (row, it) in pass.beginnings[..rows].iter().enumerate() {
                    scatter(&mut gradient.parts[DECODER_INPUT], &sequences[it.sequence][round], &back.gates, row);
                }
            }
            by_hidden = self.collect(DECODER_RECURRENT, &back.gates, before, &mut gradient);
            by_cell = back.cell;
        }
        general_mat_mul(R::one(), &pass.first_hidden.t(), &by_summary, R::one(), &mut gradient.parts[DECODER_SUMMARY]);
        by_hidden = by_hidden + by_summary.dot(&self.part(DECODER_SUMMARY).t());
        self.backward_encoder(sequences, pass, &by_hidden, &by_cell, &mut gradient);
        gradient
    }

    /// The backward pass through the encoder, which every prefix leaves after its own last round.
    fn backward_encoder(
        &self,
        sequences: &[&[Ones]],
        pass: &Pass<R>,
        by_first_hidden: &Array2<R>,
        by_first_cell: &Array2<R>,
        gradient: &mut Weights<R>,
    ) {
        let hidden = self.shape.hidden;
        let zeros = Array2::zeros((sequences.len(), hidden));
        let (mut by_hidden, mut by_cell) = (Array2::<R>::zeros((0, hidden)), Array2::<R>::zeros((0, hidden)));
        for (round, this) in pass.encoder.iter().enumerate().rev() {
            let rows = this.hidden.nrows();
            let (mut here, mut cell) = (grown(by_hidden, rows), grown(by_cell, rows));
            let left = pass.beginnings.iter().enumerate().filter(|(_, it)| it.rounds == round + 1);
            for (row, it) in left {
                here.row_mut(it.sequence).scaled_add(R::one(), &by_first_hidden.row(row));
                cell.row_mut(it.sequence).scaled_add(R::one(), &by_first_cell.row(row));
            }
            let before = match round.checked_sub(1) {
                Some(last) => pass.encoder[last].first(rows),
                None => Before { hidden: zeros.slice(s![..rows, ..]), cell: zeros.slice(s![..rows, ..]) },
            };
            let back = back(this, before, &here, &cell);
            for (row, sequence) in sequences[..rows].iter().enumerate() {
                scatter(&mut gradient.parts[ENCODER_INPUT], &sequence[round], &back.gates, row);
            }
            by_hidden = self.collect(ENCODER_RECURRENT, &back.gates, before, gradient);
            by_cell = back.cell;
        }
    }

    /// Collects the gradients of a layer's recurrent weights and of its bias, which are next to each other.
    fn collect(&self, part: usize, gates: &Array2<R>, before: Before<'_, R>, gradient: &mut Weights<R>) -> Array2<R> {
        let (left, right) = gradient.parts.split_at_mut(part + 1);
        collect(gates, before, self.part(part), &mut left[part], &mut right[0])
    }
}

/// The same rows followed by rows of zeros.
fn grown<R: Real>(array: Array2<R>, rows: usize) -> Array2<R> {
    let mut grown = Array2::zeros((rows, array.ncols()));
    grown.slice_mut(s![..array.nrows(), ..]).assign(&array);
    grown
}

/// The backward pass through [`Network::add_rows`].
fn scatter<R: Real>(part: &mut Array2<R>, ones: &Ones, gates: &Array2<R>, row: usize) {
    for &column in ones {
        part.row_mut(column as usize).scaled_add(R::one(), &gates.row(row));
    }
}

/// The number of squared errors that [`Network::error`] adds up: those of roles with a choice.
pub fn elements(examples: &[&Example], blocks: &[usize]) -> u64 {
    let of_turn = |target: &Vec<(u32, f32)>| {
        let mut first = 0;
        let mut sum = 0;
        for &width in blocks {
            if target.iter().any(|it| (first..first + width).contains(&(it.0 as usize))) {
                sum += width as u64;
            }
            first += width;
        }
        sum
    };
    let of = |it: &&Example| -> u64 {
        let of_beginning = |rounds: usize| (0..rounds).map(|round| of_turn(it.target(round, rounds))).sum::<u64>();
        it.beginnings().into_iter().map(of_beginning).sum()
    };
    examples.iter().map(of).sum()
}
