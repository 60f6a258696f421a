//! Two players with opposed goals: the linear program or regret minimization, and the proof of the value.

use std::time::Instant;

use num_rational::BigRational;
use percept_infoset::{Budget, Stop};

use crate::cfr::{Bracket, Pair, bracket, gains};
use crate::descent::{minimize, note};
use crate::options::{Method, Options, Point};
use crate::solution::DEFAULT_VARIANT;
use crate::tree::{BuildError, Tree, Treeplex};
use crate::zero_sum::{GoalOf, Payoffs};
use crate::{exact, lp, plan};

/// The number of sequences of both players up to which `Auto` uses the linear program.
pub const LP_SEQUENCES: usize = 12_000;

/// The number of sequences of both players up to which an exact value is tried.
const EXACT_SEQUENCES: usize = 8_000;

/// Plans of both players with their bounds.
pub(crate) struct Solved {
    pub plans: [Vec<f64>; 2],
    /// The face, if a linear program found them.
    face: Option<lp::Face>,
    pub bracket: Bracket,
    pub method: &'static str,
    pub iterations: u64,
    pub curve: Vec<Point>,
    pub stopped: Option<Stop>,
}

/// The exact value and the exact behaviour of both players, if the plans of a linear program prove a value.
pub(crate) fn prove(
    tree: &Tree,
    players: [usize; 2],
    payoffs: &Payoffs,
    goal: &GoalOf<'_>,
    solved: &Solved,
    budget: &Budget,
) -> Option<(BigRational, [Vec<BigRational>; 2])> {
    let plexes = players.map(|player| &tree.players[player]);
    let face = solved.face.as_ref()?;
    if plexes[0].sequences() + plexes[1].sequences() > EXACT_SEQUENCES {
        return None;
    }
    let [first, second] = &solved.plans;
    let worth = [
        best(plexes[0], gains(&payoffs.by_first, second, 1.0)),
        best(plexes[1], gains(&payoffs.by_second, first, -1.0)),
    ];
    let behaviour = [plan::behaviour(plexes[0], first, &worth[0]), plan::behaviour(plexes[1], second, &worth[1])];
    // The program's numbers have the same offset.
    let goal = |goals: &[i64]| goal(goals) - payoffs.offset;
    let plans = [&first[..], &second[..]];
    let (value, exactly) = exact::prove(tree, players, &goal, plans, face, [&behaviour[0], &behaviour[1]], budget)?;
    Some((value + BigRational::from(num_bigint::BigInt::from(payoffs.offset)), exactly))
}

pub(crate) fn best(plex: &Treeplex, mut gains: Vec<f64>) -> Vec<f64> {
    plan::best_response(plex, &mut gains);
    gains
}

/// Solves a game of two players with opposed goals by the method that fits.
pub(crate) fn solve_pair(
    plexes: [&Treeplex; 2],
    payoffs: &Payoffs,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Result<Solved, BuildError> {
    let sequences = plexes[0].sequences() + plexes[1].sequences();
    let (linear, variant) = match options.method {
        Method::Lp => (true, DEFAULT_VARIANT),
        Method::Cfr(variant) => (false, variant),
        Method::Auto | Method::Sampling(_) => (sequences <= LP_SEQUENCES, DEFAULT_VARIANT),
    };
    if linear && let Some(solved) = linear_pair(plexes, payoffs, options, budget, begin) {
        return Ok(solved);
    }
    let mut pair = Pair::new(plexes[0], plexes[1], payoffs, variant);
    let (curve, stopped) = minimize(&mut pair, plexes[0].role, options, budget, begin)?;
    let plans = pair.averages();
    let bracket = bracket(plexes, payoffs, &plans[0], &plans[1]);
    let iterations = pair.iterations as u64;
    Ok(Solved { plans, face: None, bracket, method: variant.name(), iterations, curve, stopped })
}

/// Solves the linear program. `None` if its solver gives up, or its plans are worse than they should be.
fn linear_pair(
    plexes: [&Treeplex; 2],
    payoffs: &Payoffs,
    options: &Options,
    budget: &Budget,
    begin: Instant,
) -> Option<Solved> {
    let time = || budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    // The solver's plan is only a plan up to its tolerance; the behaviour at each information set makes it a real one.
    let real = |at: usize, found: Vec<f64>| {
        let plex = plexes[at];
        let found: Vec<f64> = found.iter().map(|&probability| probability.max(0.0)).collect();
        plan::plan(plex, &plan::behaviour(plex, &found, &vec![0.0; found.len()]))
    };
    let lp::Plans { plans: [first, second], face } = lp::both_plans(plexes[0], plexes[1], &payoffs.by_second, time())?;
    let plans = [real(0, first), real(1, second)];
    let bracket = bracket(plexes, payoffs, &plans[0], &plans[1]);
    let mut curve = Vec::new();
    note(&mut curve, begin, 1, (Some(plexes[0].role), bracket), options);
    let fits = bracket.exploitability() <= options.target.max(1e-6);
    let stopped = budget.stop();
    fits.then_some(Solved { plans, face: Some(face), bracket, method: "lp", iterations: 0, curve, stopped })
}
