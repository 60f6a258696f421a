//! Exact values: probabilities of plans are taken as fractions, and best responses to them are computed exactly. If
//! both best responses agree, the value is proved, whatever the origin of the plans.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use percept_infoset::Budget;

use crate::face::{self, FloatPlan};
use crate::lp::Face;
use crate::plan;
use crate::tree::{Tree, Treeplex};
use crate::zero_sum::{GoalOf, exact_entries};

/// The relative distances from the given numbers within which fractions are tried, in this order: simple fractions
/// first. A wrong fraction proves nothing, so it does no harm.
const NEAR: [f64; 4] = [0.2, 0.02, 1e-4, 1e-7];

/// The behaviour of an exact plan. At information sets that the plan never reaches, `fallback` (a behaviour of zeros
/// and ones) applies.
fn behaviour(plex: &Treeplex, plan: &[BigRational], fallback: &[f64]) -> Vec<BigRational> {
    let mut behaviour = vec![BigRational::zero(); plan.len()];
    behaviour[0] = BigRational::one();
    for infoset in &plex.infosets {
        let reached = &plan[infoset.parent as usize];
        for sequence in infoset.sequences() {
            behaviour[sequence] = match reached.is_zero() {
                false => &plan[sequence] / reached,
                true if fallback[sequence] > 0.5 => BigRational::one(),
                true => BigRational::zero(),
            };
        }
        let sum: BigRational = infoset.sequences().map(|sequence| &behaviour[sequence]).sum();
        if !sum.is_one() {
            // No move has more than half of the fallback's probability, so the first one is taken.
            infoset.sequences().for_each(|sequence| behaviour[sequence] = BigRational::zero());
            behaviour[infoset.first as usize] = BigRational::one();
        }
    }
    behaviour
}

/// The value that exact plans near these prove, and the behaviour of both players. `face`: the face of the plans.
/// `fallback`: the behaviour at information sets that a plan never reaches. `None` as well if the budget is spent.
pub fn prove(
    tree: &Tree,
    players: [usize; 2],
    goal: &GoalOf<'_>,
    plans: [&[f64]; 2],
    face: &Face,
    fallback: [&[f64]; 2],
    budget: &Budget,
) -> Option<(BigRational, [Vec<BigRational>; 2])> {
    let [first, second] = players.map(|player| &tree.players[player]);
    let entries = exact_entries(tree, players[0], players[1], goal)?;
    let turned: Vec<_> = entries.iter().map(|(one, other, payoff)| (*other, *one, -payoff)).collect();
    let used = [0, 1].map(|at| &face.used[at][..]);
    let found = [0, 1].map(|at| FloatPlan { plan: plans[at], values: &face.values[at] });
    NEAR.iter().find_map(|&near| {
        let one = face::plan(first, second, &entries, found[0], used, near, budget)?;
        let other = face::plan(second, first, &turned, found[1], [used[1], used[0]], near, budget)?;
        let behaviour = [behaviour(first, &one, fallback[0]), behaviour(second, &other, fallback[1])];
        let value = value([first, second], &entries, [&behaviour[0], &behaviour[1]])?;
        Some((value, behaviour))
    })
}

/// The fractions of a pure strategy.
pub fn pure(behaviour: &[f64]) -> Option<Vec<BigRational>> {
    let whole = |&probability: &f64| match probability {
        0.0 => Some(BigRational::zero()),
        1.0 => Some(BigRational::one()),
        _ => None,
    };
    behaviour.iter().map(whole).collect()
}

/// The goal that the first player secures with its behaviour, if the second one's holds it to the same: then it is the
/// value.
fn value(
    plexes: [&Treeplex; 2],
    entries: &[(u32, u32, BigRational)],
    behaviour: [&[BigRational]; 2],
) -> Option<BigRational> {
    let plans = [plan::plan_exact(plexes[0], behaviour[0]), plan::plan_exact(plexes[1], behaviour[1])];
    let mut gains =
        [vec![BigRational::zero(); plexes[0].sequences()], vec![BigRational::zero(); plexes[1].sequences()]];
    for (one, other, goal) in entries {
        let (one, other) = (*one as usize, *other as usize);
        if !plans[1][other].is_zero() {
            gains[0][one] += goal * &plans[1][other];
        }
        if !plans[0][one].is_zero() {
            gains[1][other] -= goal * &plans[0][one];
        }
    }
    let [mut one, mut other] = gains;
    let high = plan::best_response_exact(plexes[0], &mut one);
    let low = -plan::best_response_exact(plexes[1], &mut other);
    (low == high).then_some(high)
}

/// The greatest goal of a player if no other role has a choice.
pub fn optimum(tree: &Tree, player: usize, goal: &GoalOf<'_>) -> Option<BigRational> {
    let plex = &tree.players[player];
    let mut gains = vec![BigRational::zero(); plex.sequences()];
    let spectator = (0..tree.players.len()).find(|&other| other != player);
    for (sequence, _, goal) in exact_entries(tree, player, spectator.unwrap_or(player), goal)? {
        gains[sequence as usize] += goal;
    }
    Some(plan::best_response_exact(plex, &mut gains))
}

/// A fraction such as `-1/18`; `None` if it has too many digits to be readable.
pub fn shown(value: &BigRational) -> Option<String> {
    let long = value.numer().abs() > BigInt::from(10u64.pow(9)) || *value.denom() > BigInt::from(10u64.pow(9));
    (!long).then(|| value.to_string())
}
