//! The linear program of a zero-sum game in sequence form (Koller, Megiddo & von Stengel 1996): a plan of one player
//! and a bound on the other's gain at each of its information sets. Both players' plans come from one program: the
//! second is its dual.
//!
//! Solved by `clarabel`, an interior-point method in pure Rust. Measured on the games of this project (one thread,
//! release; seconds, and the error of the value in goals):
//!
//! | game              | sequences | entries | clarabel       | microlp (simplex) | HiGHS simplex |
//! |-------------------|-----------|---------|----------------|-------------------|---------------|
//! | liar's dice, 4    |      1530 |    4069 | 0.026, 1e-8    | 0.10, 9e-7        | 0.03          |
//! | Leduc poker       |      2186 |    5520 | 0.056, 5e-9    | 2.4, 2e-7         | 0.18          |
//! | Goofspiel 4       |      7474 |   13824 | 0.21, 2e-8     | 5.1, 4e-6         | 0.24          |
//!
//! HiGHS is not faster and needs cmake to build. A simplex method ends at a vertex, whose probabilities are fractions;
//! exact fractions are also found from the inside of a face ([`crate::exact`]).

use std::time::Duration;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT};

use crate::tree::Treeplex;
use crate::zero_sum::Matrix;

/// The solution of the program.
pub struct Plans {
    /// Plans of `own` and of `other` that are best against each other, up to some 1e-8.
    pub plans: [Vec<f64>; 2],
    /// The position of these plans among all optimal ones.
    pub face: Face,
}

/// The position of plans among all optimal ones, by player.
pub struct Face {
    /// The sequences that some optimal plan uses. An interior-point method ends near a strictly complementary pair:
    /// either the number of a sequence goes to zero, or the loss by it does.
    pub used: [Vec<bool>; 2],
    /// The goal of the player, by the opponent's information sets.
    pub values: [Vec<f64>; 2],
}

/// The plans of both players. `payoffs` are gains of `own`; its columns are the sequences of `own`, its rows those of
/// `other`. `None` if the solver fails or the time is up.
pub fn both_plans(own: &Treeplex, other: &Treeplex, payoffs: &Matrix, time: Option<Duration>) -> Option<Plans> {
    let (plan, root) = (own.sequences(), own.sequences());
    let variables = plan + 1 + other.infosets.len();
    let mut rows = Rows::default();
    rows.add([(0, 1.0)], 1.0);
    for infoset in &own.infosets {
        let moves = infoset.sequences().map(|sequence| (sequence, 1.0));
        rows.add(moves.chain([(infoset.parent as usize, -1.0)]), 0.0);
    }
    let equations = rows.constants.len();
    // The gain of `other` from a sequence is at least the gain at its leaves and at the information sets that follow.
    let mut bounds: Vec<Vec<(usize, f64)>> = vec![Vec::new(); other.sequences()];
    bounds[0].push((root, 1.0));
    for (index, infoset) in other.infosets.iter().enumerate() {
        let value = root + 1 + index;
        infoset.sequences().for_each(|sequence| bounds[sequence].push((value, 1.0)));
        bounds[infoset.parent as usize].push((value, -1.0));
    }
    for (sequence, bound) in bounds.into_iter().enumerate() {
        let payoffs = payoffs.row(sequence).map(|(column, payoff)| (column as usize, -payoff));
        rows.add(bound.into_iter().chain(payoffs), 0.0);
    }
    for sequence in 0..plan {
        rows.add([(sequence, -1.0)], 0.0);
    }
    let count = rows.constants.len();
    let matrix = CscMatrix::new_from_triplets(count, variables, rows.rows, rows.columns, rows.values);
    let mut objective = vec![0.0; variables];
    objective[root] = -1.0;
    let cones = [ZeroConeT(equations), NonnegativeConeT(count - equations)];
    let time_limit = time.map_or(f64::INFINITY, |time| time.as_secs_f64());
    let settings = DefaultSettings { verbose: false, time_limit, ..DefaultSettings::default() };
    let square = CscMatrix::zeros((variables, variables));
    let mut solver = DefaultSolver::new(&square, &objective, &matrix, &rows.constants, &cones, settings).ok()?;
    solver.solve();
    let solution = &solver.solution;
    let fits = matches!(solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    if !fits {
        return None;
    }
    let bounds = equations..equations + other.sequences();
    let [own_plan, other_plan] = [&solution.x[..plan], &solution.z[bounds.clone()]];
    let [own_losses, other_losses] = [&solution.z[bounds.end..], &solution.s[bounds]];
    Some(Plans {
        plans: [own_plan.to_vec(), other_plan.to_vec()],
        face: Face {
            used: [used(own, own_plan, own_losses), used(other, other_plan, other_losses)],
            // The second program is the dual of the first, with the opposite sign of the goal.
            values: [solution.x[plan..].to_vec(), solution.z[..equations].iter().map(|value| -value).collect()],
        },
    })
}

/// The sequences that a plan uses: those whose number is greater than the loss by them, and all sequences that lead to
/// one.
fn used(plex: &Treeplex, plan: &[f64], losses: &[f64]) -> Vec<bool> {
    let mut used: Vec<bool> = plan.iter().zip(losses).map(|(share, loss)| share > loss).collect();
    used[0] = true;
    // Each information set comes after those that lead to it.
    for infoset in plex.infosets.iter().rev() {
        if infoset.sequences().any(|sequence| used[sequence]) {
            used[infoset.parent as usize] = true;
        }
    }
    used
}

/// The rows of a sparse matrix, with their bounds.
#[derive(Default)]
struct Rows {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    constants: Vec<f64>,
}

impl Rows {
    fn add(&mut self, entries: impl IntoIterator<Item = (usize, f64)>, constant: f64) {
        for (column, value) in entries {
            self.rows.push(self.constants.len());
            self.columns.push(column);
            self.values.push(value);
        }
        self.constants.push(constant);
    }
}
